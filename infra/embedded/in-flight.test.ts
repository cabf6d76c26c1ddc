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
const fly = (flight: number, ...values: [string, number][]) => {
  for (const [key, value] of values) rows.set(key, value);
  rows.handOver(flight);
};
const seen = (...keys: string[]) => keys.map((key) => rows.get(key));

test('the newest is read until the newest has landed', () => {
  fly(1, ['a', 1], ['b', 1]);
  fly(2, ['a', 2]);
  rows.set('c', 3);
  expect(seen('a', 'b', 'c', 'd')).toEqual([2, 1, 3, undefined]);
  rows.land(1);
  expect([landed, seen('a', 'b')]).toEqual([[['b', 1]], [2, undefined]]);
  rows.land(2);
  expect([landed.at(-1), seen('a')]).toEqual([['a', 2], [undefined]]);
});

test('what is lost or abandoned never lands', () => {
  fly(1, ['a', 1]);
  rows.set('a', 2);
  rows.abandon();
  expect(rows.get('a')).toBe(1);
  rows.lose(1);
  rows.land(1);
  expect([rows.get('a'), landed]).toEqual([undefined, []]);
});

test('a row that is changed again while it flies is not forgotten when it lands', () => {
  fly(1, ['a', 1]);
  rows.set('a', 2);
  rows.land(1);
  expect([rows.get('a'), landed]).toEqual([2, [['a', 1]]]);
  rows.abandon();
  expect(rows.get('a')).toBeUndefined();
});

test('a flight that is lost takes nothing of others along', () => {
  fly(1, ['a', 1]);
  fly(2, ['b', 2]);
  rows.lose(2);
  expect(seen('a', 'b')).toEqual([1, undefined]);
  rows.land(1);
  expect(landed).toEqual([['a', 1]]);
});

test('what is written at once lands at once', () => {
  isGathering = false;
  rows.set('a', 1);
  expect([rows.get('a'), landed]).toEqual([undefined, [['a', 1]]]);
});
