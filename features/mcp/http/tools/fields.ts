import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';

/* Fields shared by several tools. */

export const groupId = z.string().min(1).max(64).describe('Group ID, COR-…');
export const eventId = z.string().min(1).max(64).describe('Event ID, EVT-…');
export const ci = z.string().min(1).max(255).describe('CI ID or exact name');
export const text = z.string().min(1).max(256);
export const severities = z.array(z.enum(SEVERITIES)).min(1).describe('Any of these severities');
export const timeRange = TimeRange.describe(`Time range ending now: ${Object.keys(TIME_RANGES).join(', ')}`);
export const hours = z.int().min(1).max(720);
export const rows = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe('Maximum number of results');

/** Part of the output of every list. */
export const truncated = z.boolean().describe('True if more results exist');
export const total = z.int().nullable();
export const link = z.string().describe('Console URL');
export const ShownCi = z.object({ id: z.string(), name: z.string(), type: z.string() });
export type ShownCi = z.output<typeof ShownCi>;

/** Query parameters contain lists separated by commas. */
export const joined = (words: readonly string[] | undefined): string | undefined => words?.join(',');

/** Omits undefined fields, which endpoint schemas reject. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** `2026-11-20 10:00 UTC`. */
export const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A sentence, followed by a list with one item per line. */
export const lines = (first: string, rest: readonly string[]): string =>
  [first, ...rest.map((one) => `- ${one}`)].join('\n');

/** First line of a list: the number of items found, and of those shown. */
export const found = (noun: string, shown: readonly unknown[], all: number | null): string => {
  if (shown.length === 0) return `No ${noun}s found.`;
  const count = all ?? shown.length;
  return count > shown.length
    ? `${counted(count, noun)} found, the first ${shown.length}:`
    : `${counted(count, noun)} found:`;
};
