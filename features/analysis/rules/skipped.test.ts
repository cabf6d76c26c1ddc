import { expect, test } from '@jest/globals';
import { skipReason } from './skipped.ts';

test.each([
  ['info', false, 'open', null, false, 'info'],
  ['warning', true, 'open', 'g', true, 'usual'],
  ['critical', false, 'resolved', null, false, 'ended'],
  ['critical', false, 'open', null, false, null],
  ['warning', false, 'acknowledged', null, false, null],
  ['warning', false, 'suppressed', null, false, null],
  ['critical', false, 'open', 'g', false, 'grouped'],
  ['critical', false, 'open', 'g', true, null],
] as const)('%s, usual %s, %s, group %s, told %s: %s', (severity, usual, status, correlationId, isTold, reason) => {
  expect(skipReason({ severity, usual, status, correlationId }, isTold)).toBe(reason);
});
