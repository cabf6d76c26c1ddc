import { expect, test } from '@jest/globals';
import { exactProblem, hostProblem, hostsOf, MAX_HOSTS, tagProblem } from './written-pattern.ts';

test.each([
  ['web-01', true],
  ['web-*', true],
  ['web-0?.example.com', true],
  ['web.*', true],
  ['web-01, web-02,db*', true],
  ['Pump (north)', true],
  ['2001:db8::1', true],
  ['web-(01|02).*', false],
  ['web-01|web-02', false],
  ['^web', false],
  ['web$', false],
  ['web-\\d+', false],
  ['web\\.example\\.com', false],
  ['web-[0-9]', false],
  ['web-[abc]+', false],
  ['web-.+', false],
  ['web-0{2}', false],
  ['web-01, db-(1|2)', false],
  [' , ', false],
  [Array.from({ length: MAX_HOSTS + 1 }, (_, n) => `h${n}`).join(), false],
])('the host %s may match: %s', (host, may) => {
  expect(hostProblem(host) === null).toBe(may);
});

test('hosts are listed with commas', () => {
  expect(hostsOf('web-01, web-02,,db*')).toEqual(['web-01', 'web-02', 'db*']);
});

test.each([
  ['checkout', true],
  ['Shop (EU)', true],
  ['web-*', false],
  ['shop|cart', false],
  ['^shop$', false],
])('the service %s may match: %s', (service, may) => {
  expect(exactProblem(service) === null).toBe(may);
});

test.each([
  ['team:*', true],
  ['url:http://x/?a=1', true],
  ['team:(a|b)', false],
])('the tag %s may match: %s', (tag, may) => {
  expect(tagProblem(tag) === null).toBe(may);
});
