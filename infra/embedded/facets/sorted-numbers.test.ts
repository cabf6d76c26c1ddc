import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { intersectionOf, unionOf } from './search-words.ts';

const sets = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });
const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

test('unions and intersections are those of sets', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [x, y] = [Float64Array.from(sorted(a)), Float64Array.from(sorted(b))];
      expect([...unionOf(x, y)]).toEqual(sorted(new Set([...a, ...b])));
      expect([...intersectionOf(x, y)]).toEqual(sorted(a.filter((n) => b.includes(n))));
    }),
  );
});
