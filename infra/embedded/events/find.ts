import { entryOf } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import type { Page, PageRequest, Part } from '#domain/page.ts';
import type { EventFilter, EventSort } from '#domain/ports/events/event-store.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { decodeCursor, encodeCursor, type PageEnd } from '#infra/page-cursor.ts';
import { type AccessChoice, cheapest, countEvents } from './count.ts';
import { type AccessPath, type Conditions, conditionsOf, hasTime, selection, through } from './filter.ts';
import { bucketOf, type EventTableRow, magnitude, SELECT_EVENT, toEvent } from './row.ts';

/** Maximum of events that are sorted; of more, the index of the sort is walked until the page is full. */
export const SORTED_EVENTS = 20_000;

/** A coarse value in whose order an index is, so that only rows with the same one are sorted. */
interface Group {
  readonly column: string;
  of(key: number): number;
}

/** The value sorted by, and the index that is in this order. */
const SORTS: Readonly<Record<EventSort, { key: string; index: string; group?: Group }>> = {
  timestamp: { key: 'e.timestamp', index: 'event e INDEXED BY event_timestamp' },
  createdAt: { key: 'e.created_at', index: 'event e INDEXED BY event_created' },
  severity: { key: 'e.severity', index: 'event e INDEXED BY event_severity' },
  lastOccurrence: { key: 't.last', index: 'tally t INDEXED BY tally_slot', group: { column: 't.slot', of: bucketOf } },
  occurrenceCount: {
    key: 't.count',
    index: 'tally t INDEXED BY tally_magnitude',
    group: { column: 't.magnitude', of: magnitude },
  },
};
const inTallyOf = (sort: EventSort): boolean => SORTS[sort].key.startsWith('t.');

/** Indexes that hold the timestamp behind one value of a filter. */
const BY_TIMESTAMP: readonly (readonly [AccessPath, string])[] = [
  ['correlation', 'event e INDEXED BY event_correlation'],
  ['ci', 'event e INDEXED BY event_ci'],
  ['source', 'event e INDEXED BY event_source'],
  ['status', 'event e INDEXED BY event_status'],
];

const walkOf = (sort: EventSort, conditions: Conditions): string => {
  if (inTallyOf(sort)) return `${SORTS[sort].index} CROSS JOIN event e ON e.seq = t.seq`;
  if (sort !== 'timestamp') return SORTS[sort].index;
  const single = BY_TIMESTAMP.find(
    ([access]) => access !== 'time' && access !== 'search' && conditions[access]?.text.endsWith('= ?'),
  );
  return single?.[1] ?? SORTS.timestamp.index;
};

/** Rows behind the last one of the page before. The first half bounds the index, the second breaks ties. */
function beyond(sort: EventSort, order: 'asc' | 'desc', end: PageEnd): Sql[] {
  const { key, group } = SORTS[sort];
  const op = order === 'asc' ? '>' : '<';
  const after = sql(`${key} ${op}= ? AND (${key} ${op} ? OR e.id ${op} ?)`, end.key, end.key, end.id);
  return group === undefined ? [after] : [sql(`${group.column} ${op}= ?`, group.of(end.key)), after];
}

type PageRow = readonly [seq: number, key: number, id: string];
type EventPage = PageRequest<EventSort>;

/** The statement that finds the page's rows as [seq, key, id], of those only that meet `extra` too. */
export function pageQuery(
  conditions: Conditions,
  best: AccessChoice | null,
  page: EventPage,
  extra: readonly Sql[] = [],
): Sql {
  const { sort, order, limit, offset = 0, cursor } = page;
  const { key, group } = SORTS[sort];
  const more = cursor === undefined ? extra : [...extra, ...beyond(sort, order, decodeCursor(sort, order, cursor))];
  const sorted = best !== null && best.rows <= SORTED_EVENTS;
  const { text, values } = sorted
    ? through(best.access, conditions, inTallyOf(sort), more)
    : selection(walkOf(sort, conditions), conditions, inTallyOf(sort) || hasTime(conditions), more);
  const grouped = group === undefined || sorted ? '' : `${group.column} ${order}, `;
  return {
    text: `SELECT e.seq, ${key}, e.id ${text} ORDER BY ${grouped}${key} ${order}, e.id ${order} LIMIT ? OFFSET ?`,
    values: [...values, limit + 1, cursor === undefined ? offset : 0],
  };
}

/** Returns the condition for about the first `rows` events of the sort, for any filter; read from its index alone. */
function amongFirst(reading: RowReader, tenant: string, { sort, order, cursor }: EventPage, rows: number): Sql[] {
  const { key, index, group = { column: key, of: (value: number) => value } } = SORTS[sort];
  const [after, until] = order === 'asc' ? ['>=', '<='] : ['<=', '>='];
  const start = cursor === undefined ? [] : [group.of(decodeCursor(sort, order, cursor).key)];
  const row = reading
    .arrays<[number]>(
      `SELECT ${group.column} FROM ${index} WHERE tenant = ?${start.map(() => ` AND ${group.column} ${after} ?`).join('')}
       ORDER BY ${group.column} ${order} LIMIT 1 OFFSET ?`,
    )
    .get(tenant, ...start, rows);
  return row === undefined ? [] : [sql(`${group.column} ${until} ?`, row[0])];
}

/** Sorts whose index has few events with the same value. */
const FINE: readonly EventSort[] = ['timestamp', 'createdAt', 'lastOccurrence'];
/** Factor between the length of the range that is tried and its expected length if matches were spread evenly. */
const AMPLE = 2;

/**
 * The page when the beginning of the sort's index holds all of it, which costs less than to sort all matches; null when it does
 * not, or when there are too few matches to try.
 */
function early(
  reading: RowReader,
  conditions: Conditions,
  best: AccessChoice,
  page: EventPage,
  total: number,
): PageRow[] | null {
  const wanted = (page.offset ?? 0) + page.limit + 1;
  if (total < wanted || !FINE.includes(page.sort)) return null;
  const all = countEvents(reading, { tenant: conditions.tenant }, null);
  const walked = Math.ceil((AMPLE * wanted * all) / total);
  if (walked > best.rows / AMPLE) return null;
  const extra = amongFirst(reading, conditions.tenant, page, walked);
  const { text, values } = pageQuery(conditions, { ...best, rows: SORTED_EVENTS + 1 }, page, extra);
  const rows = reading.arrays<PageRow>(text).all(...values);
  return rows.length > page.limit ? rows : null;
}

/** One row more than the page shows, if there is one. `total`: at least as many match; one that is too high costs time and nothing else. */
export function pageRows(
  reading: RowReader,
  conditions: Conditions,
  best: AccessChoice | null,
  page: EventPage,
  total: number,
): readonly PageRow[] {
  const found = best !== null && best.rows <= SORTED_EVENTS ? early(reading, conditions, best, page, total) : null;
  if (found !== null) return found;
  const { text, values } = pageQuery(conditions, best, page);
  return reading.arrays<PageRow>(text).all(...values);
}

export interface FindEvents {
  readonly tenant: string;
  readonly filter: EventFilter;
  readonly page: PageRequest<EventSort>;
}

/** The events with these numbers, in their order. */
export function eventsOf(reading: RowReader, seqs: readonly number[]): Event[] {
  const rows = reading
    .arrays<EventTableRow>(`${SELECT_EVENT} WHERE e.seq IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(seqs));
  const events = new Map(rows.map((row) => [row[0], toEvent(row)]));
  return seqs.map((seq) => entryOf(events, seq));
}

function shownPart(reading: RowReader, page: EventPage, rows: readonly PageRow[]): Part<Event> {
  const shown = rows.slice(0, page.limit);
  const end = shown.at(-1);
  return {
    items: eventsOf(
      reading,
      shown.map(([seq]) => seq),
    ),
    nextCursor:
      end === undefined || rows.length <= page.limit
        ? null
        : encodeCursor(page.sort, page.order, { key: end[1], id: end[2] }),
  };
}

export function findEvents(reading: RowReader, { tenant, filter, page }: FindEvents): Page<Event> {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { items: [], total: 0, nextCursor: null };
  const best = cheapest(reading, conditions);
  const total = countEvents(reading, conditions, best);
  return { total, ...shownPart(reading, page, pageRows(reading, conditions, best, page, total)) };
}

/** Variant of `findEvents` without the total. */
export function partOfEvents(reading: RowReader, { tenant, filter, page }: FindEvents): Part<Event> {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions.search === null) return { items: [], nextCursor: null };
  const best = cheapest(reading, conditions);
  return shownPart(reading, page, pageRows(reading, conditions, best, page, best?.rows ?? 0));
}
