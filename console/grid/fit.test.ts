import { expect, test } from '@jest/globals';
import { fitting, leastWidth } from './fit.ts';

const COLUMNS = [
  { width: '5rem' },
  { width: 'minmax(10rem, 1fr)' },
  { width: '4rem', low: 1 },
  { width: '3rem', low: 2 },
];

test.each([
  [null, 4],
  [30, 4],
  [26, 3],
  [20, 2],
  [5, 2],
])('of four columns in %s rem %i are shown, without the lowest first', (width, shown) => {
  expect(fitting(COLUMNS, width)).toEqual(COLUMNS.slice(0, shown));
});

test('a list is at least as wide as its columns', () => expect(leastWidth(COLUMNS.slice(0, 2))).toBe('19.25rem'));
