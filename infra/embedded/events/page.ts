import type { PageRequest } from '#domain/page.ts';
import type { EventSort } from '#domain/ports/events/event-store.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { decodeCursor, type PageEnd } from '#infra/page-cursor.ts';
import { type AccessChoice, countEvents } from './count.ts';
import { type AccessPath, type Conditions, hasTime, selection, through } from './filter.ts';
import { bucketOf, magnitude } from './row.ts';

/** Up to so many events are sorted; of more, the index of the sort is walked until the page is full. */
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
  lastOccurrence: {
    key: 't.last',
    index: 'tally t INDEXED BY tally_slot',
    group: { column: 't.slot', of: bucketOf },
  },
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

type Row = readonly [seq: number, key: number, id: string];
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

/** The condition that holds for about the first `rows` events of the sort, whatever the filter; read from its index alone. */
function amongFirst(reading: Reading, tenant: string, { sort, order, cursor }: EventPage, rows: number): Sql[] {
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
/** The beginning that is tried is so many times as long as it would be if matches were spread evenly. */
const AMPLE = 2;

/**
 * The page when the beginning of the sort's index holds all of it, which costs less than to sort all matches; null when it does
 * not, or when there are too few matches to try.
 */
function early(
  reading: Reading,
  conditions: Conditions,
  best: AccessChoice,
  page: EventPage,
  total: number,
): Row[] | null {
  const wanted = (page.offset ?? 0) + page.limit + 1;
  if (total < wanted || !FINE.includes(page.sort)) return null;
  const all = countEvents(reading, { tenant: conditions.tenant }, null);
  const walked = Math.ceil((AMPLE * wanted * all) / total);
  if (walked > best.rows / AMPLE) return null;
  const extra = amongFirst(reading, conditions.tenant, page, walked);
  const { text, values } = pageQuery(conditions, { ...best, rows: SORTED_EVENTS + 1 }, page, extra);
  const rows = reading.arrays<Row>(text).all(...values);
  return rows.length > page.limit ? rows : null;
}

/** One row more than the page shows, if there is one. */
export function pageRows(
  reading: Reading,
  conditions: Conditions,
  best: AccessChoice | null,
  page: EventPage,
  total: number,
): readonly Row[] {
  const found = best !== null && best.rows <= SORTED_EVENTS ? early(reading, conditions, best, page, total) : null;
  if (found !== null) return found;
  const { text, values } = pageQuery(conditions, best, page);
  return reading.arrays<Row>(text).all(...values);
}
