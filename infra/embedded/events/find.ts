import type { Event } from '#domain/event/event.ts';
import { entryOf } from '#domain/known.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { EventFilter, EventSort } from '#domain/ports/events/event-store.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { encodeCursor } from '#infra/page-cursor.ts';
import { cheapest, countEvents } from './count.ts';
import { conditionsOf } from './filter.ts';
import { pageRows } from './page.ts';
import { type EventTableRow, SELECT_EVENT, toEvent } from './row.ts';

export interface FindEvents {
  readonly tenant: string;
  readonly filter: EventFilter;
  readonly page: PageRequest<EventSort>;
}

/** The events with these numbers, in their order. */
export function eventsOf(reading: Reading, seqs: readonly number[]): Event[] {
  const rows = reading
    .arrays<EventTableRow>(`${SELECT_EVENT} WHERE e.seq IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(seqs));
  const events = new Map(rows.map((row) => [row[0], toEvent(row)]));
  return seqs.map((seq) => entryOf(events, seq));
}

export function findEvents(reading: Reading, { tenant, filter, page }: FindEvents): Page<Event> {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { items: [], total: 0, nextCursor: null };
  const best = cheapest(reading, conditions);
  const total = countEvents(reading, conditions, best);
  const rows = pageRows(reading, conditions, best, page, total);
  const shown = rows.slice(0, page.limit);
  const end = shown.at(-1);
  return {
    items: eventsOf(
      reading,
      shown.map(([seq]) => seq),
    ),
    total,
    nextCursor:
      end === undefined || rows.length <= page.limit
        ? null
        : encodeCursor(page.sort, page.order, { key: end[1], id: end[2] }),
  };
}
