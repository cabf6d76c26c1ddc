import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DenseIds } from './packed-surroundings.ts';

test('each number has the place at which it was first asked for, use after use', () => {
  const places = new DenseIds();
  const number = fc.oneof(fc.nat(50), fc.nat(3_000), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 3_000, size: 'max' }), (numbers) => {
      places.clear();
      const distinct = [...new Set(numbers)];
      expect(numbers.map((n) => places.of(n))).toEqual(numbers.map((n) => distinct.indexOf(n)));
      expect(places.numbers).toEqual(distinct);
    }),
    { numRuns: 50 },
  );
});
