import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leastUlidAt, ulidFrom, ulidTime } from './ulid-time.ts';

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

test('a ULID from a text is one, of its time, and the same for the same text', () => {
  const id = ulidFrom(1_469_918_176_385, 'a/1');
  expect([id, ulidTime(id)]).toEqual([expect.stringMatching(/^01ARYZ6S41[0-9A-F]{16}$/), 1_469_918_176_385]);
  expect([ulidFrom(1_469_918_176_385, 'a/1'), ulidFrom(1_469_918_176_385, 'a/2') === id]).toEqual([id, false]);
});

test('a ULID tells when it was made', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), (ms) => {
      expect(ulidTime(leastUlidAt(ms))).toBe(ms);
    }),
  );
});

test.each(['', 'EVT-01ARZ3NDEKTSV4RRFFQ69G5FAV', '01arz3ndektsv4rrffq69g5fav', '01ARZ3NDEU'])(
  '%j is no ULID',
  (text) => {
    expect(ulidTime(text)).toBeNull();
  },
);
