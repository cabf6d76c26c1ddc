import { SEVERITIES, type Severity, STATUSES, severityOfRank } from '#domain/event/event.ts';
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
import type { Reading } from '#infra/embedded/journal/database.ts';
import { interruptible } from '#infra/embedded/journal/interrupt.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { sql } from '#infra/embedded/sqlite/sql.ts';
import { lookedAt } from './rows.ts';

export interface HistogramOf {
  readonly tenant: string;
  readonly filter: Omit<EventFilter, 'from' | 'to'>;
  readonly range: HistogramRange;
}

type Counted = readonly [at: number, counts: readonly number[]];

/** By rank, the lowest first. */
const RANKS = SEVERITIES.map((_, rank) => rank);
const bucketOf = ([at, counts]: Counted): HistogramBucket => ({
  at,
  bySeverity: Object.fromEntries(
    SEVERITIES.map((severity, i) => [severity, counts[SEVERITIES.length - 1 - i] ?? 0]),
  ) as Record<Severity, number>,
});
const filled = (buckets: Iterable<Counted>): HistogramBucket[] =>
  [...buckets].filter(([, counts]) => counts.some((n) => n > 0)).map(bucketOf);

/** Two ranks in one sum, 32 bits each: a shift by 64 and more is 0 in SQLite. Faster than a sum for each rank. */
const LOWEST = 'sum(1 << (severity * 32))';
const HIGHEST = 'sum(1 << ((4 - severity) * 32))';
const LOW_BITS = '& 0xffffffff';
const MIDDLE = `count(*) - (${LOWEST} ${LOW_BITS}) - (${LOWEST} >> 32) - (${HIGHEST} ${LOW_BITS}) - (${HIGHEST} >> 32)`;
const BY_RANK = [`${LOWEST} ${LOW_BITS}`, `${LOWEST} >> 32`, MIDDLE, `${HIGHEST} >> 32`, `${HIGHEST} ${LOW_BITS}`];

/** From the index of status alone, which has time and severity behind it. */
const BY_STATUS = `SELECT ${BY_RANK.join(', ')} FROM event INDEXED BY event_status
  WHERE tenant = ? AND status = ? AND timestamp BETWEEN ? AND ? AND ${interruptible('seq')}`;

const inIndex = ({ tenant: _tenant, status: _status, severity: _severity, ...others }: Conditions): boolean =>
  Object.keys(others).length === 0;

function fromIndex(reading: Reading, { tenant, filter, range: { from, to, stepMs } }: HistogramOf): Histogram {
  const statuses = STATUSES.filter((status) => filter.statuses?.includes(status) ?? true).map(statusCode);
  const shown = RANKS.map((rank) => filter.severities?.includes(severityOfRank(rank)) ?? true);
  const statement = reading.arrays<(number | null)[]>(BY_STATUS);
  const buckets: Counted[] = [];
  for (let at = Math.floor(from / stepMs) * stepMs; at <= to; at += stepMs) {
    const ends = [Math.max(at, from), Math.min(at + stepMs - 1, to)] as const;
    const rows = statuses.map((code) => onlyRow(statement.get(tenant, code, ...ends)));
    const of = (rank: number): number => (shown[rank] ? rows.reduce((sum, row) => sum + (row[rank] ?? 0), 0) : 0);
    buckets.push([at, RANKS.map(of)]);
  }
  return { buckets: filled(buckets), truncated: false };
}

function fromRows(reading: Reading, conditions: Conditions, { from, to, stepMs }: HistogramRange): Histogram {
  const best = cheapest(reading, conditions);
  const rows = lookedAt(conditions, best, [sql('e.timestamp BETWEEN ? AND ?', from, to)]);
  const found = reading
    .arrays<[slot: number, rank: number, n: number]>(
      `SELECT f.timestamp / ${stepMs}, f.severity, count(*) FROM (${rows.text}) r CROSS JOIN event_facet f ON f.seq = r.seq
       GROUP BY 1, 2 ORDER BY 1`,
    )
    .all(...rows.values);
  const counts = new Map<number, number[]>();
  let looked = 0;
  for (const [slot, rank, n] of found) {
    const at = slot * stepMs;
    const bucket = counts.get(at) ?? RANKS.map(() => 0);
    bucket[rank] = n;
    counts.set(at, bucket);
    looked += n;
  }
  return { buckets: filled(counts), truncated: looked > MAX_LOOKED_AT };
}

/** Of the newest events, when there are more than may be looked at; over status and severity of all. */
export function histogramOf(reading: Reading, asked: HistogramOf): Histogram {
  const { tenant, filter, range } = asked;
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { buckets: [], truncated: false };
  return inIndex(conditions) ? fromIndex(reading, asked) : fromRows(reading, conditions, range);
}
