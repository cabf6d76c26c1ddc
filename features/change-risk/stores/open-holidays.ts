import { setImmediate as nextTurn } from 'node:timers/promises';
import type Calendar from 'date-holidays';
import type { HolidaysTypes } from 'date-holidays';
import { Lru } from '#domain/lru.ts';
import type { Holiday, Holidays, Region } from '#features/change-risk/rules/holidays.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** A day that is free from 10:00 to 14:00 is no working day: holidays begin at sunset, and some afternoons are free. */
const FREE = { from: 10 * HOUR_MS, to: 14 * HOUR_MS } as const;
/** Calendars that follow the moon are computed for these years. */
const YEARS = { first: 1970, last: 2100 } as const;
/** A region in a year needs a few KiB; the country with the most regions has 54. */
const CACHED = 512;

const FIXED = /^\d{2}-\d{2}(?!\d)/;
/** The Hebrew calendar is reckoned by a rule: its days are certain. */
const MOON =
  /Muharram|Safar|Rabi al-|Jumada|Rajab|Shaban|Ramadan|Shawwal|Dhu al-|(?:chinese|korean|vietnamese) \d+-[01]-\d/;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Local clock times, used as UTC. */
const daysOf = (start: number, end: number): string[] => {
  const days: string[] = [];
  for (let day = Math.floor(start / DAY_MS) * DAY_MS; day + FREE.to <= end; day += DAY_MS)
    if (start <= day + FREE.from) days.push(dayOf(day));
  return days;
};

const holidayOf = ({ start, end, name, type, substitute, rule }: HolidaysTypes.Holiday): Holiday => ({
  begins: dayOf(start.getTime()),
  dates: daysOf(start.getTime(), end.getTime()),
  name,
  type,
  substitute: substitute ?? false,
  isFixed: FIXED.test(rule),
  isApproximate: MOON.test(rule),
});

/** The package is large: it is loaded when it is first asked. */
const calendarOf = async ({ country, state, region }: Region): Promise<Calendar> => {
  const { default: Known } = await import('date-holidays');
  await nextTurn();
  const where = { country, ...(state !== undefined && { state }), ...(region !== undefined && { region }) };
  return new Known(where, { timezone: 'UTC' });
};

/** Includes holidays that began in the year before. */
const compute = async (region: Region, year: number): Promise<readonly Holiday[]> => {
  const calendar = await calendarOf(region);
  const first = `${year}-01-01`;
  const lasting = calendar.getHolidays(year - 1, 'en').map(holidayOf);
  await nextTurn();
  const own = calendar.getHolidays(year, 'en').map(holidayOf);
  const isOwn = (one: Holiday): boolean => own.some(({ begins, name }) => begins === one.begins && name === one.name);
  return [...lasting.filter((one) => (one.dates.at(-1) ?? '') >= first && !isOwn(one)), ...own];
};

const listRegions = async (country: string): Promise<readonly Region[] | null> => {
  const calendar = await calendarOf({ country });
  if (!(country in calendar.getCountries('en'))) return null;
  return Object.keys(calendar.getStates(country, 'en') ?? {}).flatMap((state) => {
    const regions = Object.keys(calendar.getRegions(country, state, 'en') ?? {});
    return [{ country, state }, ...regions.map((region) => ({ country, state, region }))];
  });
};

/** Computes each region and year once, one per turn of the loop; retains the recently used ones. */
export const openHolidays = (): Holidays => {
  const known = new Lru<string, Promise<readonly Holiday[]>>(CACHED);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (region: Region, year: number): Promise<readonly Holiday[]> => {
    const computed = last.then(() => compute(region, year));
    last = computed.catch(() => undefined);
    return computed;
  };
  return {
    async of(region, year) {
      if (year < YEARS.first || year > YEARS.last) return [];
      const key = [region.country, region.state ?? '', region.region ?? '', year].join(' ');
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const computed = inTurn(region, year);
      known.set(key, computed);
      computed.catch(() => known.delete(key));
      return computed;
    },
    regionsOf: listRegions,
  };
};
