/** Pages of ids in a total order: by a key, then by id. */
import type { Page, PageRequest } from '#domain/page.ts';
import { decodeTopologyCursor, encodeCursor } from '#infra/page-cursor.ts';
import type { Statements } from './rows.ts';

export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** Where rows are looked for; `from` may hold placeholders if the first condition has their values. */
export interface SqlListing {
  readonly from: string;
  readonly where: readonly SqlCondition[];
  readonly key: string;
  /** A query for the total where it is known without looking at the rows. */
  readonly total: SqlCondition | null;
}

type Key = readonly [key: string | number, id: string];

const all = (where: readonly SqlCondition[]): SqlCondition => ({
  sql: where.map(({ sql }) => sql).join(' AND '),
  values: where.flatMap(({ values }) => values),
});

/** One more than the page has, when there is a next page. */
function keysOf(db: Statements, { from, where, key }: SqlListing, page: PageRequest<string>): Key[] {
  const { cursor, order, limit, offset = 0 } = page;
  const beyond = `(${key}, id) ${order === 'asc' ? '>' : '<'} (?, ?)`;
  const end = cursor === undefined ? null : decodeTopologyCursor(page.sort, order, cursor);
  const after = end === null ? [] : [{ sql: beyond, values: [end.key, end.id] }];
  const { sql, values } = all([...where, ...after]);
  const rows = db
    .statement(
      `SELECT ${key} AS k, id FROM ${from} WHERE ${sql} ORDER BY ${key} ${order}, id ${order} LIMIT ? OFFSET ?`,
    )
    .all(...values, limit + 1, offset) as { k: string | number; id: string }[];
  return rows.map(({ k, id }) => [k, id]);
}

const numberOf = (db: Statements, { sql, values }: SqlCondition): number =>
  Number((db.statement(sql).get(...values) as { n: number | null }).n ?? 0);

function countOf(db: Statements, { from, where }: SqlListing): number {
  const { sql, values } = all(where);
  return numberOf(db, { sql: `SELECT count(*) AS n FROM ${from} WHERE ${sql}`, values });
}

/** A first page that is not full tells the total by itself. */
function totalOf(db: Statements, listing: SqlListing, page: PageRequest<string>, keys: readonly Key[]): number {
  const isWhole = page.cursor === undefined && (page.offset ?? 0) === 0 && keys.length <= page.limit;
  return isWhole ? keys.length : countOf(db, listing);
}

/** One page, its records made by `load`. */
export function pageOf<T>(
  db: Statements,
  listing: SqlListing,
  page: PageRequest<string>,
  load: (ids: readonly string[]) => T[],
): Page<T> {
  const known = listing.total === null ? null : numberOf(db, listing.total);
  const keys = known === 0 ? [] : keysOf(db, listing, page);
  const shown = keys.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    items: load(shown.map(([, id]) => id)),
    total: known ?? totalOf(db, listing, page, keys),
    nextCursor:
      last !== undefined && keys.length > shown.length
        ? encodeCursor(page.sort, page.order, { key: last[0], id: last[1] })
        : null,
  };
}
