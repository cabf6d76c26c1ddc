import { describe, expect, test } from '@jest/globals';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { subjectPattern } from './subject.ts';

const of = (title: string): string => subjectPattern(title.toLowerCase());

describe('what a title names stays', () => {
  test.each([
    ['eth0 is down', 'eth0 is down'],
    ['Interface GigabitEthernet0/1.100 down', 'interface gigabitethernet0/1.100 down'],
    ['ge-0/0/1 link down', 'ge-0/0/1 link down'],
    ['nvme0n1p1 is failing', 'nvme0n1p1 is failing'],
    ['node12 is not ready', 'node12 is not ready'],
    ['Disk /dev/sda1 is 91 % full', 'disk /dev/sda1 is <n> % full'],
    ['Port 5432 is closed', 'port 5432 is closed'],
    ['Fan 2 failure', 'fan 2 failure'],
    ['Partition #12 of topic orders is offline', 'partition #12 of topic orders is offline'],
    ['Worker 3 of 5 died', 'worker 3 of <n> died'],
    ['Service "nginx" is down', 'service "nginx" is down'],
    ['Query of "orders 2026-11-20" took 31 s', 'query of "orders <time>" took <n> s'],
    ['5xx of checkout v1.4.1', '5xx of checkout v1.4.1'],
  ])('%s', (title, pattern) => expect(of(title)).toBe(pattern));
});

describe('what varies by nature goes', () => {
  test.each([
    ['CPU 91 %', 'cpu <n> %'],
    ['CPU load is 0.95', 'cpu load is <n>'],
    ['Disk 5 GB free', 'disk <n> b free'],
    ['Queue 500 messages', 'queue <n> messages'],
    ['Latency 731.5ms', 'latency <n> s'],
    ['Backup took 1h30m', 'backup took <n> s'],
    ['3 errors within 5 minutes', '<n> errors within <n> s'],
    ['Backup failed at Mon, Jan 5 10:22:01 2026', 'backup failed at <time>'],
    ['Timeout of 10.2.3.4:54321 after 2:03:04:05', 'timeout of 10.2.3.4:<n> after <n>'],
    ['Instance 9f1c2b34-0d2e-4a5b-8c7d-1234567890ab unhealthy', 'instance <uuid> unhealthy'],
    ['Container 3f2a9c17d0be exited', 'container <n> exited'],
    ['/var/orders/12345 is missing', '/var/orders/<n> is missing'],
  ])('%s', (title, pattern) => expect(of(title)).toBe(pattern));
});

test.each([
  ['CPU 91 %', 'CPU 95 %'],
  ['Temperature 81 C', 'Temperature 95 C'],
  ['HTTP 503 after 30 s', 'HTTP 500 after 2 s'],
])('%s and %s are one', (one, two) => expect(of(one)).toBe(of(two)));

const HOSTILE = [
  '1 h ',
  '1gb',
  '1h',
  '1',
  'port ',
  '0:',
  'a-0/',
  '1.',
  '1,1/',
  '"',
  '0x',
  'ab0',
  'disk 1 ',
  'mon ',
  '12/12/',
  ':',
  '[:',
  'session ',
  'session 1 ',
  'iqn.',
  'id ',
  'port id 1 ',
  'from 1.1.1.1:40000 ',
  'client 1.1.1.1 ',
  'a-1',
  '1-',
  '1, ',
  'line 3 ',
  '((1',
  'x1:1',
  'vol-',
];
test.each(HOSTILE)('a long title of %j takes linear time', (piece) => {
  const work = (length: number): string => subjectPattern(`${piece.repeat(Math.ceil(length / piece.length))}!`);
  expect(growth(work, 8_000)).toBeLessThan(LINEAR);
});
