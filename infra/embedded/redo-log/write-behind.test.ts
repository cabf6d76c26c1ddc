import { beforeEach, expect, test } from '@jest/globals';
import { WriteBehindCache } from './write-behind.ts';

let isRecording: boolean;
let rows: WriteBehindCache<string, number>;
beforeEach(() => {
  isRecording = true;
  rows = new WriteBehindCache(() => isRecording);
});
const submit = (batch: number, ...values: [string, number][]) => {
  for (const [key, value] of values) rows.set(key, value);
  rows.submitted(batch);
};
const seen = (...keys: string[]) => keys.map((key) => rows.get(key));

test('the newest is read until the newest has lastApplied', () => {
  submit(1, ['a', 1], ['b', 1]);
  submit(2, ['a', 2]);
  rows.set('c', 3);
  expect(seen('a', 'b', 'c', 'd')).toEqual([2, 1, 3, undefined]);
  rows.applied(1);
  expect(seen('a', 'b')).toEqual([2, undefined]);
  rows.applied(2);
  expect(seen('a', 'c')).toEqual([undefined, 3]);
});

test('what is lost or abandoned is not read', () => {
  submit(1, ['a', 1]);
  rows.set('a', 2);
  rows.discarded();
  expect(rows.get('a')).toBe(1);
  rows.lost(1);
  expect(rows.get('a')).toBeUndefined();
});

test('a row that is changed again while it is pending is not forgotten when its first batch is applied', () => {
  submit(1, ['a', 1]);
  rows.set('a', 2);
  rows.applied(1);
  expect(rows.get('a')).toBe(2);
  rows.discarded();
  expect(rows.get('a')).toBeUndefined();
});

test('a batch that is lost takes nothing of others along', () => {
  submit(1, ['a', 1]);
  submit(2, ['b', 2]);
  rows.lost(2);
  expect(seen('a', 'b')).toEqual([1, undefined]);
});

test('what is written at once is in the file', () => {
  isRecording = false;
  rows.set('a', 1);
  expect(rows.get('a')).toBeUndefined();
});
