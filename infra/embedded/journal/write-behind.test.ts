import { beforeEach, expect, test } from '@jest/globals';
import { InFlight } from './write-behind.ts';

let isGathering: boolean;
let rows: InFlight<string, number>;
beforeEach(() => {
  isGathering = true;
  rows = new InFlight(() => isGathering);
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
  expect(seen('a', 'b')).toEqual([2, undefined]);
  rows.land(2);
  expect(seen('a', 'c')).toEqual([undefined, 3]);
});

test('what is lost or abandoned is not read', () => {
  fly(1, ['a', 1]);
  rows.set('a', 2);
  rows.abandon();
  expect(rows.get('a')).toBe(1);
  rows.lose(1);
  expect(rows.get('a')).toBeUndefined();
});

test('a row that is changed again while it flies is not forgotten when it lands', () => {
  fly(1, ['a', 1]);
  rows.set('a', 2);
  rows.land(1);
  expect(rows.get('a')).toBe(2);
  rows.abandon();
  expect(rows.get('a')).toBeUndefined();
});

test('a flight that is lost takes nothing of others along', () => {
  fly(1, ['a', 1]);
  fly(2, ['b', 2]);
  rows.lose(2);
  expect(seen('a', 'b')).toEqual([1, undefined]);
});

test('what is written at once is in the file', () => {
  isGathering = false;
  rows.set('a', 1);
  expect(rows.get('a')).toBeUndefined();
});
