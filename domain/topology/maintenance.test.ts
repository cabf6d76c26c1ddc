import { expect, test } from '@jest/globals';
import { maintainedUntil, maintenanceOf } from './maintenance.ts';
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
  ['active', 'on Sundays', TEN, null],
  ['maintenance', '2026-11-20T10:00:00Z', TEN + 9 * HOUR, Number.POSITIVE_INFINITY],
] as const)('%s with the window %j', (status, window, now, expected) => {
  expect(untilAt(status, window, now)).toBe(expected);
});
