import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';

/**
 * Step of `tally.slot`, ms: the index of lastOccurrence moves once in each at most while an event repeats. A range looks up the rows of
 * its edge slots one by one, so a step must not hold too many.
 */
const BUCKET_MS = 5 * 60_000;

/** The slot of a time in ms. */
export const bucketOf = (at: number): number => Math.floor(at / BUCKET_MS);
/** First millisecond of a slot. */
export const bucketStart = (slot: number): number => slot * BUCKET_MS;

/** Last seen at or after `at` (ms). */
export const lastFrom = (at: number): Sql =>
  sql('t.slot >= ? AND (t.slot > ? OR t.last >= ?)', bucketOf(at), bucketOf(at), at);
/** Last seen before `at` (ms). */
export const lastBefore = (at: number): Sql =>
  sql('t.slot <= ? AND (t.slot < ? OR t.last < ?)', bucketOf(at), bucketOf(at), at);
/** First seen after `at` (ms), and so last seen in its slot or later. */
export const firstAfter = (at: number): Sql => sql('t.slot >= ? AND t.first > ?', bucketOf(at), at);
