/** Pages in a total order: by a key, then by id. */
import { firstItem } from '#domain/known.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import { decodeTopologyCursor, encodeCursor } from '#infra/page-cursor.ts';
import type { Run, Values } from './client.ts';
import { parsed } from './read.ts';

/** A part of a pattern's conditions, and what its parameters are. */
export interface CypherCondition {
  readonly cypher: string;
  readonly values: Values;
}

/** Where records are looked for. `n` is the node or edge; the pattern may name an index. */
export interface CypherListing {
  readonly match: string;
  readonly where: readonly CypherCondition[];
  readonly key: string;
}

/** The first part is a range of the index, the second leaves out what the page before has shown. */
function beyond(key: string, page: PageRequest<string>): CypherCondition[] {
  if (page.cursor === undefined) return [];
  const { key: from, id: fromId } = decodeTopologyCursor(page.sort, page.order, page.cursor);
  const way = page.order === 'asc' ? '>' : '<';
  return [
    { cypher: `n.${key} ${way}= $from AND (n.${key} ${way} $from OR n.id ${way} $fromId)`, values: { from, fromId } },
  ];
}

const all = (where: readonly CypherCondition[]): CypherCondition => ({
  cypher: where.map(({ cypher }) => cypher).join(' AND '),
  values: Object.assign({}, ...where.map(({ values }) => values)) as Values,
});

interface Row {
  readonly key: string | number;
  readonly id: string;
  readonly record: string;
}

/** One more than the page has, when there is a next page. The tenant is named in the order, so that an index can give it. */
function rowsOf(read: Run, { match, where, key }: CypherListing, page: PageRequest<string>): Promise<Row[]> {
  const { cypher, values } = all([...where, ...beyond(key, page)]);
  const order = ['tenant', key, 'id'].map((property) => `n.${property} ${page.order}`).join(', ');
  return read<Row>(
    `${match} WHERE ${cypher} WITH n ORDER BY ${order} SKIP $offset LIMIT $limit
     RETURN n.${key} AS key, n.id AS id, n.record AS record`,
    { ...values, offset: page.offset ?? 0, limit: page.limit + 1 },
  );
}

async function countOf(read: Run, { match, where }: CypherListing): Promise<number> {
  const { cypher, values } = all(where);
  return firstItem(await read<{ total: number }>(`${match} WHERE ${cypher} RETURN count(*) AS total`, values)).total;
}

/** A first page that is not full tells the total by itself; else `counted` looks where counting is cheapest. */
export async function pageOf<T>(
  read: Run,
  listing: CypherListing,
  page: PageRequest<string>,
  counted: CypherListing = listing,
): Promise<Page<T>> {
  const rows = await rowsOf(read, listing, page);
  const shown = rows.slice(0, page.limit);
  const isWhole = page.cursor === undefined && (page.offset ?? 0) === 0 && rows.length === shown.length;
  const last = shown.at(-1);
  return {
    items: shown.map(({ record }) => parsed<T>(record)),
    total: isWhole ? rows.length : await countOf(read, counted),
    nextCursor: rows.length > shown.length && last !== undefined ? encodeCursor(page.sort, page.order, last) : null,
  };
}
