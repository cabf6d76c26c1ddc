import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HolidaysTypes } from 'date-holidays';
import type { Holiday, Holidays, Region } from '#domain/ports/calendar/holidays.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** Who is free from 10:00 to 14:00 does not work on that day: holidays begin at sunset, and some afternoons are free. */
const FREE = { from: 10 * HOUR_MS, to: 14 * HOUR_MS } as const;
/** Calendars that follow the moon are computed for these years. */
const YEARS = { first: 1970, last: 2100 } as const;
/** A region in a year takes a few KiB. */
const CACHED = 256;

/** The times are those of clocks there, taken for UTC. */
const daysOf = (start: number, end: number): string[] => {
  const days: string[] = [];
  for (let day = Math.floor(start / DAY_MS) * DAY_MS; day + FREE.to <= end; day += DAY_MS)
    if (start <= day + FREE.from) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
};

const holidayOf = ({ start, end, name, type, substitute }: HolidaysTypes.Holiday): Holiday => ({
  dates: daysOf(start.getTime(), end.getTime()),
  ...{ name, type, substitute: substitute ?? false },
});

/** The package is large: it is loaded when it is first asked. */
const compute = async ({ country, state }: Region, year: number): Promise<readonly Holiday[]> => {
  const { default: Calendar } = await import('date-holidays');
  await nextTurn();
  const where = { country, ...(state !== undefined && { state }) };
  return new Calendar(where, { timezone: 'UTC' }).getHolidays(year).map(holidayOf);
};

/** A region in a year is computed once, and one per turn of the loop; the newest are kept. */
export const openHolidays = (): Holidays => {
  const known = new Map<string, Promise<readonly Holiday[]>>();
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (region: Region, year: number): Promise<readonly Holiday[]> => {
    const computed = last.then(() => compute(region, year));
    last = computed.catch(() => undefined);
    return computed;
  };
  return {
    async of(region, year) {
      if (year < YEARS.first || year > YEARS.last) return [];
      const key = [region.country, region.state ?? '', year].join(' ');
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      if (known.size >= CACHED) known.delete(known.keys().next().value as string);
      const computed = inTurn(region, year);
      known.set(key, computed);
      computed.catch(() => known.delete(key));
      return computed;
    },
  };
};
