import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { histogramStep } from './histogram-step.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 15, 12);

test.each([
  [0, 1_000],
  [MINUTE, 1_000],
  [HOUR, 30_000 + 30_000],
  [6 * HOUR, 5 * MINUTE],
  [DAY, 15 * MINUTE],
  [7 * DAY, 2 * HOUR],
  [30 * DAY, 12 * HOUR],
  [365 * DAY, 7 * DAY],
])('a range of %d ms has steps of %d ms', (length, step) => {
  expect(histogramStep(NOON - length, NOON, 120)).toBe(step);
});

test('no range has more buckets than asked for', () => {
  const time = fc.integer({ min: 0, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const step = histogramStep(from, to, 120);
      expect(Math.floor(to / step) - Math.floor(from / step) + 1).toBeLessThanOrEqual(120);
    }),
  );
});
