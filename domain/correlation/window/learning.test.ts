import { expect, test } from '@jest/globals';
import { NOON } from '#test/contract/samples.ts';
import { isLearning } from './learning.ts';
import { BIN_MS } from './rates.ts';

test.each<[string, number | null, number, boolean]>([
  ['with the first event', NOON, NOON, true],
  ['before any', null, NOON, true],
  ['in the last bin of four hours', NOON + BIN_MS - 1, NOON + 24 * BIN_MS - 1, true],
  ['in the bin after four hours', NOON + BIN_MS - 1, NOON + 24 * BIN_MS, false],
  ['long after', NOON, NOON + 1_000 * BIN_MS, false],
])('rates are being learned: %s', (_, first, at, expected) => {
  expect(isLearning(first, at)).toBe(expected);
});
