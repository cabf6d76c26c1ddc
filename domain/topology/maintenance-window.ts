/** A window without an end lasts so long. */
const WINDOW_MS = 4 * 3_600_000;
const MAX_TEXT = 128;

export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

const SECONDS_BELOW = 100_000_000_000;

function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value * (value < SECONDS_BELOW ? 1_000 : 1) : null;
  if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
  const ms = Date.parse(value.trim());
  return Number.isNaN(ms) ? null : ms;
}

const spanOf = (start: unknown, end: unknown): TimeSpan | null => {
  const from = timeOf(start);
  if (from === null) return null;
  const to = end === undefined ? from + WINDOW_MS : timeOf(end);
  return to === null || to <= from ? null : { from, to };
};

/**
 * The maintenance window that a CI names: a time from which it lasts 4 hours, `start/end`, or an object with `start` and `end`.
 * Null when it names none that is understood.
 */
export function maintenanceWindow(value: unknown): TimeSpan | null {
  if (typeof value === 'string' && value.length <= 2 * MAX_TEXT && value.includes('/')) {
    const [start, end] = value.split('/');
    return spanOf(start, end);
  }
  if (typeof value === 'object' && value !== null) {
    const { start, end } = value as { readonly start?: unknown; readonly end?: unknown };
    return spanOf(start, end);
  }
  return spanOf(value, undefined);
}

export const overlap = (a: TimeSpan, b: TimeSpan): boolean => a.from < b.to && b.from < a.to;
export const isWithin = ({ from, to }: TimeSpan, window: TimeSpan): boolean => from >= window.from && to <= window.to;
