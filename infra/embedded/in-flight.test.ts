import { beforeEach, expect, test } from '@jest/globals';
import { InFlight } from './in-flight.ts';

let landed: [string, number][];
let isGathering: boolean;
let rows: InFlight<string, number>;
beforeEach(() => {
  landed = [];
  isGathering = true;
  rows = new InFlight(
    (key, value) => landed.push([key, value]),
    () => isGathering,
  );
});
const fly = (...values: [string, number][]) => {
  for (const [key, value] of values) rows.set(key, value);
  rows.handOver();
};

test('the newest generation is read, whichever of them has landed', () => {
  fly(['a', 1], ['b', 1]);
  fly(['a', 2]);
  rows.set('c', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => rows.get(key))).toEqual([2, 1, 3, undefined]);
  rows.land();
  expect(landed).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect(['a', 'b'].map((key) => rows.get(key))).toEqual([2, undefined]);
});

test('what is lost or abandoned never lands', () => {
  fly(['a', 1]);
  rows.set('a', 2);
  rows.abandon();
  expect(rows.get('a')).toBe(1);
  rows.lose();
  rows.land();
  expect([rows.get('a'), landed]).toEqual([undefined, []]);
});

test('what is written at once lands at once', () => {
  isGathering = false;
  rows.set('a', 1);
  expect([rows.get('a'), landed]).toEqual([undefined, [['a', 1]]]);
});
