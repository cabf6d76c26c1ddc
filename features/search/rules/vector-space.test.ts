import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { SearchRef } from '#domain/search/document.ts';
import { packed, VectorSpace } from './vector-space.ts';

const unit = (vector: readonly number[]): number[] => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((one) => one / length);
};
const ref = (id: string, kind: SearchRef['kind'] = 'complaint'): SearchRef => ({ kind, id });
const all = { kinds: ['complaint', 'incident'], limit: 10 } as const;

test('a packed vector is as alike to others as the vector was, within two hundredths', () => {
  const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      fc.pre(a.some((one) => one !== 0) && b.some((one) => one !== 0));
      const [one, other] = [unit(a), unit(b)];
      const likeness = one.reduce((sum, value, i) => sum + value * other[i]!, 0);
      fc.pre(likeness > 0.35);
      const space = new VectorSpace();
      space.set(ref('x'), 'h', packed(other));
      expect(space.nearest(one, all)[0]?.likeness).toBeCloseTo(likeness, 1);
    }),
  );
});

test('the most alike of the wanted kinds come first; what is replaced or removed is gone', () => {
  const space = new VectorSpace();
  space.set(ref('a'), '1', packed([1, 0, 0]));
  space.set(ref('b'), '1', packed(unit([1, 1, 0])));
  space.set(ref('c', 'service'), '1', packed([1, 0, 0]));
  space.set(ref('d'), '1', packed([0, 1, 0]));
  space.set(ref('e'), '1', packed([1, 0]));
  const ids = () => space.nearest([1, 0, 0], all).map(({ id }) => id);
  expect(ids()).toEqual(['a', 'b']);
  space.set(ref('a'), '2', packed([0, 0, 1]));
  expect([ids(), space.has(ref('a'), '1'), space.has(ref('a'), '2')]).toEqual([['b'], false, true]);
  space.delete(ref('b'));
  expect(ids()).toEqual([]);
});

test('among many, only those that are clearly more alike than others are near', () => {
  const space = new VectorSpace();
  // All are somewhat alike, as texts about machines are.
  for (let i = 0; i < 200; i++) space.set(ref(`n${i}`), 'h', packed(unit([1, Math.sin(i), Math.cos(i), 0])));
  space.set(ref('one'), 'h', packed(unit([1, 0, 0, 2])));
  expect(space.nearest(unit([1, 0, 0, 2]), all).map(({ id }) => id)).toEqual(['one']);
});
