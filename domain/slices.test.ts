import { expect, test } from '@jest/globals';
import { slices } from './slices.ts';

test.each<readonly [readonly number[], number, readonly (readonly number[])[]]>([
  [[], 3, []],
  [[1, 2, 3], 3, [[1, 2, 3]]],
  [[1, 2, 3, 4], 3, [[1, 2, 3], [4]]],
  [[1, 2], 1, [[1], [2]]],
])('%j by %i', (items, size, expected) => expect([...slices(items, size)]).toEqual(expected));
