import { entryOf } from '#domain/assert.ts';
/** Units of time; a week begins on Monday. */
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Local time and date of a zone; Monday is 1, Sunday 7. */
interface ZonedTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
}

/** Times of a zone, ms since 1970. */
export interface Calendar {
  shown(at: number): ZonedTime;
  /** ms that clocks are ahead of UTC. */
  offset(at: number): number;
  /**
   * Returns the moment when clocks show this; fields may leave their range, as those of `Date.UTC`. For a skipped time:
   * the one an hour later.
   */
  at(year: number, month: number, day: number, hour?: number, minute?: number): number;
  startOf(unit: Unit, at: number): number;
  /** Returns the same time of day after this number of units; the last day of a month where there is no such day. */
  add(at: number, number: number, unit: Unit): number;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

const weekdayOf = (asUtc: number): number => ((Math.floor(asUtc / DAY_MS) + 3) % 7) + 1;
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const shownBy = (format: Intl.DateTimeFormat, at: number): ZonedTime => {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type as string, Number(value)]));
  const [year, month, day, hour, minute, second] = FIELDS.map((field) => entryOf(parts, field)) as [
    ...[number, number, number, number, number, number],
  ];
  return { year, month, day, hour, minute, second, weekday: weekdayOf(Date.UTC(year, month - 1, day)) };
};

/** The calendar of an IANA zone. Throws RangeError for a zone that is none. */
export function calendarOf(zone: string): Calendar {
  const format = formatOf(zone);
  const shown = (at: number): ZonedTime => shownBy(format, at);
  /** Local time, as if it were UTC. */
  const asUtc = (at: number): number => {
    const { year, month, day, hour, minute, second } = shown(at);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offsetAt = (at: number): number => asUtc(at) - Math.floor(at / 1000) * 1000;
  const at: Calendar['at'] = (year, month, day, hour = 0, minute = 0) => {
    const wanted = Date.UTC(year, month - 1, day, hour, minute);
    const [before, after] = [offsetAt(wanted - DAY_MS), offsetAt(wanted + DAY_MS)];
    const early = wanted - Math.max(before, after);
    const late = wanted - Math.min(before, after);
    if (asUtc(early) === wanted) return early;
    // The earlier offset leads behind the gap for a time that no clock shows.
    return asUtc(late) === wanted ? late : wanted - before;
  };
  const startOf: Calendar['startOf'] = (unit, time) => {
    const { year, month, day, weekday, second } = shown(time);
    const minute = Math.floor(time / 1000) * 1000 - second * 1000;
    switch (unit) {
      case 'minute':
        return minute;
      case 'hour':
        return minute - shown(time).minute * MINUTE_MS;
      case 'day':
        return at(year, month, day);
      case 'week':
        return at(year, month, day - weekday + 1);
      case 'month':
        return at(year, month, 1);
      case 'quarter':
        return at(year, month - ((month - 1) % 3), 1);
      case 'year':
        return at(year, 1, 1);
    }
  };
  const later = (time: number, days: number, months: number): number => {
    const { year, month, day, hour, minute, second } = shown(time);
    const first = new Date(Date.UTC(year, month - 1 + months, 1));
    const [toYear, toMonth] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    const toDay = months === 0 ? day : Math.min(day, daysIn(toYear, toMonth));
    return at(toYear, toMonth, toDay + days, hour, minute) + second * 1000 + (time - Math.floor(time / 1000) * 1000);
  };
  const add: Calendar['add'] = (time, number, unit) => {
    switch (unit) {
      case 'minute':
        return time + number * MINUTE_MS;
      case 'hour':
        return time + number * HOUR_MS;
      case 'day':
        return later(time, number, 0);
      case 'week':
        return later(time, 7 * number, 0);
      case 'month':
        return later(time, 0, number);
      case 'quarter':
        return later(time, 0, 3 * number);
      case 'year':
        return later(time, 0, 12 * number);
    }
  };
  return { shown, offset: offsetAt, at, startOf, add };
}
