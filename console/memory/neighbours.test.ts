import { expect, test } from '@jest/globals';
import { besideOf, openNeighbours } from './neighbours.ts';

test.each([
  ['a', { before: null, after: 'b', at: 1, of: 3 }],
  ['b', { before: 'a', after: 'c', at: 2, of: 3 }],
  ['c', { before: 'b', after: null, at: 3, of: 3 }],
  ['x', { before: null, after: null, at: null, of: 3 }],
])('beside %s in the list', (id, expected) => {
  expect(besideOf([id], ['a', 'b', 'c'])).toEqual(expected);
});

test('a group that was merged is found by the id that the list knows, in the list that was looked at last', () => {
  const neighbours = openNeighbours();
  neighbours.remember(['old', 'next'], { state: 'acknowledged' });
  expect(neighbours.of(['new', 'old'])).toMatchObject({ after: 'next', at: 1 });
  expect([neighbours.listOf(['new', 'old']), neighbours.listOf(['new'])]).toEqual([{ state: 'acknowledged' }, {}]);
});
