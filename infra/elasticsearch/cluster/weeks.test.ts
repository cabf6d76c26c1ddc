import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WEEK_MS, weekName, weekNamed, weekOf } from './weeks.ts';

test.each([
  ['2026-11-16T00:00:00.000Z', '2026.11.16'],
  ['2026-11-22T23:59:59.999Z', '2026.11.16'],
  ['2026-11-23T00:00:00.000Z', '2026.11.23'],
  ['2027-01-01T12:00:00.000Z', '2026.12.28'],
  ['1970-01-01T00:00:00.000Z', '1969.12.29'],
])('%s lies in the week of %s', (time, name) => {
  expect(weekName(Date.parse(time))).toBe(name);
});

test('the name of a week tells its begin', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
      const week = weekOf(ms);
      expect(weekNamed(`faultline-events-${weekName(ms)}`)).toBe(week);
      expect(ms - week).toBeGreaterThanOrEqual(0);
      expect(ms - week).toBeLessThan(WEEK_MS);
    }),
  );
  expect(weekNamed('faultline-groups')).toBeNull();
});
