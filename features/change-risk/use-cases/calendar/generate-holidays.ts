import type { Ports } from '#domain/ports/ports.ts';
import type { Holiday, Region } from '#features/change-risk/rules/holidays.ts';

export interface HolidaysAsked {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly year: number;
  /** States and regions, too. */
  readonly includeRegional: boolean;
}

/** One day of a holiday. */
export interface HolidayDay {
  /** `2026-12-25` */
  readonly date: string;
  readonly holiday: Holiday;
  /** Region codes such as `DE-BY`; empty: nationwide. */
  readonly regions: readonly string[];
}

const codeOf = ({ country, state, region }: Region): string =>
  [country, state, region].filter((part) => part !== undefined).join('-');

/** A holiday of some free hours counts on the day on which it begins. */
const daysOf = ({ dates, begins }: Holiday): readonly string[] => (dates.length === 0 ? [begins] : dates);

const keyOf = (date: string, { name, type }: Holiday): string => [date, name, type].join('|');

/** Days by key, each with its holiday. */
const daysIn = (holidays: readonly Holiday[], year: number): Map<string, Omit<HolidayDay, 'regions'>> => {
  const rows = holidays.flatMap((holiday) => daysOf(holiday).map((date) => ({ date, holiday })));
  const own = rows.filter(({ date }) => date.startsWith(`${year}-`));
  return new Map(own.map((row) => [keyOf(row.date, row.holiday), row]));
};

/** Regions of a holiday: states that have it, and regions that have it although their state does not. */
const regionsWith = (days: ReadonlyMap<string, ReadonlySet<string>>, key: string): string[] => {
  const having = [...days].filter(([, keys]) => keys.has(key)).map(([code]) => code);
  return having.filter((code) => !having.some((other) => code.startsWith(`${other}-`)));
};

/**
 * The holidays of a country in a year, day by day; null when nothing is known of it. With regions, those of the whole country that
 * a state does not have name the others.
 */
export async function generateHolidays(
  { holidays }: Pick<Ports, 'holidays'>,
  { country, year, includeRegional }: HolidaysAsked,
): Promise<readonly HolidayDay[] | null> {
  const regions = await holidays.regionsOf(country);
  if (regions === null) return null;
  const national = daysIn(await holidays.of({ country }, year), year);
  const rows = new Map(national);
  const byCode = new Map<string, ReadonlySet<string>>();
  for (const region of includeRegional ? regions : []) {
    const days = daysIn(await holidays.of(region, year), year);
    for (const [key, row] of days) if (!rows.has(key)) rows.set(key, row);
    byCode.set(codeOf(region), new Set(days.keys()));
  }
  const states = [...byCode.keys()].filter((code) => code.split('-').length === 2);
  const told = [...rows].map(([key, row]) => {
    const having = regionsWith(byCode, key);
    const isEverywhere = national.has(key) && states.every((code) => byCode.get(code)?.has(key));
    return { ...row, regions: isEverywhere ? [] : having };
  });
  return told.sort((a, b) => a.date.localeCompare(b.date) || a.holiday.name.localeCompare(b.holiday.name));
}
