import { type Severity, severityOfRank } from '#domain/event/event.ts';
import { MAX_RESOLUTION_MS } from '#domain/event/lifecycle/resolution-time.ts';
import type { EventStats } from '#domain/ports/events/event-counts.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { all, sql } from '#infra/embedded/sqlite/sql.ts';
import { lastFrom, statusCode } from './row.ts';

export interface StatsRange {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
}

const none = (): Record<Severity, number> => ({ critical: 0, major: 0, minor: 0, warning: 0, info: 0 });

/** Covered by the index, the last resolved first. */
const RESOLVED = `FROM event INDEXED BY event_resolved WHERE tenant = ? AND resolved_at BETWEEN ? AND ?
  AND open_ms BETWEEN 0 AND ${MAX_RESOLUTION_MS}`;
/** The median of an even number of durations is the mean of the two in the middle. */
const MEDIAN = `WITH newest AS (SELECT open_ms ${RESOLVED} ORDER BY resolved_at DESC LIMIT ?),
  spans AS (SELECT open_ms FROM newest ORDER BY open_ms)
  SELECT avg(open_ms) FROM (SELECT open_ms FROM spans LIMIT ? OFFSET ?)`;
/** Spans that are sorted for the median. */
const SORTED_SPANS = 10_000;

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** Returns mean and median of the resolution times of events resolved in the range. */
function resolutionTimes(
  reading: RowReader,
  { tenant, from, to }: StatsRange,
): Pick<EventStats, 'avgResolutionTime' | 'medianResolutionTime'> {
  const [meanMs, count] = onlyRow(
    reading.arrays<[number | null, number]>(`SELECT avg(open_ms), count(*) ${RESOLVED}`).get(tenant, from, to),
  );
  if (count === 0) return { avgResolutionTime: null, medianResolutionTime: null };
  const sorted = Math.min(count, SORTED_SPANS);
  const middle = [2 - (sorted % 2), (sorted - 1) >> 1] as const;
  const [medianMs] = onlyRow(reading.arrays<[number]>(MEDIAN).get(tenant, from, to, sorted, ...middle));
  return { avgResolutionTime: seconds(meanMs), medianResolutionTime: seconds(medianMs) };
}

/** Returns counts of the events that intersect the range, and resolution times of those resolved in it. */
export function eventStats(reading: RowReader, { tenant, from, to }: StatsRange): EventStats {
  const where = all([
    sql('t.tenant = ?', tenant),
    lastFrom(from),
    sql('t.first <= ?', to),
    sql(interruptible('t.seq')),
  ]);
  const rows = reading
    .arrays<[severity: number, status: number, n: number]>(
      `SELECT t.severity, t.status, count(*) FROM tally t INDEXED BY tally_slot WHERE ${where.text}
       GROUP BY t.severity, t.status`,
    )
    .all(...where.values);
  const severityBreakdown = none();
  const openBySeverity = none();
  for (const [rank, status, n] of rows) {
    const severity = severityOfRank(rank);
    severityBreakdown[severity] += n;
    if (status === statusCode('open')) openBySeverity[severity] += n;
  }
  const total = rows.reduce((sum, [, , n]) => sum + n, 0);
  return { total, severityBreakdown, openBySeverity, ...resolutionTimes(reading, { tenant, from, to }) };
}
