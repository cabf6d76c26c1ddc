import type { Problem } from '#domain/fault.ts';
import { maintenanceWindow, type TimeSpan } from './maintenance-window.ts';
import type { Ci } from './topology.ts';

/** Maintenance of a CI: as long as its status indicates it, within the window that it names, or both. Times in ms. */
export interface CiMaintenance {
  readonly always?: true;
  readonly window?: TimeSpan;
}

/** Custom field with the window: `start/end`, or a start, after which it lasts 4 hours. */
export const WINDOW_FIELD = 'maintenance_window';

/** Returns null when the CI has no data on maintenance. */
export function maintenanceOf({ status, customFields }: Pick<Ci, 'status' | 'customFields'>): CiMaintenance | null {
  const named = customFields[WINDOW_FIELD];
  const window = named === undefined ? null : maintenanceWindow(named);
  if (status !== 'maintenance') return window && { window };
  return window === null ? { always: true } : { always: true, window };
}

const EXPECTED =
  'expected start/end or start/duration in ISO 8601 (2026-11-28T22:00:00Z/PT2H), a start time (lasts 4 hours), or { start, end }; recurring windows are not supported';

const isForeign = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => key !== 'start' && key !== 'end');

/**
 * Returns the reason why a window would never be active: it is malformed, or ends before it begins. Null when there is
 * none, or a valid one.
 */
export function windowProblem({ [WINDOW_FIELD]: named }: Ci['customFields']): Problem | null {
  if (named === undefined || named === null || named === '') return null;
  if (!isForeign(named) && maintenanceWindow(named) !== null) return null;
  return { field: `custom_fields.${WINDOW_FIELD}`, reason: EXPECTED };
}

/**
 * Returns the end of the current maintenance of the CI, ms; infinity while its status indicates it, null when it is in
 * none now.
 */
export function maintainedUntil({ always, window }: CiMaintenance, now: number): number | null {
  if (always) return Number.POSITIVE_INFINITY;
  return window !== undefined && now >= window.from && now < window.to ? window.to : null;
}
