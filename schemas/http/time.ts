import { z } from 'zod';

const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;
/** Below this a number is seconds, above it milliseconds (the year 5138 in seconds, 1973 in milliseconds). */
const SECONDS_BELOW = 100_000_000_000;
/** The year 9999. */
const LATEST_MS = 253_402_300_799_999;
/** The same for readers of the document, who generate values from it. */
const TIME_PATTERN =
  '^(?:\\d{9,14}|\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d))$';
const TIME_EXPECTED = 'expected ISO 8601 with offset (2026-11-20T10:00:00Z), epoch seconds or milliseconds';

/** The parser takes the 30th of February for the 2nd of March. */
export const dayExists = (iso: string): boolean => {
  const day = Number(iso.slice(8, 10));
  return day <= 28 || new Date(`${iso.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
};

/** Epoch ms of what a caller wrote, or null. */
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

/** A time in; epoch ms out. */
export const Time = z
  .union([z.string().max(64).meta({ pattern: TIME_PATTERN }), z.number().min(0).max(LATEST_MS)], {
    error: TIME_EXPECTED,
  })
  .transform((value, ctx) => {
    const ms = parseTime(value);
    if (ms !== null) return ms;
    ctx.addIssue({ code: 'custom', message: TIME_EXPECTED });
    return z.NEVER;
  })
  .meta({ description: 'ISO 8601 with offset, epoch seconds or epoch milliseconds' });

/** ISO 8601 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
export const IsoTime = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' });

const HOUR = 3_600_000;
/** Ranges that end now, in ms. */
export const TIME_RANGES = { '1h': HOUR, '6h': 6 * HOUR, '24h': 24 * HOUR, '3d': 72 * HOUR, '7d': 168 * HOUR } as const;
export const TimeRange = z.enum(['1h', '6h', '24h', '3d', '7d']);
