import type { TimeSpan } from '#domain/topology/maintenance-window.ts';
import { type Calendar, HOUR_MS } from '#features/ai/rules/time/calendar.ts';

const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Weeks of events that are compared, and days ahead for which a time is looked for. */
export const WEEKS = 4;
const DAYS_AHEAD = 7;
const LENGTH_MS = 2 * HOUR_MS;
const FIRST_HOUR = 8;
const LAST_HOUR = 18;
const FRIDAY = 5;

/** Two hours with the number of past events at this time of the week. */
export interface QuietWindow extends TimeSpan {
  readonly events: number;
}

export interface QuietHoursAsked {
  /** ms. */
  readonly now: number;
  readonly calendar: Calendar;
  /** Events by the hour in which they began, ms. */
  readonly counts: ReadonlyMap<number, number>;
  /** Times to avoid, such as maintenance of partners. */
  readonly taken: readonly TimeSpan[];
}

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

const isBusiness = (calendar: Calendar, at: number): boolean => {
  const { weekday, hour } = calendar.shown(at);
  return weekday <= FRIDAY && hour >= FIRST_HOUR && hour < LAST_HOUR;
};

/** Times of the next week outside business hours, fewest past events first, then the earliest; at most one per day. */
export function quietWindows({ now, calendar, counts, taken }: QuietHoursAsked, most: number): QuietWindow[] {
  const first = hourOf(now) + 2 * HOUR_MS;
  // The last hours have no past week to compare with.
  const starts = Array.from({ length: DAYS_AHEAD * 24 - 3 }, (_, n) => first + n * HOUR_MS);
  const open = starts
    .map((from) => ({ from, to: from + LENGTH_MS }))
    .filter(({ from, to }) => !isBusiness(calendar, from) && !isBusiness(calendar, to - 1))
    .filter((span) => !taken.some((one) => one.from < span.to && span.from < one.to));
  const past = ({ from, to }: TimeSpan): number => {
    let sum = 0;
    for (let week = 1; week <= WEEKS; week++)
      for (let at = from - week * WEEK_MS; at < to - week * WEEK_MS; at += HOUR_MS) sum += counts.get(at) ?? 0;
    return sum;
  };
  const ranked = open
    .map((span) => ({ ...span, events: past(span) }))
    .sort((a, b) => a.events - b.events || a.from - b.from);
  const days = new Set<number>();
  const best = ranked.filter(({ from }) => {
    const day = calendar.startOf('day', from);
    return !days.has(day) && days.add(day) !== undefined;
  });
  return best.slice(0, most);
}
