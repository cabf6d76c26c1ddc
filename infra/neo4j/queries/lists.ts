/** Lists of CIs and relationships. */
import type { Page, PageRequest } from '#domain/page.ts';
import type { CiFilter, CiSort, RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { fieldKey } from '#domain/topology/fields.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { addressKey, externalMark, fieldMark } from '#infra/neo4j/client/ci-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { type CypherCondition, type CypherListing, pageOf } from '#infra/neo4j/client/page.ts';

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
const LEAST_INDEXED = 3;

/** CIs that contain the text; few texts are too long for the index. */
const searching = (text: string): string => {
  const hint = text.length < LEAST_INDEXED ? '' : ' USING TEXT INDEX n:Ci(text)';
  return `CALL () {
    MATCH (n:Ci)${hint} WHERE n.tenant = $tenant AND n.text CONTAINS $text RETURN n
    UNION MATCH (n:Ci) WHERE n.tenant = $tenant AND n.wordy = true AND n.long_text CONTAINS $text RETURN n
  } WITH n`;
};

/** Keys under which the CIs are known that are asked for. */
const keysOf = ({ ip, externalKey, fields = [] }: CiFilter): string[] => [
  ...(ip === undefined ? [] : [addressKey(canonicalAddress(ip) ?? '')]),
  ...(externalKey === undefined ? [] : [externalMark(externalKey)]),
  ...fields.map((field) => fieldMark(fieldKey(field), field.value)),
];

/** Each is one look into the index of keys. */
const knownBy = (keys: readonly string[]): CypherCondition[] =>
  keys.map((key, i) => ({
    cypher: `EXISTS { MATCH (k${i}:Known) WHERE k${i}.tenant = $tenant AND k${i}.key = $key${i} AND k${i}.ci = n.id }`,
    values: { [`key${i}`]: key },
  }));

/** Those of one key, from which the others are told apart. */
const FIRST_KNOWN = `MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = $key0 AND k.ci IS NOT NULL
  WITH DISTINCT k.ci AS known MATCH (n:Ci {tenant: $tenant, id: known})`;

const sighted = ({ seenFrom, seenBefore, neverSeen }: CiFilter): CypherCondition[] => [
  ...(seenFrom === undefined ? [] : [{ cypher: 'n.seen_at >= $seenFrom', values: { seenFrom } }]),
  ...(seenBefore === undefined ? [] : [{ cypher: 'n.seen_at < $seenBefore', values: { seenBefore } }]),
  ...(neverSeen === true ? [{ cypher: 'n.seen_at IS NULL', values: {} }] : []),
];

/** A removed CI has no name any more. */
const living = (tenant: string): CypherCondition => ({
  cypher: 'n.tenant = $tenant AND n.name_key IS NOT NULL AND n.id IS NOT NULL',
  values: { tenant },
});

/** The order of an index serves a page best unless a filter leaves few: then the server looks for those first. */
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
    ...seen,
  ];
  if (text !== '') return { match: searching(text), where, key };
  if (keys.length > 0) return { match: FIRST_KNOWN, where, key };
  const isOrdered = seen.length === 0 && ORDERED.includes(sort);
  return { match: `MATCH (n:Ci)${isOrdered ? ` USING INDEX n:Ci(tenant, ${key}, id)` : ''}`, where, key };
}

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

/** Relationships of a CI hang on it; all of a tenant are in an index. */
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
