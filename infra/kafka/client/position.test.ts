import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_EPOCH, positionOf } from '../owner/wire.ts';

const OFFSETS = 2 ** 40;

describe('a position', () => {
  test.each([
    [0, 0, 0],
    [0, 7, 7],
    [1, 0, 1_099_511_627_776],
    [1, '5', 1_099_511_627_781],
    [MAX_EPOCH, OFFSETS - 1, 2 ** 53 - 2 ** 40 - 1],
  ])('of epoch %p and offset %p is %p', (epoch, offset, expected) => {
    expect(positionOf(epoch, offset)).toBe(expected);
  });

  test('orders by epoch and offset', () => {
    const place = fc.tuple(
      fc.integer({ min: 0, max: MAX_EPOCH }),
      fc.maxSafeNat().map((n) => n % OFFSETS),
    );
    fc.assert(
      fc.property(place, place, ([e1, o1], [e2, o2]) => {
        const [one, two] = [positionOf(e1, o1), positionOf(e2, o2)];
        expect(one < two).toBe(e1 < e2 || (e1 === e2 && o1 < o2));
      }),
    );
  });

  test.each([
    [-1, 0],
    [MAX_EPOCH + 1, 0],
    [0, OFFSETS],
    [0, -1],
    [0, 'x'],
    [0.5, 0],
  ])('is refused for epoch %p and offset %p', (epoch, offset) => {
    expect(() => positionOf(epoch, offset)).toThrow(RangeError);
  });
});
