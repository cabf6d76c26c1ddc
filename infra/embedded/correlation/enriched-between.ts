import type { Enriched } from '#domain/correlation/records.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { ENRICHED_COLUMNS, type EnrichedRow, type EnrichedTable } from './enriched-table.ts';

export interface EnrichedRange {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** The newest enriched record of each event with event time in the range, by time, then position. */
export function enrichedBetween(
  reading: RowReader,
  records: EnrichedTable,
  { tenant, from, to, limit, order }: EnrichedRange,
): Enriched[] {
  const rows = reading
    .arrays<EnrichedRow>(
      `SELECT ${ENRICHED_COLUMNS} FROM enriched n INDEXED BY enriched_time
       WHERE n.tenant = ? AND n.time BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM enriched newer
         WHERE newer.tenant = n.tenant AND newer.event = n.event AND newer.position > n.position)
       ORDER BY n.time ${order}, n.position ${order} LIMIT ?`,
    )
    .all(tenant, from, to, limit);
  return rows.map((row) => records.toEnriched(row));
}
