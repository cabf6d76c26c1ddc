import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';
import type { SilentFilter } from '#domain/ports/events/event-sweeps.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';
import { eventsOf } from './find.ts';
import { bucketOf } from './row.ts';

export interface SilentEvents {
  readonly tenant: string;
  readonly filter: SilentFilter;
  readonly page: PartRequest;
}

const SORT = 'silence';
const ORDER = 'asc';
const HEARD_BEFORE = 't.last < ? AND t.updated_at < ?';

/** There are few at a time, since each is over soon. */
const CHANGES = `SELECT e.seq, 0 FROM event e INDEXED BY event_change CROSS JOIN tally t ON t.seq = e.seq
  WHERE e.tenant = ? AND e.is_change = 1 AND e.status <> 2 AND ${HEARD_BEFORE} AND e.seq > ? ORDER BY e.seq LIMIT ?`;

/** The index is walked from the oldest last occurrence; later ones are not read. */
const OTHERS = `SELECT t.seq, t.slot FROM tally t INDEXED BY tally_open CROSS JOIN event e ON e.seq = t.seq
  WHERE t.tenant = ? AND t.status <> 2 AND e.is_change = 0 AND ${HEARD_BEFORE}
  AND t.slot >= ? AND t.slot <= ? AND (t.slot > ? OR t.seq > ?) ORDER BY t.slot, t.seq LIMIT ?`;

interface End {
  readonly seq: number;
  readonly slot: number;
}

export const silentQuery = (
  tenant: string,
  { before, changes }: SilentFilter,
  { seq, slot }: End,
  rows: number,
): Sql =>
  changes
    ? sql(CHANGES, tenant, before, before, seq, rows)
    : sql(OTHERS, tenant, before, before, slot, bucketOf(before), slot, seq, rows);

export function silentEvents(reading: RowReader, { tenant, filter, page }: SilentEvents): Part<Event> {
  const { limit, cursor } = page;
  const { key, id } = cursor === undefined ? { key: 0, id: '0' } : decodeCursor(SORT, ORDER, cursor);
  const { text, values } = silentQuery(tenant, filter, { seq: key, slot: Number(id) }, limit + 1);
  const rows = reading.arrays<readonly [seq: number, slot: number]>(text).all(...values);
  const shown = rows.slice(0, limit);
  const [seq = 0, slot = 0] = shown.at(-1) ?? [];
  return {
    items: eventsOf(
      reading,
      shown.map(([one]) => one),
    ),
    nextCursor: rows.length <= limit ? null : encodeCursor(SORT, ORDER, { key: seq, id: String(slot) }),
  };
}
