import { expect, test } from '@jest/globals';
import { chanceOf, rateChange } from './rate-test.ts';

test.each([
  [0, 0, 1],
  [3, 3, 1],
  [0, 5, 0.0625],
  [0, 6, 0.03125],
  [6, 0, 0.03125],
  [10, 20, 0.0987],
  [10, 22, 0.0501],
  [10, 23, 0.0351],
  [1_000, 1_100, 0.0308],
  [0, 100_000, 0],
])('%i events and then %i: by accident with chance %d', (before, now, chance) => {
  expect(chanceOf(before, now)).toBeCloseTo(chance, 3);
});

test('the normal curve goes on where the exact chance ends', () => {
  expect(chanceOf(470, 531)).toBeCloseTo(chanceOf(470, 530), 2);
});

test.each([
  [0, 5, 'no change'],
  [0, 6, 'more'],
  [6, 0, 'fewer'],
  [10, 22, 'no change'],
  [10, 23, 'more'],
] as const)('%i events and then %i are %s', (before, now, change) => expect(rateChange(before, now)).toBe(change));
