import { expect, test } from '@jest/globals';
import { durationText, percent, rounded } from './numbers.ts';

test.each([
  [0.12345, 0.123],
  [0.9996, 1],
  [-1.2346, -1.235],
  [12, 12],
])('%d is told as %d', (value, told) => expect(rounded(value)).toBe(told));

test.each([
  [0, '0%'],
  [0.005, '1%'],
  [0.934, '93%'],
  [1, '100%'],
])('%d of one is %s', (share, told) => expect(percent(share)).toBe(told));

test.each([
  [0, '0s'],
  [12_400, '12s'],
  [90_000, '90s'],
  [119_999, '120s'],
  [240_000, '4m'],
  [3_599_999, '1h'],
  [7_500_000, '2h 5m'],
  [86_399_999, '1d'],
  [273_600_000, '3d 4h'],
])('%i ms are %s', (ms, text) => expect(durationText(ms)).toBe(text));
