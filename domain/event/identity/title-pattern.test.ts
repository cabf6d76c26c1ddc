import { describe, expect, test } from '@jest/globals';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { hasWords, titlePattern, withoutHost } from './signature.ts';

const patternOf = (title: string, host = ''): string => titlePattern(withoutHost(title.toLowerCase(), host));

describe('titlePattern takes out what differs between occurrences', () => {
  test.each([
    // nagios, icinga
    [
      '** PROBLEM Service Alert: web-01/HTTP is CRITICAL **',
      'web-01.example.com',
      '** problem service alert: /http is critical **',
    ],
    ['PING CRITICAL - Packet loss = 100%, RTA = 12.5 ms', '', 'ping critical - packet loss = <n>%, rta = <n> ms'],
    [
      'DISK WARNING - free space: /var 2,345 MB (7% inode=92%)',
      '',
      'disk warning - free space: /var <n> mb (<n>% inode=<n>%)',
    ],
    // zabbix
    ['Zabbix agent on db-01 is unreachable for 5 minutes', 'db-01', 'zabbix agent on is unreachable for <n> minutes'],
    ['High CPU utilization (over 90% for 5m)', '', 'high cpu utilization (over <n>% for <n>m)'],
    ['Interface Gi0/1(uplink): Link down', '', 'interface gi<n>/<path>(uplink): link down'],
    // alertmanager, grafana
    [
      'Pod shop/api-7d9f8b6c5d-x2x4q (api) is restarting 2.1 times',
      '',
      'pod shop/<path> (api) is restarting <n> times',
    ],
    ['Target 10.2.3.4:9100 is down', '', 'target <ip> is down'],
    ['p99 latency above 500ms (current 731.5ms)', '', 'p<n> latency above <n>ms (current <n>ms)'],
    // cloudwatch, azure, google
    ['EC2 i-0abc123def4567890 status check failed', '', 'ec<n> i-<n> status check failed'],
    ['VM heartbeat lost since 2026-11-20T10:00:10.000+0000', '', 'vm heartbeat lost since <time>'],
    ['Instance 9f1c2b34-0d2e-4a5b-8c7d-1234567890ab unhealthy', '', 'instance <uuid> unhealthy'],
    // datadog, pagerduty
    ['[Triggered] Error rate is 12.5 % on service:checkout', '', '[triggered] error rate is <n> % on service:checkout'],
    [
      'GET https://api.example.com/v1/users/12345/orders failed',
      '',
      'get https://api.example.com/<path>/users/<path>/orders failed',
    ],
    // syslog, otel
    ['Backup failed at Mon, Jan 5 10:22:01 2026', '', 'backup failed at <time>'],
    ['Segfault at 7ffe12ab34cd ip 0x4005d0', '', 'segfault at <n> ip <n>'],
    ['Timeout talking to [fe80::1ff:fe23:4567:890a%eth0]:443', '', 'timeout talking to <ip>'],
    ['Ping to 2001:db8::7 lost at 10:15:22', '', 'ping to <ip> lost at <time>'],
    ["Service 'nginx' isn't running; user's session lost", '', "service <q> isn't running; user's session lost"],
    ['Rule "disk > 90" fired for `db`', '', 'rule <q> fired for <q>'],
    [
      'Container 3f2a9c17d0be on /var/lib/docker/overlay2/3f2a9c17d0be exited',
      '',
      'container <n> on /var/lib/docker/<path>/<path> exited',
    ],
    ['Marked 3 disks, decline 5', '', 'marked <n> disks, decline <n>'],
  ])('%s', (title, host, pattern) => {
    expect(patternOf(title, host)).toBe(pattern);
  });

  test('two occurrences that differ in values alone have one pattern', () => {
    expect(patternOf('Disk /dev/sda1 93.4% full at 10:00')).toBe(patternOf('Disk /dev/sdb12 7% full at 23:59'));
  });
});

describe('withoutHost', () => {
  test.each([
    ['web-01 is down', 'web-01.example.com', ' is down'],
    ['web-01.example.com is down', 'web-01.example.com', ' is down'],
    ['web-01.other.net is down', 'web-01', ' is down'],
    ['load on web-01.', 'web-01', 'load on .'],
    ['web-011 and my-web-01 are down', 'web-01', 'web-011 and my-web-01 are down'],
    ['10.0.0.1 answers in 10 ms', '10.0.0.1', ' answers in 10 ms'],
    ['a fan is out', 'a.example.com', 'a fan is out'],
    ['nothing named', '', 'nothing named'],
  ])('%s on %s', (title, host, rest) => {
    expect(withoutHost(title, host)).toBe(rest);
  });
});

test.each([
  ['<n> <uuid> <q>', false],
  ['', false],
  ['*** <n>%', false],
  ['disk <n>', true],
  ['磁盘使用率 <n>%', true],
])('hasWords(%s) is %s', (pattern, words) => {
  expect(hasWords(pattern)).toBe(words);
});

const HOSTILE = [
  '1a',
  'a',
  "'",
  '"',
  '1',
  '1.',
  ':',
  'a:',
  '/',
  '/1',
  'jan ',
  '1:11',
  'web-01',
  'web-01.',
  ' ',
  "a'",
  '“',
  '1-',
  'mon ',
];
test.each(HOSTILE)('a long title of %j takes linear time', (piece) => {
  const work = (length: number): string => patternOf(`${piece.repeat(length / piece.length)}1x`, 'web-01');
  expect(growth(work, 8_000)).toBeLessThan(LINEAR);
});
