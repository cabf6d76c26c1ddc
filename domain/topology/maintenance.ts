import { maintenanceWindow, type TimeSpan } from './maintenance-window.ts';
import type { Ci } from './topology.ts';

/** When a CI is in maintenance: as long as its status says so, within the window that it names, or both. Times in ms. */
export interface CiMaintenance {
  readonly always?: true;
  readonly window?: TimeSpan;
}

/** Custom field with the window: `start/end`, or a start, after which it lasts 4 hours. */
const WINDOW_FIELD = 'maintenance_window';

/** Null when the CI says nothing of maintenance. */
export function maintenanceOf({ status, customFields }: Pick<Ci, 'status' | 'customFields'>): CiMaintenance | null {
  const named = customFields[WINDOW_FIELD];
  const window = named === undefined ? null : maintenanceWindow(named);
  if (status !== 'maintenance') return window && { window };
  return window === null ? { always: true } : { always: true, window };
}

/** Until when the CI is in maintenance, ms; infinity while its status says so, null when it is in none now. */
export function maintainedUntil({ always, window }: CiMaintenance, now: number): number | null {
  if (always) return Number.POSITIVE_INFINITY;
  return window !== undefined && now >= window.from && now < window.to ? window.to : null;
}
