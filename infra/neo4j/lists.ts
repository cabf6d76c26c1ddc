/** Lists of CIs and relationships. */
import type { Page, PageRequest } from '#domain/ports/event-store.ts';
import type { CiFilter, CiSort, RelationshipFilter } from '#domain/ports/topology-store.ts';
import type { ParseAddress } from '#domain/topology/lookup.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { addressKey } from './ci-rows.ts';
import type { Run } from './client.ts';
import { type Condition, type Listing, pageOf } from './page.ts';

const KEYS: Readonly<Record<CiSort, string>> = {
  name: 'name_key',
  created_at: 'created_at',
  updated_at: 'updated_at',
  type: 'type',
  status: 'status',
};
/** Keys with an index that has them in order. */
const ORDERED: readonly CiSort[] = ['name', 'created_at', 'updated_at'];

const oneOf = (property: string, values: readonly string[] | undefined): Condition[] =>
  values === undefined || values.length === 0
    ? []
    : [{ cypher: `n.${property} IN $${property}`, values: { [property]: values } }];

const containing = (search: string | undefined): Condition[] =>
  search === undefined || search === ''
    ? []
    : [{ cypher: 'n.text CONTAINS $text', values: { text: search.toLowerCase() } }];

const at = (ip: string | undefined, parse: ParseAddress): Condition[] =>
  ip === undefined
    ? []
    : [
        {
          cypher:
            'n.id IN COLLECT { MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = $address AND k.ci IS NOT NULL RETURN k.ci }',
          values: { address: addressKey(parse(ip) ?? '') },
        },
      ];

/** A removed CI has no name any more. */
const living = (tenant: string): Condition => ({
  cypher: 'n.tenant = $tenant AND n.name_key IS NOT NULL AND n.id IS NOT NULL',
  values: { tenant },
});

/** The order of an index serves a page best unless a filter leaves few: then the server looks for those first. */
function cisIn(tenant: string, filter: CiFilter, sort: CiSort, parse: ParseAddress): Listing {
  const rare = [...containing(filter.search), ...at(filter.ip, parse)];
  const where = [living(tenant), ...oneOf('type', filter.types), ...oneOf('status', filter.statuses), ...rare];
  const key = KEYS[sort];
  const hint = rare.length === 0 && ORDERED.includes(sort) ? ` USING INDEX n:Ci(tenant, ${key}, id)` : '';
  return { match: `MATCH (n:Ci)${hint}`, where: [...where, { cypher: `n.${key} IS NOT NULL`, values: {} }], key };
}

export function listCis(
  read: Run,
  tenant: string,
  filter: CiFilter,
  page: PageRequest<CiSort>,
  parse: ParseAddress,
): Promise<Page<Ci>> {
  const listing = cisIn(tenant, filter, page.sort, parse);
  return pageOf<Ci>(read, listing, page, { ...listing, match: 'MATCH (n:Ci)' });
}

const equal = (property: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ cypher: `n.${property} = $${property}`, values: { [property]: value } }];

/** Relationships of a CI hang on it; all of a tenant are in an index. */
function relationshipsIn(tenant: string, filter: RelationshipFilter): Listing {
  const { ci, source, target, type, includeAi } = filter;
  const own = { cypher: 'n.tenant = $tenant', values: { tenant } };
  const kinds = [...equal('type', type), ...(includeAi ? [] : [{ cypher: 'n.ai = false', values: {} }])];
  const where = [own, ...equal('source', source), ...equal('target', target), ...kinds];
  const key = 'created_at';
  const start = ci ?? source ?? target;
  if (start !== undefined) {
    const arrow = ci !== undefined ? '-[n:RELATES]-' : source !== undefined ? '-[n:RELATES]->' : '<-[n:RELATES]-';
    const from = { cypher: 'c.tenant = $tenant AND c.id = $start', values: { start } };
    return { match: `MATCH (c:Ci)${arrow}()`, where: [from, ...where], key };
  }
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
