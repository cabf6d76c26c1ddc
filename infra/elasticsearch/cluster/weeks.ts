const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** Day 0 of the epoch was a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;

const MAX_DATE_MS = 8.64e15;
const LENGTH = 'yyyy.mm.dd'.length;

/** A week by its Monday: `2026.11.16`. */
export const weekName = (ms: number): string =>
  new Date(Math.min(weekOf(ms), MAX_DATE_MS)).toISOString().slice(0, LENGTH).replaceAll('-', '.');

/** The begin of the week that a name ends with, or null when it ends otherwise. */
export function weekNamed(name: string): number | null {
  const found = /(\d{4})\.(\d{2})\.(\d{2})$/.exec(name);
  return found === null ? null : Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
}
