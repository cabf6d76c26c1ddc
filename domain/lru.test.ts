import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forgetOldest, isKept, knownByTenant, Lru } from './lru.ts';

test('keeps what is used, drops what is not, and stays within its budget', () => {
  const recent = new Lru<number, number>(10, () => 1);
  for (let key = 0; key < 100; key++) {
    recent.set(key, key);
    expect(recent.get(0)).toBe(0);
  }
  const kept = Array.from({ length: 100 }, (_, key) => recent.get(key)).filter((value) => value !== undefined);
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(recent.get(1)).toBeUndefined();
});

test('of what was used lastly at least three quarters of the budget are kept, in whatever order it was used', () => {
  const uses = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 200, maxLength: 400 });
  fc.assert(
    fc.property(uses, (keys) => {
      const recent = new Lru<number, number>(20, () => 1);
      const order: number[] = [];
      for (const key of keys) {
        if (recent.get(key) === undefined) {
          expect(order.slice(-15)).not.toContain(key);
          recent.set(key, key);
        }
        if (order.includes(key)) order.splice(order.indexOf(key), 1);
        order.push(key);
      }
    }),
  );
});

test('never gives a value that was replaced or deleted', () => {
  const key = fc.integer({ min: 0, max: 20 });
  const steps = fc.array(fc.tuple(fc.constantFrom('set', 'delete', 'get'), key, fc.integer({ min: 1, max: 9 })));
  fc.assert(
    fc.property(steps, (list) => {
      const recent = new Lru<number, number>(30, (weight) => weight);
      const model = new Map<number, number>();
      for (const [step, at, weight] of list) {
        if (step === 'set') {
          recent.set(at, weight);
          model.set(at, weight);
        } else if (step === 'delete') {
          recent.delete(at);
          model.delete(at);
        }
        expect([undefined, model.get(at)]).toContain(recent.get(at));
      }
    }),
  );
});

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

test.each([
  [1_010, true],
  [1_001, true],
  [1_000, false],
  [990, false],
  // Set by a clock that was ahead: it would count for that time.
  [1_011, false],
  [9_000_000, false],
])('kept for 5 ms and valid until %d it counts at 1000: %s', (validUntil, counts) => {
  expect(isKept(validUntil, 1_000, 5)).toBe(counts);
});

test('what a tenant has is loaded anew after its time, and after the clock was set back', async () => {
  let loads = 0;
  const known = knownByTenant(1_000, async () => ++loads);
  const asked: number[] = [];
  for (const now of [86_400_000, 86_400_999, 86_401_000, 5_000, 5_999, 6_000]) asked.push(await known.of('acme', now));
  expect(asked).toEqual([1, 1, 2, 3, 3, 4]);
});
