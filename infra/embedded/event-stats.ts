import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { EventStats } from '#domain/ports/event-store.ts';
import type { Reading } from './database.ts';
import { statusCode } from './event-row.ts';
import { lastFrom } from './event-slot.ts';
import { all, sql } from './sql.ts';

export interface StatsRange {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
}

const none = (): Record<Severity, number> => ({ critical: 0, major: 0, minor: 0, warning: 0, info: 0 });

/** Counts of the events that meet the range, and how long those took that were resolved in it. */
export function eventStats(reading: Reading, { tenant, from, to }: StatsRange): EventStats {
  const where = all([sql('t.tenant = ?', tenant), lastFrom(from), sql('t.first <= ?', to)]);
  const rows = reading
    .arrays(
      `SELECT t.severity, t.status, count(*) FROM tally t INDEXED BY tally_slot WHERE ${where.text}
       GROUP BY t.severity, t.status`,
    )
    .all(...where.values) as unknown as [severity: number, status: number, n: number][];
  const severityBreakdown = none();
  const openBySeverity = none();
  for (const [rank, status, n] of rows) {
    const severity = SEVERITIES[SEVERITIES.length - 1 - rank]!;
    severityBreakdown[severity] += n;
    if (status === statusCode('open')) openBySeverity[severity] += n;
  }
  const total = rows.reduce((sum, [, , n]) => sum + n, 0);
  const [meanMs] = reading
    .arrays('SELECT avg(open_ms) FROM event INDEXED BY event_resolved WHERE tenant = ? AND resolved_at BETWEEN ? AND ?')
    .get(tenant, from, to) as unknown as [number | null];
  return { total, severityBreakdown, openBySeverity, avgResolutionTime: meanMs === null ? null : meanMs / 1000 };
}
