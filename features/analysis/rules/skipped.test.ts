import { expect, test } from '@jest/globals';
import { skipReason } from './skipped.ts';

test.each([
  ['info', false, 'open', 'info'],
  ['warning', true, 'open', 'usual'],
  ['critical', false, 'resolved', 'ended'],
  ['critical', false, 'open', null],
  ['warning', false, 'acknowledged', null],
  ['warning', false, 'suppressed', null],
] as const)('%s, usual %s, %s: %s', (severity, usual, status, reason) => {
  expect(skipReason({ severity, usual, status })).toBe(reason);
});
