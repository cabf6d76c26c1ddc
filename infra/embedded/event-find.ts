import type { Event } from '#domain/event/event.ts';
import type { EventFilter, EventSort, Page, PageRequest } from '#domain/ports/event-store.ts';
import type { Reading } from './database.ts';
import { type Choice, cheapest, countEvents } from './event-count.ts';
import { type Access, type Conditions, conditionsOf, hasTime, selection, through } from './event-filter.ts';
import { type EventRow, magnitude, SELECT_EVENT, toEvent } from './event-row.ts';
import { slotOf } from './event-slot.ts';
import { decodeCursor, encodeCursor, type PageEnd } from './page-cursor.ts';
import { type Sql, sql } from './sql.ts';

/** Up to so many events are sorted; of more, the index of the sort is walked until the page is full. */
export const SORTED_EVENTS = 20_000;

/** A coarse value in whose order an index is, so that only rows with the same one are sorted. */
interface Group {
  readonly column: string;
  of(key: number): number;
}

/** The value sorted by, and the index that is in this order. */
const SORTS: Readonly<Record<EventSort, { key: string; walk: string; tally: boolean; group?: Group }>> = {
  timestamp: { key: 'e.timestamp', walk: 'event e INDEXED BY event_timestamp', tally: false },
  createdAt: { key: 'e.created_at', walk: 'event e INDEXED BY event_created', tally: false },
  severity: { key: 'e.severity', walk: 'event e INDEXED BY event_severity', tally: false },
  lastOccurrence: {
    key: 't.last',
    walk: 'tally t INDEXED BY tally_slot CROSS JOIN event e ON e.seq = t.seq',
    tally: true,
    group: { column: 't.slot', of: slotOf },
  },
  occurrenceCount: {
    key: 't.count',
    walk: 'tally t INDEXED BY tally_magnitude CROSS JOIN event e ON e.seq = t.seq',
    tally: true,
    group: { column: 't.magnitude', of: magnitude },
  },
};

/** Indexes that hold the timestamp behind one value of a filter. */
const BY_TIMESTAMP: readonly (readonly [Access, string])[] = [
  ['ci', 'event e INDEXED BY event_ci'],
  ['source', 'event e INDEXED BY event_source'],
  ['status', 'event e INDEXED BY event_status'],
];

const walkOf = (sort: EventSort, conditions: Conditions): string => {
  if (sort !== 'timestamp') return SORTS[sort].walk;
  const single = BY_TIMESTAMP.find(
    ([access]) => access !== 'time' && access !== 'search' && conditions[access]?.text.endsWith('= ?'),
  );
  return single?.[1] ?? SORTS.timestamp.walk;
};

/** Rows behind the last one of the page before. The first half bounds the index, the second breaks ties. */
function beyond(sort: EventSort, order: 'asc' | 'desc', end: PageEnd): Sql[] {
  const { key, group } = SORTS[sort];
  const op = order === 'asc' ? '>' : '<';
  const after = sql(`${key} ${op}= ? AND (${key} ${op} ? OR e.id ${op} ?)`, end.key, end.key, end.id);
  return group === undefined ? [after] : [sql(`${group.column} ${op}= ?`, group.of(end.key)), after];
}

export interface FindEvents {
  readonly tenant: string;
  readonly filter: EventFilter;
  readonly page: PageRequest<EventSort>;
}

/** The statement that finds the page's rows as [seq, key, id]. */
export function pageQuery(conditions: Conditions, best: Choice | null, page: PageRequest<EventSort>): Sql {
  const { sort, order, limit, offset = 0, cursor } = page;
  const { key, tally, group } = SORTS[sort];
  const extra = cursor === undefined ? [] : beyond(sort, order, decodeCursor(sort, order, cursor));
  const sorted = best !== null && best.rows <= SORTED_EVENTS;
  const { text, values } = sorted
    ? through(best.access, conditions, tally, extra)
    : selection(walkOf(sort, conditions), conditions, tally || hasTime(conditions), extra);
  const grouped = group === undefined || sorted ? '' : `${group.column} ${order}, `;
  return {
    text: `SELECT e.seq, ${key}, e.id ${text} ORDER BY ${grouped}${key} ${order}, e.id ${order} LIMIT ? OFFSET ?`,
    values: [...values, limit + 1, cursor === undefined ? offset : 0],
  };
}

const bySeq = (reading: Reading, seqs: readonly number[]): Map<number, Event> => {
  const rows = reading
    .arrays(`${SELECT_EVENT} WHERE e.seq IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(seqs)) as unknown as EventRow[];
  return new Map(rows.map((row) => [row[0], toEvent(row)]));
};

export function findEvents(reading: Reading, { tenant, filter, page }: FindEvents): Page<Event> {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { items: [], total: 0, nextCursor: null };
  const best = cheapest(reading, conditions);
  const total = countEvents(reading, conditions, best);
  const { text, values } = pageQuery(conditions, best, page);
  const rows = reading.arrays(text).all(...values) as unknown as [seq: number, key: number, id: string][];
  const shown = rows.slice(0, page.limit);
  const events = bySeq(
    reading,
    shown.map(([seq]) => seq),
  );
  const end = shown.at(-1);
  return {
    items: shown.map(([seq]) => events.get(seq)!),
    total,
    nextCursor:
      end === undefined || rows.length <= page.limit
        ? null
        : encodeCursor(page.sort, page.order, { key: end[1], id: end[2] }),
  };
}
