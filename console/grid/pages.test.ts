import { expect, test } from '@jest/globals';
import { pagesOf, placed } from './pages.ts';

test.each([
  [0, 30, 100, 1_000, [0]],
  [90, 120, 100, 1_000, [0, 1]],
  [990, 1_100, 100, 1_000, [9]],
  [0, 0, 100, 0, []],
])('rows %d to %d of pages of %d of %d rows are in %j', (first, last, size, count, expected) => {
  expect(pagesOf(first, last, size, count)).toEqual(expected);
});

test('rows stand at their places', () => {
  const rows = placed(
    new Map([
      [0, ['a', 'b']],
      [3, ['g']],
    ]),
    2,
  );
  expect([...rows]).toEqual([
    [0, 'a'],
    [1, 'b'],
    [6, 'g'],
  ]);
});
