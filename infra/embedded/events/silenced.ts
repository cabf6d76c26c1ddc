import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';
import { MAX_SILENCERS, type Silencer } from '#domain/ports/events/event-sweeps.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';
import { eventsOf } from './find.ts';

export interface SilencedEvents {
  readonly silencer: Silencer;
  readonly page: PartRequest;
}
export interface Caught {
  readonly tenant: string;
  readonly by: readonly string[];
}

const SORT = 'silenced';
const ORDER = 'asc';
const HELD = 'FROM event INDEXED BY event_held WHERE silenced_by IS NOT NULL AND status = 3';

/** Each step lands behind all events of the last one. */
const NEXT = `SELECT tenant, silenced_by ${HELD} AND (tenant, silenced_by) > (?, ?) ORDER BY tenant, silenced_by LIMIT 1`;
const EVENTS = `SELECT seq ${HELD} AND tenant = ? AND silenced_by = ? AND seq > ? ORDER BY seq LIMIT ?`;
const COUNT = `SELECT silenced_by, count(*) FROM event INDEXED BY event_silenced
  WHERE tenant = ?1 AND silenced_by IS NOT NULL AND silenced_by IN (SELECT value FROM json_each(?2)) GROUP BY silenced_by`;

export function silencers(reading: RowReader): readonly Silencer[] {
  const statement = reading.arrays<readonly [string, string]>(NEXT);
  const found: Silencer[] = [];
  let last: Silencer = { tenant: '', by: '' };
  while (found.length < MAX_SILENCERS) {
    const row = statement.get(last.tenant, last.by);
    if (row === undefined) break;
    last = { tenant: row[0], by: row[1] };
    found.push(last);
  }
  return found;
}

export function silencedEvents(reading: RowReader, { silencer, page }: SilencedEvents): Part<Event> {
  const { limit, cursor } = page;
  const after = cursor === undefined ? 0 : decodeCursor(SORT, ORDER, cursor).key;
  const rows = reading.arrays<[number]>(EVENTS).all(silencer.tenant, silencer.by, after, limit + 1);
  const seqs = rows.slice(0, limit).map(([seq]) => seq);
  const key = seqs.at(-1) ?? 0;
  return {
    items: eventsOf(reading, seqs),
    nextCursor: rows.length <= limit ? null : encodeCursor(SORT, ORDER, { key, id: String(key) }),
  };
}

export function caught(reading: RowReader, { tenant, by }: Caught): ReadonlyMap<string, number> {
  const rows = reading.arrays<readonly [string, number]>(COUNT).all(tenant, JSON.stringify(by));
  return new Map(rows);
}
