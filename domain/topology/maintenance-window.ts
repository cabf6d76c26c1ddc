import { itemAt } from '#domain/assert.ts';

/** Duration of a window without an end. */
const WINDOW_MS = 4 * 3_600_000;
const MAX_TEXT = 128;

export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Else a parser of dates sees one in many a word with a number. */
const HAS_YEAR = /\d{4}/;
const DURATION = /^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/i;
const PART_MS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

const SECONDS_BELOW = 100_000_000_000;

function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value * (value < SECONDS_BELOW ? 1_000 : 1) : null;
  if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
  const ms = HAS_YEAR.test(value) ? Date.parse(value.trim()) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** ISO 8601 without months and years, which have no fixed length; ms. */
function durationOf(value: string): number | null {
  const [, weeks, days, hours, minutes, seconds] = DURATION.exec(value.trim()) ?? [];
  const parts = [weeks, days, hours, minutes, seconds].map((part) => Number(part ?? 0));
  const ms = parts.reduce((sum, count, i) => sum + count * itemAt(PART_MS, i), 0);
  return ms > 0 ? ms : null;
}

const spanOf = (start: unknown, end: unknown): TimeSpan | null => {
  const from = timeOf(start);
  if (from === null) return null;
  const to = end === undefined ? from + WINDOW_MS : timeOf(end);
  return to === null || to <= from ? null : { from, to };
};

/** `start/end`, `start/duration` or `duration/end`. */
function intervalOf(text: string): TimeSpan | null {
  const [start = '', end = '', ...more] = text.split('/');
  if (more.length > 0) return null;
  const [before, after] = [durationOf(start), durationOf(end)];
  if (after !== null) {
    const from = timeOf(start);
    return from === null ? null : { from, to: from + after };
  }
  if (before === null) return spanOf(start, end);
  const to = timeOf(end);
  return to === null ? null : { from: to - before, to };
}

/**
 * The maintenance window that a CI names: a time from which it lasts 4 hours, an interval in ISO 8601, or an object with `start` and `end`.
 * Null when it names none that is understood.
 */
export function maintenanceWindow(value: unknown): TimeSpan | null {
  if (typeof value === 'string' && value.length <= 2 * MAX_TEXT && value.includes('/')) return intervalOf(value);
  if (typeof value === 'object' && value !== null) {
    const { start, end } = value as { readonly start?: unknown; readonly end?: unknown };
    return spanOf(start, end);
  }
  return spanOf(value, undefined);
}

export const overlap = (a: TimeSpan, b: TimeSpan): boolean => a.from < b.to && b.from < a.to;
export const isWithin = ({ from, to }: TimeSpan, window: TimeSpan): boolean => from >= window.from && to <= window.to;
