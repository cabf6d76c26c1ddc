import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';
import { eventsOf } from './find.ts';

export interface UnboundEvents {
  readonly tenant: string;
  readonly page: PartRequest;
}

const SORT = 'host';
const ORDER = 'asc';
const UNBOUND = `SELECT e.seq, e.host FROM event e INDEXED BY event_unbound
  WHERE e.tenant = ? AND e.ci_id IS NULL AND e.status <> 2 AND`;

type Row = readonly [seq: number, host: string | null];

/** In the order of their index: those without a host first, so that a page costs what it holds. */
export function unboundEvents(reading: Reading, { tenant, page }: UnboundEvents): Part<Event> {
  const { limit, cursor } = page;
  const end = cursor === undefined ? { key: 0, id: '' } : decodeCursor(SORT, ORDER, cursor);
  const rows = (condition: string, ...values: (string | number | null)[]): Row[] =>
    reading.arrays<Row>(`${UNBOUND} ${condition} LIMIT ?`).all(tenant, ...values);
  const same = rows('e.host IS ? AND e.seq > ? ORDER BY e.seq', end.id || null, end.key, limit + 1);
  const found = [...same, ...rows('e.host > ? ORDER BY e.host, e.seq', end.id, limit + 1 - same.length)];
  const shown = found.slice(0, limit);
  const [seq = 0, host = null] = shown.at(-1) ?? [];
  return {
    items: eventsOf(
      reading,
      shown.map(([one]) => one),
    ),
    nextCursor: found.length <= limit ? null : encodeCursor(SORT, ORDER, { key: seq, id: host ?? '' }),
  };
}
