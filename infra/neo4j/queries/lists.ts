/** Lists of CIs and relationships. */

import { firstItem } from '#domain/assert.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { CiFilter, CiSort, RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { fieldKey } from '#domain/topology/fields.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { addressKey, externalMark, fieldMark } from '#infra/neo4j/client/ci-rows.ts';
import type { Run, Values } from '#infra/neo4j/client/client.ts';
import { decodeTopologyCursor, encodeCursor } from '#infra/page-cursor.ts';
import { parsed } from '../client/read.ts';

/** Pages in a total order: by a key, then by id. */

/** A part of a pattern's conditions, and its parameters. */
interface CypherCondition {
  readonly cypher: string;
  readonly values: Values;
}

/** Source of records. `n` is the node or edge; the pattern may name an index. */
interface CypherListing {
  readonly match: string;
  readonly where: readonly CypherCondition[];
  readonly key: string;
}

/** The first part is a range of the index, the second skips rows of the page before. */
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

interface ListingRow {
  readonly key: string | number;
  readonly id: string;
  readonly record: string;
}

/**
 * Reads one more than the page has, when there is a next page. The tenant is part of the order, so that an index can
 * serve it.
 */
function rowsOf(read: Run, { match, where, key }: CypherListing, page: PageRequest<string>): Promise<ListingRow[]> {
  const { cypher, values } = all([...where, ...beyond(key, page)]);
  const order = ['tenant', key, 'id'].map((property) => `n.${property} ${page.order}`).join(', ');
  return read<ListingRow>(
    `${match} WHERE ${cypher} WITH n ORDER BY ${order} SKIP $offset LIMIT $limit
     RETURN n.${key} AS key, n.id AS id, n.record AS record`,
    { ...values, offset: page.offset ?? 0, limit: page.limit + 1 },
  );
}

async function countOf(read: Run, { match, where }: CypherListing): Promise<number> {
  const { cypher, values } = all(where);
  return firstItem(await read<{ total: number }>(`${match} WHERE ${cypher} RETURN count(*) AS total`, values)).total;
}

/** A first page that is not full already contains the total; else `counted` counts in the cheapest way. */
async function pageOf<T>(
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

const KEYS: Readonly<Record<CiSort, string>> = {
  name: 'name_key',
  created_at: 'created_at',
  updated_at: 'updated_at',
  type: 'type',
  status: 'status',
};
/** Keys with an index that has them in order. */
const ORDERED: readonly CiSort[] = ['name', 'created_at', 'updated_at'];

const oneOf = (property: string, values: readonly string[] | undefined): CypherCondition[] =>
  values === undefined || values.length === 0
    ? []
    : [{ cypher: `n.${property} IN $${property}`, values: { [property]: values } }];

/** The index of texts has parts of three characters; for fewer it has to be read whole, for all tenants. */
const MIN_INDEXED = 3;

/** CIs that contain the text; few texts are too long for the index. */
const searching = (text: string): string => {
  const hint = text.length < MIN_INDEXED ? '' : ' USING TEXT INDEX n:Ci(text)';
  return `CALL () {
    MATCH (n:Ci)${hint} WHERE n.tenant = $tenant AND n.text CONTAINS $text RETURN n
    UNION MATCH (n:Ci) WHERE n.tenant = $tenant AND n.wordy = true AND n.long_text CONTAINS $text RETURN n
  } WITH n`;
};

/** Returns the keys of the requested CIs. */
const keysOf = ({ ip, externalKey, fields = [] }: CiFilter): string[] => [
  ...(ip === undefined ? [] : [addressKey(canonicalAddress(ip) ?? '')]),
  ...(externalKey === undefined ? [] : [externalMark(externalKey)]),
  ...fields.map((field) => fieldMark(fieldKey(field), field.value)),
];

/** Each is one access to the index of keys. */
const knownBy = (keys: readonly string[]): CypherCondition[] =>
  keys.map((key, i) => ({
    cypher: `EXISTS { MATCH (k${i}:Known) WHERE k${i}.tenant = $tenant AND k${i}.key = $key${i} AND k${i}.ci = n.id }`,
    values: { [`key${i}`]: key },
  }));

/** Selects records with one key, which are then filtered. */
const FIRST_KNOWN = `MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = $key0 AND k.ci IS NOT NULL
  WITH DISTINCT k.ci AS known MATCH (n:Ci {tenant: $tenant, id: known})`;

const sighted = ({ seenFrom, seenBefore, neverSeen }: CiFilter): CypherCondition[] => [
  ...(seenFrom === undefined ? [] : [{ cypher: 'n.seen_at >= $seenFrom', values: { seenFrom } }]),
  ...(seenBefore === undefined ? [] : [{ cypher: 'n.seen_at < $seenBefore', values: { seenBefore } }]),
  ...(neverSeen === true ? [{ cypher: 'n.seen_at IS NULL', values: {} }] : []),
];

/** A field of a CI is a text that begins with its mark. */
const lacking = (without: CiFilter['without'] = []): CypherCondition[] =>
  without.map((field, i) => ({
    cypher: `NONE(f IN n.fields WHERE f STARTS WITH $without${i})`,
    values: { [`without${i}`]: fieldMark(fieldKey(field), '') },
  }));

/** A removed CI has no name any more. */
const living = (tenant: string): CypherCondition => ({
  cypher: 'n.tenant = $tenant AND n.name_key IS NOT NULL AND n.id IS NOT NULL',
  values: { tenant },
});

/** The order of an index serves a page best unless a filter leaves few: then the server finds those first. */
function cisIn(tenant: string, filter: CiFilter, sort: CiSort): CypherListing {
  const text = filter.search?.toLowerCase() ?? '';
  const key = KEYS[sort];
  const [keys, seen] = [keysOf(filter), sighted(filter)];
  const where = [
    living(tenant),
    { cypher: `n.${key} IS NOT NULL`, values: text === '' ? {} : { text } },
    ...oneOf('type', filter.types),
    ...oneOf('status', filter.statuses),
    ...knownBy(keys),
    ...lacking(filter.without),
    ...seen,
  ];
  if (text !== '') return { match: searching(text), where, key };
  if (keys.length > 0) return { match: FIRST_KNOWN, where, key };
  const isOrdered = seen.length === 0 && ORDERED.includes(sort);
  return { match: `MATCH (n:Ci)${isOrdered ? ` USING INDEX n:Ci(tenant, ${key}, id)` : ''}`, where, key };
}

/** The pattern and conditions of a filter without an order: it is free to use any index. */
export const cisOf = (tenant: string, filter: CiFilter): CypherCondition => {
  const { match, where } = cisIn(tenant, filter, 'name');
  const { cypher, values } = all(where);
  return { cypher: `${match.replace(/ USING INDEX .*$/, '')} WHERE ${cypher}`, values };
};

/** Counting needs no order, so it is free to use any index. */
export function listCis(read: Run, tenant: string, filter: CiFilter, page: PageRequest<CiSort>): Promise<Page<Ci>> {
  const listing = cisIn(tenant, filter, page.sort);
  return pageOf<Ci>(read, listing, page, { ...listing, match: listing.match.replace(/ USING INDEX .*$/, '') });
}

const equal = (property: string, value: string | undefined): CypherCondition[] =>
  value === undefined ? [] : [{ cypher: `n.${property} = $${property}`, values: { [property]: value } }];

const originIn = ({ fromAi, includeAi }: RelationshipFilter): CypherCondition[] => {
  if (fromAi !== undefined)
    return [
      { cypher: 'n.from_ai IN $origins', values: { origins: fromAi === 'both' ? ['open', 'accepted'] : [fromAi] } },
    ];
  return includeAi ? [] : [{ cypher: 'n.ai = false', values: {} }];
};

/** Relationships of a CI are connected to it; all of a tenant are in an index. */
function relationshipsIn(tenant: string, filter: RelationshipFilter): CypherListing {
  const { ci, source, target, type, fromAi } = filter;
  const own = { cypher: 'n.tenant = $tenant', values: { tenant } };
  const kinds = [...equal('type', type), ...originIn(filter)];
  const where = [own, ...equal('source', source), ...equal('target', target), ...kinds];
  const key = 'created_at';
  const start = ci ?? source ?? target;
  if (start !== undefined) {
    const arrow = ci !== undefined ? '-[n:RELATES]-' : source !== undefined ? '-[n:RELATES]->' : '<-[n:RELATES]-';
    const from = { cypher: 'c.tenant = $tenant AND c.id = $start', values: { start } };
    return { match: `MATCH (c:Ci)${arrow}()`, where: [from, ...where], key };
  }
  if (fromAi !== undefined)
    return { match: 'MATCH ()-[n:RELATES]->() USING INDEX n:RELATES(tenant, from_ai)', where, key };
  const ordered = { cypher: 'n.created_at IS NOT NULL AND n.id IS NOT NULL', values: {} };
  return {
    match: 'MATCH ()-[n:RELATES]->() USING INDEX n:RELATES(tenant, created_at, id)',
    where: [...where, ordered],
    key,
  };
}

export const listRelationships = (
  read: Run,
  tenant: string,
  filter: RelationshipFilter,
  page: PageRequest<'created_at'>,
): Promise<Page<Relationship>> => pageOf<Relationship>(read, relationshipsIn(tenant, filter), page);
