import { expect, test } from '@jest/globals';
import { maintainedUntil, maintenanceOf, windowProblem } from './maintenance.ts';
import type { CiStatus } from './topology.ts';

const HOUR = 3_600_000;
const TEN = Date.parse('2026-11-20T10:00:00Z');
const untilAt = (status: CiStatus, window: unknown, now: number) => {
  const known = maintenanceOf({ status, customFields: window === undefined ? {} : { maintenance_window: window } });
  return known && maintainedUntil(known, now);
};

test.each([
  ['active', undefined, TEN, null],
  ['inactive', undefined, TEN, null],
  ['maintenance', undefined, TEN, Number.POSITIVE_INFINITY],
  ['active', '2026-11-20T10:00:00Z/2026-11-20T11:00:00Z', TEN - 1, null],
  ['active', '2026-11-20T10:00:00Z/2026-11-20T11:00:00Z', TEN, TEN + HOUR],
  ['active', '2026-11-20T10:00:00Z/2026-11-20T11:00:00Z', TEN + HOUR - 1, TEN + HOUR],
  ['active', '2026-11-20T10:00:00Z/2026-11-20T11:00:00Z', TEN + HOUR, null],
  ['active', '2026-11-20T10:00:00Z', TEN + 4 * HOUR - 1, TEN + 4 * HOUR],
  ['active', '2026-11-20T10:00:00Z', TEN + 4 * HOUR, null],
  ['active', TEN, TEN, TEN + 4 * HOUR],
  ['active', { start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z' }, TEN, TEN + HOUR],
  ['active', '2026-11-20T10:00:00Z/PT2H', TEN + 2 * HOUR - 1, TEN + 2 * HOUR],
  ['active', '2026-11-20T10:00:00Z/P1DT30M', TEN + 24 * HOUR, TEN + 24.5 * HOUR],
  ['active', 'PT2H/2026-11-20T12:00:00Z', TEN, TEN + 2 * HOUR],
  ['active', '2026-11-20T10:00:00Z/P1M', TEN, null],
  ['active', '2026-11-20T10:00:00Z/P', TEN, null],
  ['active', '2026-11-20T10:00:00Z/2026-11-20T11:00:00Z/x', TEN, null],
  ['active', 'on Sundays', TEN, null],
  ['maintenance', '2026-11-20T10:00:00Z', TEN + 9 * HOUR, Number.POSITIVE_INFINITY],
] as const)('%s with the window %j', (status, window, now, expected) => {
  expect(untilAt(status, window, now)).toBe(expected);
});

test.each([
  [undefined, true],
  [null, true],
  ['', true],
  ['2026-11-20T10:00:00Z', true],
  ['2026-11-20 10:00', true],
  ['2026-11-20T10:00:00Z/PT2H', true],
  ['2026-11-20T10:00:00Z/2026-11-20T11:00:00Z', true],
  [{ start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z' }, true],
  [TEN, true],
  ['2026-11-20T11:00:00Z/2026-11-20T10:00:00Z', false],
  ['2026-11-20T10:00:00Z/2026-11-20T10:00:00Z', false],
  ['sundays 02:00-04:00', false],
  ['window 5', false],
  ['0 2 * * SUN', false],
  ['soon', false],
  ['2026-11-20T10:00:00Z/soon', false],
  ['R5/2026-11-20T10:00:00Z/PT2H', false],
  [{ start: '2026-11-20T10:00:00Z', duration: 'PT2H' }, false],
  [{ end: '2026-11-20T10:00:00Z' }, false],
  [['2026-11-20T10:00:00Z'], false],
  [true, false],
] as const)('the window %j means something: %s', (maintenance_window, means) => {
  expect(windowProblem({ maintenance_window }) === null).toBe(means);
});
