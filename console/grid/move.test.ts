import { expect, test } from '@jest/globals';
import { movedTo } from './move.ts';

test.each([
  ['j', 0, 1],
  ['j', 9, 9],
  ['ArrowDown', 3, 4],
  ['k', 0, 0],
  ['ArrowUp', 3, 2],
  ['PageDown', 7, 9],
  ['PageUp', 7, 3],
  ['Home', 7, 0],
  ['End', 7, 9],
  ['x', 7, null],
])('%s from row %d of 10 leads to %p', (combo, at, expected) => {
  expect(movedTo(combo, at, 10, 4)).toBe(expected);
});
