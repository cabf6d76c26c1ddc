import { z } from 'zod';
import { LATEST_MS, parseTime } from '#domain/texts/time-text.ts';

/** A day from 1970 on, for readers of the document, who generate values from it. */
const DAY =
  '(?:19[7-9]\\d|[2-9]\\d{3})-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:19(?:7[26]|8[048]|9[26])|[2-9]\\d(?:0[48]|[2468][048]|[13579][26]))-02-29';
export const DAY_PATTERN = `^(?:${DAY})$`;
/** Formats that `parseTime` accepts. */
const TIME_PATTERN = `^(?:\\d{9,14}|(?:${DAY})[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d))$`;
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const TIME_EXPECTED = 'expected ISO 8601 with offset (2026-11-20T10:00:00Z), epoch seconds or milliseconds';

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

/** A time that is read elsewhere; the limits are for readers of the document. */
export const WrittenTime = z.union([
  z.string().meta({ pattern: TIME_PATTERN, maxLength: 64 }),
  z.number().meta({ minimum: 0, maximum: LATEST_MS }),
]);

/** ISO 8601 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
export const IsoTime = z
  .string()
  .meta({ format: 'date-time', description: 'ISO 8601 timestamp, UTC, millisecond precision' });

const HOUR = 3_600_000;
/** Ranges that end now, in ms. */
export const TIME_RANGES = { '1h': HOUR, '6h': 6 * HOUR, '24h': 24 * HOUR, '3d': 72 * HOUR, '7d': 168 * HOUR } as const;
export const TimeRange = z.enum(['1h', '6h', '24h', '3d', '7d']);
