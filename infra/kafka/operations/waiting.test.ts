import { expect, test } from '@jest/globals';
import { Waiting } from './operations.ts';

const lag = (committed: number, end: number) => ({ partition: 3, committed, end, lag: end - committed });
const ages = (looks: readonly (readonly [at: number, committed: number, end: number])[]): (number | undefined)[] => {
  const waiting = new Waiting();
  return looks.map(([at, committed, end]) => waiting.measure([lag(committed, end)], at * 1_000).get(3));
};

test('the oldest record that waits is as old as the first sight of it', () => {
  expect(
    ages([
      [0, 10, 10],
      [10, 10, 20],
      [70, 10, 90],
      [130, 20, 120],
      [140, 90, 120],
      [150, 120, 120],
      [160, 120, 121],
    ]),
  ).toEqual([0, 0, 60_000, 60_000, 10_000, 0, 0]);
});

test('it remembers hours without growing', () => {
  const waiting = new Waiting();
  const looks = Array.from({ length: 10_000 }, (_, n) => waiting.measure([lag(0, n + 1)], n * 5_000).get(3));
  expect(looks.at(-1)).toBe(9_999 * 5_000);
});
