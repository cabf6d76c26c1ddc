import { expect, test } from '@jest/globals';
import { forgetOldest } from './forget-oldest.ts';

test('what was put first goes, of a map and of a set; of nothing, nothing', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  const set = new Set([0, 1]);
  forgetOldest(map);
  forgetOldest(set);
  forgetOldest(new Map());
  expect([[...map.keys()], [...set]]).toEqual([['b'], [1]]);
});
