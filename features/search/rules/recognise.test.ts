import { describe, expect, test } from '@jest/globals';
import { CONCEPTS, conceptsIn } from './recognise.ts';

describe('what is said in many words is one concept', () => {
  test.each([
    [
      'disk-full',
      ['out of disk', 'No space left on device', 'The filesystem /var is 98 % full', 'Disk usage above 90%'],
    ],
    ['out-of-memory', ['OOMKilled', 'java.lang.OutOfMemoryError: Java heap space', 'Available memory is low']],
    [
      'connection-refused',
      ['connect ECONNREFUSED 10.0.0.1', 'could not connect to server', "can't reach the database"],
    ],
    ['certificate-expired', ['TLS certificate expires in 7 days', 'the cert is out of date']],
    ['login-failed', ['Failed password for root', 'users cannot log in', 'Account locked']],
    ['queue-backlog', ['consumer lag of orders is 40000', 'messages are piling up']],
    ['host-down', ['web-1 is unreachable', 'Server does not respond', 'Host down']],
    ['disk-failing', ['I/O error on sda', 'SMART failure predicted']],
    ['restart-loop', ['CrashLoopBackOff', 'the pod restarts again and again']],
    ['clock', ['time drift of 4 s', 'NTP lost']],
  ])('%s', (concept, texts) => {
    expect(texts.filter((text) => !conceptsIn(text).includes(concept))).toEqual([]);
  });
});

test.each([
  ['disk-full', 'The disk is new. Later that day, and in quite another place, the car park was full'],
  ['link-down', 'Download finished'],
  ['out-of-memory', 'memory of the old days'],
  ['login-failed', 'login page redesigned'],
])('%s is not said by: %s', (concept, text) => {
  expect(conceptsIn(text)).not.toContain(concept);
});

test('a word stands in one place of a rule only', () => {
  expect(conceptsIn('connection')).toEqual([]);
  expect(conceptsIn('')).toEqual([]);
});

test('concepts have names that an index takes as one word, each once, and no rule is empty', () => {
  for (const { name, rules } of CONCEPTS) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const rule of rules) expect(rule).toMatch(/^[a-z0-9|]+( [a-z0-9|]+)*$/);
  }
  expect(new Set(CONCEPTS.map(({ name }) => name)).size).toBe(CONCEPTS.length);
  expect(CONCEPTS.length).toBeGreaterThanOrEqual(80);
});
