import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leastUlidAt } from './ulid-time.ts';

describe('least ULID of a time', () => {
  test.each([
    [0, '00000000000000000000000000'],
    // The example of the ULID specification.
    [1_469_918_176_385, '01ARYZ6S410000000000000000'],
  ])('%d', (ms, id) => expect(leastUlidAt(ms)).toBe(id));

  test('sorts like the time', () => {
    const time = fc.nat({ max: 281_474_976_710_655 });
    fc.assert(fc.property(time, time, (a, b) => a < b === leastUlidAt(a) < leastUlidAt(b)));
  });
});
