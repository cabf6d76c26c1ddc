/** Reads of stored CIs and relationships. Plain functions of a connection and plain arguments: any thread can run them. */
import { invalid } from '#domain/fault.ts';
import type { Page, PageRequest } from '#domain/ports/event-store.ts';
import type { CiFilter, CiSort, RelationshipFilter } from '#domain/ports/topology-store.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import {
  CI_COLUMNS,
  type CiRow,
  ciOf,
  RELATIONSHIP_COLUMNS,
  type RelationshipRow,
  relationshipOf,
  type Statements,
} from './topology-rows.ts';

type Value = string | number | null;
interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}
type Key = readonly [key: string | number, id: string];

/** Filters and sort keys as they lie in an index; `id` breaks ties. */
interface Listing {
  readonly from: string;
  readonly where: readonly Condition[];
  readonly key: string;
  readonly order: 'asc' | 'desc';
}

const encode = (sort: string, order: string, [key, id]: Key): string =>
  Buffer.from(JSON.stringify([sort, order, key, id])).toString('base64url');

function decode(cursor: string, sort: string, order: string): Key {
  try {
    const [forSort, forOrder, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (
      forSort === sort &&
      forOrder === order &&
      typeof id === 'string' &&
      (typeof key === 'string' || typeof key === 'number')
    )
      return [key, id];
  } catch {
    // Not JSON: told below like any other text that is no cursor.
  }
  throw invalid('cursor', 'is not a cursor of this list');
}

const conditionsOf = (where: readonly Condition[]): Condition => ({
  sql: where.map(({ sql }) => sql).join(' AND '),
  values: where.flatMap(({ values }) => values),
});

/** Key and id of the rows of one page, and of one more when there is a next page. */
function keysOf<S extends string>(db: Statements, listing: Listing, page: PageRequest<S>): Key[] {
  const after: Condition[] =
    page.cursor === undefined
      ? []
      : [
          {
            sql: `(${listing.key}, id) ${listing.order === 'asc' ? '>' : '<'} (?, ?)`,
            values: decode(page.cursor, page.sort, page.order),
          },
        ];
  const { sql, values } = conditionsOf([...listing.where, ...after]);
  const statement = db.statement(
    `SELECT ${listing.key} AS k, id FROM ${listing.from} WHERE ${sql} ORDER BY ${listing.key} ${listing.order}, id ${listing.order} LIMIT ? OFFSET ?`,
  );
  const rows = statement.all(...values, page.limit + 1, page.offset ?? 0) as { k: string | number; id: string }[];
  return rows.map(({ k, id }) => [k, id]);
}

function countOf(db: Statements, from: string, where: readonly Condition[]): number {
  const { sql, values } = conditionsOf(where);
  return Number((db.statement(`SELECT count(*) AS n FROM ${from} WHERE ${sql}`).get(...values) as { n: number }).n);
}

function pageOf<T extends { readonly id: string }>(
  keys: readonly Key[],
  page: PageRequest<string>,
  total: number,
  load: (ids: readonly string[]) => T[],
): Page<T> {
  const shown = keys.slice(0, page.limit);
  const last = shown.at(-1);
  const more = keys.length > page.limit && last !== undefined;
  return {
    items: load(shown.map(([, id]) => id)),
    total,
    nextCursor: more ? encode(page.sort, page.order, last) : null,
  };
}

const inOrder = <T extends { readonly id: string }>(ids: readonly string[], found: readonly T[]): T[] => {
  const byId = new Map(found.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** In the order of the ids; unknown ones are left out. */
export function readCis(db: Statements, tenant: string, ids: readonly string[]): Ci[] {
  const rows = db
    .statement(`SELECT ${CI_COLUMNS} FROM ci WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))`)
    .all(tenant, JSON.stringify(ids)) as unknown as CiRow[];
  return inOrder(ids, rows.map(ciOf));
}

/** As they were at `asOf`, taken literally: before its creation and after its removal there is no CI. */
export function readCisAsOf(db: Statements, tenant: string, ids: readonly string[], asOf: number): Ci[] {
  const rows = db
    .statement(
      `SELECT ${CI_COLUMNS} FROM ci WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND valid_from <= ?3
       UNION ALL
       SELECT ${CI_COLUMNS} FROM ci_past WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND valid_from <= ?3 AND valid_to > ?3`,
    )
    .all(tenant, JSON.stringify(ids), asOf) as unknown as CiRow[];
  return inOrder(ids, rows.map(ciOf));
}

export function readRelationships(db: Statements, tenant: string, ids: readonly string[]): Relationship[] {
  const rows = db
    .statement(
      `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))`,
    )
    .all(tenant, JSON.stringify(ids)) as unknown as RelationshipRow[];
  return inOrder(ids, rows.map(relationshipOf));
}

const oneOf = (column: string, values: readonly string[] | undefined): Condition[] =>
  values === undefined || values.length === 0
    ? []
    : [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }];

const containing = (text: string | undefined): Condition[] => {
  const part = text?.toLowerCase() ?? '';
  return part === ''
    ? []
    : [{ sql: '(instr(name_key, ?) > 0 OR instr(description_key, ?) > 0)', values: [part, part] }];
};

const CI_KEYS: Readonly<Record<CiSort, string>> = {
  name: 'name_key',
  created_at: 'created_at',
  updated_at: 'updated_at',
  type: 'type',
  status: 'status',
};
const ORDERED_INDEX: Readonly<Partial<Record<CiSort, string>>> = { created_at: 'ci_created', updated_at: 'ci_updated' };

/** Without statistics SQLite cannot know which index serves a list best, so each case names its own. */
export function listCis(
  db: Statements,
  tenant: string,
  filter: Omit<CiFilter, 'ip'> & { readonly ids?: readonly string[] },
  page: PageRequest<CiSort>,
): Page<Ci> {
  const search = containing(filter.search);
  const kinds = [...oneOf('type', filter.types), ...oneOf('status', filter.statuses)];
  const ids =
    filter.ids === undefined
      ? []
      : [{ sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(filter.ids)] }];
  const where = [{ sql: 'tenant = ?', values: [tenant] }, ...kinds, ...search, ...ids];
  const ordered = where.length === 1 ? ORDERED_INDEX[page.sort] : undefined;
  const scanned = ids.length > 0 ? 'ci_id' : (ordered ?? 'ci_list');
  const counted = ids.length > 0 ? 'ci_id' : search.length > 0 ? 'ci_list' : kinds.length > 0 ? 'ci_type' : 'ci_id';
  const keys = keysOf(
    db,
    { from: `ci INDEXED BY ${scanned}`, where, key: CI_KEYS[page.sort], order: page.order },
    page,
  );
  return pageOf(keys, page, countOf(db, `ci INDEXED BY ${counted}`, where), (found) => readCis(db, tenant, found));
}

/** The rows of one end; either end is two reads, so that each has its index. */
function relationshipsFrom(tenant: string, filter: RelationshipFilter): { from: string; where: Condition[] } {
  const own: Condition = { sql: 'tenant = ?', values: [tenant] };
  const where: Condition[] = [];
  if (filter.source !== undefined) where.push({ sql: 'source = ?', values: [filter.source] });
  if (filter.target !== undefined) where.push({ sql: 'target = ?', values: [filter.target] });
  if (filter.type !== undefined) where.push({ sql: 'type = ?', values: [filter.type] });
  if (!filter.includeAi) where.push({ sql: 'ai = 0', values: [] });
  if (filter.ci === undefined) {
    const ends = filter.source === undefined && filter.target === undefined;
    return { from: ends ? 'relationship INDEXED BY relationship_created' : 'relationship', where: [own, ...where] };
  }
  const from = `(SELECT id, created_at, source, target, type, ai FROM relationship WHERE tenant = ? AND source = ?
    UNION ALL SELECT id, created_at, source, target, type, ai FROM relationship WHERE tenant = ? AND target = ? AND source <> ?)`;
  const ends: Condition = { sql: '1 = 1', values: [tenant, filter.ci, tenant, filter.ci, filter.ci] };
  return { from, where: [ends, ...where] };
}

export function listRelationships(
  db: Statements,
  tenant: string,
  filter: RelationshipFilter,
  page: PageRequest<'created_at'>,
): Page<Relationship> {
  const { from, where } = relationshipsFrom(tenant, filter);
  const keys = keysOf(db, { from, where, key: 'created_at', order: page.order }, page);
  return pageOf(keys, page, countOf(db, from, where), (found) => readRelationships(db, tenant, found));
}
