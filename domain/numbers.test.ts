import { expect, test } from '@jest/globals';
import { percent, rounded } from './numbers.ts';

test.each([
  [0.12345, 0.123],
  [0.9996, 1],
  [-1.2346, -1.235],
  [12, 12],
])('%d is told as %d', (value, told) => expect(rounded(value)).toBe(told));

test.each([
  [0, '0 %'],
  [0.005, '1 %'],
  [0.934, '93 %'],
  [1, '100 %'],
])('%d of one is %s', (share, told) => expect(percent(share)).toBe(told));
