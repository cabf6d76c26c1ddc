import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NumberMap } from './number-map.ts';

/** Few different keys, so that they collide; neighbors, multiples of large powers of two, and the largest. */
const key = fc.oneof(
  fc.nat(40),
  fc.nat(40).map((n) => n * 2 ** 32),
  fc.nat(40).map((n) => n * 1024),
  fc.nat(3).map((n) => Number.MAX_SAFE_INTEGER - n),
);
const step = fc.record({ key, put: fc.option(fc.string()) });

test('does what a Map does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const map = new Map<number, string>();
      const numbers = new NumberMap<string>();
      for (const { key, put } of steps) {
        if (put === null) expect(numbers.delete(key)).toBe(map.delete(key));
        else {
          numbers.set(key, put);
          map.set(key, put);
        }
        expect(numbers.size).toBe(map.size);
      }
      for (const { key } of steps) expect(numbers.get(key)).toBe(map.get(key));
      expect([...numbers.values()].sort()).toEqual([...map.values()].sort());
    }),
  );
});

test('finds its way with many keys that follow a pattern', () => {
  const numbers = new NumberMap<number>();
  for (let n = 0; n < 200_000; n++) numbers.set(n * 2 ** 20, n);
  let wrong = 0;
  for (let n = 0; n < 200_000; n++) if (numbers.get(n * 2 ** 20) !== n) wrong++;
  expect(wrong).toBe(0);
});
