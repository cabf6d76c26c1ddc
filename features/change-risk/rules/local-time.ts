/** A moment as people in a time zone see it. */
export interface LocalTime {
  /** `2026-11-20`. */
  readonly date: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
}

const DAY_MS = 86_400_000;
const FRIDAY = 5;
const SATURDAY = 6;
const BUSINESS = { from: 8, to: 18 } as const;
const FRIDAY_FROM = 15;

/** `zone`: an IANA name. */
export function localTime(at: number, zone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  return { date, weekday: new Date(`${date}T00:00:00Z`).getUTCDay(), hour: Number(parts.get('hour')) };
}

export const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** Dates of public holidays. */
export type HolidayDates = ReadonlySet<string>;

/** Monday to Friday, 8:00 to 18:00, no public holiday. */
export const isBusinessHours = ({ date, weekday, hour }: LocalTime, holidays: HolidayDates): boolean =>
  weekday > 0 && weekday < SATURDAY && hour >= BUSINESS.from && hour < BUSINESS.to && !holidays.has(date);

/** Friday from 15:00 on, or the day before a public holiday: few are there when it goes wrong. */
export const isBeforeRest = ({ date, weekday, hour }: LocalTime, holidays: HolidayDates): boolean =>
  (weekday === FRIDAY && hour >= FRIDAY_FROM) || holidays.has(dayAfter(date));
