import type { PastRecord } from '#domain/correlation/on-demand/replay.ts';
import type { Decision, Enriched } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition, transitionsIn } from '#domain/correlation/status-transitions.ts';
import type { HistoryEntry } from '#domain/event/event.ts';
import type { Extent, RecordsSince } from '#domain/ports/events/correlation-history.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { DECISION_COLUMNS, type DecisionRow, toDecision } from './decision-row.ts';
import { ENRICHED_COLUMNS, type EnrichedRow, type EnrichedTable } from './enriched-table.ts';

export interface ExtentOf {
  readonly tenant: string;
  readonly from: number;
}
export interface RecordsOf extends RecordsSince {
  readonly tenant: string;
}
export interface EventRequestQuery {
  readonly tenant: string;
  readonly after: number;
  readonly limit: number;
}

export function extentOf(reading: RowReader, { tenant, from }: ExtentOf): Extent {
  const row = onlyRow(
    reading
      .arrays<[number, number | null]>(
        'SELECT count(*), min(position) FROM enriched INDEXED BY enriched_time WHERE tenant = ? AND time >= ?',
      )
      .get(tenant, from),
  );
  return { records: row[0], first: row[1] };
}

const transitionsOf = (
  { arrival: { eventId, complaint } }: Enriched,
  state: string | null,
): readonly PlacedTransition[] =>
  state === null || complaint.known === 'change'
    ? NO_TRANSITIONS
    : transitionsIn(eventId, (JSON.parse(state) as { readonly history: readonly HistoryEntry[] }).history);

/** The state of the event is the last column. */
const RECORDS = `SELECT ${ENRICHED_COLUMNS},
    (SELECT e.state FROM event e INDEXED BY event_id WHERE e.tenant = n.tenant AND e.id = n.event)
  FROM enriched n INDEXED BY enriched_position
  WHERE n.position > ? AND n.tenant = ? AND n.time >= ? AND ${interruptible('n.seq')} ORDER BY n.position LIMIT ?`;

export function recordsSince(
  reading: RowReader,
  records: EnrichedTable,
  { tenant, from, after, limit }: RecordsOf,
): PastRecord[] {
  const rows = reading.arrays<readonly [...EnrichedRow, state: string | null]>(RECORDS).all(after, tenant, from, limit);
  return rows.map((row) => {
    const record = records.toEnriched(row);
    return { record, turns: transitionsOf(record, row[9]) };
  });
}

/** An arrival has a record of the same position. */
const DEMANDED = `SELECT ${DECISION_COLUMNS} FROM decision d INDEXED BY decision_position
  WHERE d.position > ? AND d.tenant = ? AND ${interruptible('d.seq')} AND NOT EXISTS (SELECT 1 FROM enriched n
    WHERE n.position = d.position AND n.tenant = d.tenant) ORDER BY d.position LIMIT ?`;

export function requestsSince(reading: RowReader, { tenant, after, limit }: EventRequestQuery): Decision[] {
  const rows = reading.arrays<DecisionRow>(DEMANDED).all(after, tenant, limit);
  return rows.map(toDecision);
}
