import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { eventNumber } from './decision-row.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const idAt = (ms: number, rest: string): string => leastUlidAt(ms).slice(0, 10) + rest.padStart(16, '0');

test('keys of later quarters of a second are greater, whatever the rest of the ids', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 256, max: 1e9 }), fc.nat(), fc.nat(), (at, later, a, b) => {
      const [first, second] = [idAt(NOON + at, `${a}`), idAt(NOON + at + later, `${b}`)];
      expect(eventNumber(first)).toBeLessThan(eventNumber(second));
    }),
  );
});

test('ids of one millisecond seldom share a key', () => {
  const keys = new Set(Array.from({ length: 1_000 }, (_, n) => eventNumber(idAt(NOON, n.toString(32).toUpperCase()))));
  expect(keys.size).toBeGreaterThan(990);
});

test('every text has a key that is exact', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      expect(Number.isSafeInteger(eventNumber(id))).toBe(true);
    }),
  );
  expect(Number.isSafeInteger(eventNumber(leastUlidAt(Date.UTC(2100, 0))))).toBe(true);
});
