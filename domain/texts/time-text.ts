const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;
/** Limit below which a number is seconds, above it milliseconds (the year 5138 in seconds, 1973 in milliseconds). */
const SECONDS_BELOW = 100_000_000_000;
/** The year 9999. */
export const LATEST_MS = 253_402_300_799_999;

/** The parser reads the 30th of February as the 2nd of March. */
export const dayExists = (iso: string): boolean => {
  const day = Number(iso.slice(8, 10));
  return day <= 28 || new Date(`${iso.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
};

/** Returns epoch ms of a caller's time, or null. */
export const parseTime = (value: string | number): number | null => {
  const number = typeof value === 'number' ? value : /^\d{9,14}$/.test(value) ? Number(value) : null;
  const ms =
    number === null
      ? ISO.test(value as string) && dayExists(value as string)
        ? Date.parse((value as string).replace(' ', 'T'))
        : Number.NaN
      : number < SECONDS_BELOW
        ? number * 1000
        : number;
  return Number.isFinite(ms) && ms >= 0 && ms <= LATEST_MS ? Math.round(ms) : null;
};
