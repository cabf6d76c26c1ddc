import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Recent } from './recent.ts';

test('keeps what is used, drops what is not, and stays within its budget', () => {
  const recent = new Recent<number, number>(10, () => 1);
  for (let key = 0; key < 100; key++) {
    recent.set(key, key);
    expect(recent.get(0)).toBe(0);
  }
  const kept = Array.from({ length: 100 }, (_, key) => recent.get(key)).filter((value) => value !== undefined);
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(recent.get(1)).toBeUndefined();
});

test('never gives a value that was replaced or deleted', () => {
  const key = fc.integer({ min: 0, max: 20 });
  const steps = fc.array(fc.tuple(fc.constantFrom('set', 'delete', 'get'), key, fc.integer({ min: 1, max: 9 })));
  fc.assert(
    fc.property(steps, (list) => {
      const recent = new Recent<number, number>(30, (weight) => weight);
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
