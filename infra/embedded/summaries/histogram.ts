import { itemAt } from '#domain/assert.ts';
import { SEVERITIES, type Severity, STATUSES, severityOfRank } from '#domain/event/event.ts';
import { HOUR_MS } from '#domain/event/source-counts.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import {
  type Histogram,
  type HistogramBucket,
  type HistogramRange,
  MAX_LOOKED_AT,
} from '#domain/ports/events/event-summaries.ts';
import { cheapest } from '#infra/embedded/events/count.ts';
import { type Conditions, conditionsOf } from '#infra/embedded/events/filter.ts';
import { statusCode } from '#infra/embedded/events/row.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { isIntegerOverflow } from '#infra/embedded/sqlite/errors.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { sql } from '#infra/embedded/sqlite/sql.ts';
import { lookedAt } from './rows.ts';

export interface HistogramOf {
  readonly tenant: string;
  readonly filter: Omit<EventFilter, 'from' | 'to'>;
  readonly range: HistogramRange;
}

type BucketCount = readonly [at: number, counts: readonly number[]];

/** Severities by rank, the lowest first. */
const RANKS = SEVERITIES.map((_, rank) => rank);
const bucketOf = ([at, counts]: BucketCount): HistogramBucket => ({
  at,
  bySeverity: Object.fromEntries(
    SEVERITIES.map((severity, i) => [severity, counts[SEVERITIES.length - 1 - i] ?? 0]),
  ) as Record<Severity, number>,
});
const filled = (buckets: Iterable<BucketCount>): HistogramBucket[] =>
  [...buckets].filter(([, counts]) => counts.some((n) => n > 0)).map(bucketOf);

/** Read from the index of status alone, which has time and severity behind it. */
const IN_BUCKET = `FROM event INDEXED BY event_status
  WHERE tenant = ? AND status = ? AND timestamp BETWEEN ? AND ? AND ${interruptible('seq')}`;

/** Two ranks in one sum, 32 bits each: a shift by 64 and more is 0 in SQLite. Faster than a sum for each rank. */
const LOWEST = 'sum(1 << (severity * 32))';
const HIGHEST = 'sum(1 << ((4 - severity) * 32))';
const LOW_BITS = '& 0xffffffff';
const MIDDLE = `count(*) - (${LOWEST} ${LOW_BITS}) - (${LOWEST} >> 32) - (${HIGHEST} ${LOW_BITS}) - (${HIGHEST} >> 32)`;
const BY_RANK = `SELECT ${LOWEST} ${LOW_BITS}, ${LOWEST} >> 32, ${MIDDLE}, ${HIGHEST} >> 32, ${HIGHEST} ${LOW_BITS} ${IN_BUCKET}`;

/** Four ranks in one sum, 16 bits each: a quarter faster again. The highest rank is the remainder of all. */
const PACKED = 'sum(1 << (severity * 16))';
const IN_PACKED = [0, 16, 32, 48].map((bits) => `${PACKED} >> ${bits} & 0xffff`);
const BY_RANK_PACKED = `SELECT count(*), ${IN_PACKED.join(', ')} ${IN_BUCKET}`;
/** Maximum for which no rank needs more than its bits, including the sign. */
const MAX_PACKED = 0x7fff;

type Ranks = (number | null)[];
/** Counts the events of a status between two times, both included, ms. */
type Counter = (from: number, to: number) => Ranks;

/** Null when the bits may not have been enough: SQLite throws when the sum itself is too large. */
function packedRanks(row: () => [number, ...Ranks] | undefined): Ranks | null {
  try {
    const [all, ...ranks] = onlyRow(row());
    return all > MAX_PACKED ? null : [...ranks, ranks.reduce<number>((left, n) => left - (n ?? 0), all)];
  } catch (error) {
    if (isIntegerOverflow(error)) return null;
    throw error;
  }
}

/** Counts events of a status by rank, bucket by bucket: one that is crowded is counted twice, those behind it are likely to be so too. */
function counterOf(reading: RowReader, tenant: string, status: number): Counter {
  const [packed, wide] = [reading.arrays<[number, ...Ranks]>(BY_RANK_PACKED), reading.arrays<Ranks>(BY_RANK)];
  let isCrowded = false;
  return (from, to) => {
    const ranks = isCrowded ? null : packedRanks(() => packed.get(tenant, status, from, to));
    const counted = ranks ?? onlyRow(wide.get(tenant, status, from, to));
    isCrowded = counted.reduce<number>((sum, n) => sum + (n ?? 0), 0) > MAX_PACKED;
    return counted;
  };
}

const inIndex = ({ tenant: _tenant, status: _status, severity: _severity, ...others }: Conditions): boolean =>
  Object.keys(others).length === 0;

/** Counts of one bucket, by rank. */
const sumOf = (counters: readonly Counter[], from: number, to: number): number[] => {
  const rows = counters.map((count) => count(from, to));
  return RANKS.map((rank) => rows.reduce((sum, row) => sum + (row[rank] ?? 0), 0));
};

function countedOneByOne(counters: readonly Counter[], { from, to, stepMs }: HistogramRange): BucketCount[] {
  const buckets: BucketCount[] = [];
  for (let at = Math.floor(from / stepMs) * stepMs; at <= to; at += stepMs)
    buckets.push([at, sumOf(counters, Math.max(at, from), Math.min(at + stepMs - 1, to))]);
  return buckets;
}

/** Returns the hours entirely in the range: the first, and the first beyond it. */
const wholeHours = ({ from, to }: HistogramRange): readonly [first: number, end: number] => [
  Math.ceil(from / HOUR_MS),
  Math.floor((to + 1) / HOUR_MS),
];

type RankCount = readonly [at: number, rank: number, n: number];

/** Adds up the parts of each bucket; they arrive in the order of their buckets. */
function bucketsOf(parts: Iterable<RankCount>): Map<number, number[]> {
  const buckets = new Map<number, number[]>();
  for (const [at, rank, n] of parts) {
    const counts = buckets.get(at) ?? RANKS.map(() => 0);
    counts[rank] = itemAt(counts, rank) + n;
    buckets.set(at, counts);
  }
  return buckets;
}

const textOfHours = (hours: number): string =>
  `SELECT (hour - (hour % ${hours} + ${hours}) % ${hours}) / ${hours}, severity, sum(n) FROM event_hour
   WHERE tenant = ? AND hour >= ? AND hour < ? AND status IN (SELECT value FROM json_each(?)) GROUP BY 1, 2 ORDER BY 1`;

/** Whole hours are counted when events are written; the others are counted from the index. */
function* byHours(
  reading: RowReader,
  counters: readonly Counter[],
  { tenant, filter, range: { from, to, stepMs } }: HistogramOf,
  [first, end]: readonly [first: number, end: number],
): Generator<RankCount> {
  function* edge(start: number, last: number): Generator<RankCount> {
    if (start > last) return;
    const at = Math.floor(start / stepMs) * stepMs;
    for (const [rank, n] of sumOf(counters, start, last).entries()) yield [at, rank, n];
  }
  const statuses = JSON.stringify((filter.statuses ?? STATUSES).map(statusCode));
  const whole = reading.arrays<RankCount>(textOfHours(stepMs / HOUR_MS)).all(tenant, first, end, statuses);
  yield* edge(from, first * HOUR_MS - 1);
  for (const [slot, rank, n] of whole) yield [slot * stepMs, rank, n];
  yield* edge(end * HOUR_MS, to);
}

function fromIndex(reading: RowReader, asked: HistogramOf): Histogram {
  const { tenant, filter, range } = asked;
  const counters = STATUSES.filter((status) => filter.statuses?.includes(status) ?? true).map((status) =>
    counterOf(reading, tenant, statusCode(status)),
  );
  const hours = wholeHours(range);
  const isByHours = range.stepMs % HOUR_MS === 0 && hours[0] < hours[1];
  const counted = isByHours ? bucketsOf(byHours(reading, counters, asked, hours)) : countedOneByOne(counters, range);
  const shown = RANKS.map((rank) => filter.severities?.includes(severityOfRank(rank)) ?? true);
  const buckets = [...counted].map(([at, counts]): BucketCount => [at, counts.map((n, rank) => (shown[rank] ? n : 0))]);
  return { buckets: filled(buckets), truncated: false };
}

function fromRows(reading: RowReader, conditions: Conditions, { from, to, stepMs }: HistogramRange): Histogram {
  const best = cheapest(reading, conditions);
  const rows = lookedAt(conditions, best, [sql('e.timestamp BETWEEN ? AND ?', from, to)]);
  const found = reading
    .arrays<RankCount>(
      `SELECT f.timestamp / ${stepMs} * ${stepMs}, f.severity, count(*) FROM (${rows.text}) r CROSS JOIN event_facet f ON f.seq = r.seq
       GROUP BY 1, 2 ORDER BY 1`,
    )
    .all(...rows.values);
  const looked = found.reduce((sum, [, , n]) => sum + n, 0);
  return { buckets: filled(bucketsOf(found)), truncated: looked > MAX_LOOKED_AT };
}

/**
 * Returns the histogram of the newest events, when there are more than the scan limit; over status and severity of all.
 */
export function histogramOf(reading: RowReader, asked: HistogramOf): Histogram {
  const { tenant, filter, range } = asked;
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { buckets: [], truncated: false };
  return inIndex(conditions) ? fromIndex(reading, asked) : fromRows(reading, conditions, range);
}
