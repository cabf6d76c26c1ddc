import type { Part } from '#domain/page.ts';
import {
  type CiPlace,
  type FieldInUse,
  MAX_FIELDS_IN_USE,
  MAX_LINKS_AMONG,
  MAX_PLACES,
  type PlacesQuery,
} from '#domain/ports/topology/infrastructure-queries.ts';
import { fieldKey, fieldOfKey } from '#domain/topology/fields.ts';
import {
  ciRow,
  type InfrastructureCiRow,
  type InfrastructureLinkRow,
  linkRow,
} from '#domain/topology/infrastructure-rows.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import { fieldMark } from '#infra/neo4j/client/ci-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';
import { cisOf, listCis, listRelationships } from './lists.ts';

/** Number copied in a millisecond or two. */
const AT_ONCE = 50;
const page = (cursor: string | undefined) =>
  ({ sort: 'created_at', order: 'asc', limit: AT_ONCE, ...(cursor !== undefined && { cursor }) }) as const;

export async function infrastructureCis(
  read: Run,
  tenant: string,
  cursor?: string,
): Promise<Part<InfrastructureCiRow>> {
  const { items, nextCursor } = await listCis(read, tenant, {}, page(cursor));
  return { items: items.map(ciRow), nextCursor };
}

export async function infrastructureLinks(
  read: Run,
  tenant: string,
  cursor?: string,
): Promise<Part<InfrastructureLinkRow>> {
  const { items, nextCursor } = await listRelationships(read, tenant, { includeAi: false }, page(cursor));
  return { items: items.map(linkRow), nextCursor };
}

/** The first value of each field in alphabetical order, after the mark of the field. */
const VALUES = `[mark IN $marks | reduce(least = null, f IN n.fields |
    CASE WHEN f STARTS WITH mark AND (least IS NULL OR f < least) THEN f ELSE least END)]`;

interface PlaceRow extends Omit<CiPlace, 'values'> {
  readonly id: string | null;
  readonly type: string | null;
  readonly fields: readonly (string | null)[];
}

export async function placesOf(
  read: Run,
  tenant: string,
  { filter, by, ranks }: PlacesQuery,
): Promise<readonly CiPlace[]> {
  const { cypher, values } = cisOf(tenant, filter);
  const marks = by.flatMap((key) => (typeof key === 'string' ? [] : [fieldMark(fieldKey(key), '')]));
  const rows = await read<PlaceRow>(
    `${cypher} WITH ${by.includes('ci') ? 'n.id' : 'null'} AS id, ${by.includes('type') ? 'n.type' : 'null'} AS type,
       ${VALUES} AS fields, $ranks[n.id] AS rank
     WITH id, type, fields, count(*) AS cis, count(rank) AS ranked, coalesce(max(rank), 0) AS highest
     RETURN * ORDER BY highest DESC, cis DESC, fields, type, id LIMIT ${MAX_PLACES}`,
    { ...values, marks, ranks: Object.fromEntries(ranks) },
  );
  return rows.map(({ id, type, fields, cis, ranked, highest }) => {
    let field = 0;
    const placeValue = (key: PlacesQuery['by'][number]): string | null => {
      if (typeof key === 'string') return key === 'ci' ? id : type;
      const mark = marks[field]?.length ?? 0;
      return fields[field++]?.slice(mark) ?? null;
    };
    return { values: by.map(placeValue), cis, ranked, highest };
  });
}

const FIELDS = `MATCH (n:Ci) WHERE n.tenant = $tenant AND n.name_key IS NOT NULL UNWIND n.fields AS field
  WITH field, count(*) AS count
  WITH split(field, $between)[0] AS mark, sum(count) AS count, count(*) AS values
  RETURN mark, count, values ORDER BY count DESC, mark LIMIT ${MAX_FIELDS_IN_USE}`;

export async function fieldsInUse(read: Run, tenant: string): Promise<readonly FieldInUse[]> {
  const [prefix = '', between = ''] = [fieldMark('', '').slice(0, -1), fieldMark('', '').slice(-1)];
  const rows = await read<{ mark: string; count: number; values: number }>(FIELDS, { tenant, between });
  return rows.map(({ mark, count, values }) => ({ ...fieldOfKey(mark.slice(prefix.length)), count, values }));
}

const AMONG = `MATCH (a:Ci)-[r:RELATES]->(b:Ci) WHERE a.tenant = $tenant AND a.id IN $ids AND b.id IN $ids AND r.ai = false
  RETURN r.record AS record ORDER BY r.created_at, r.id LIMIT ${MAX_LINKS_AMONG}`;

export const linksAmong = async (read: Run, tenant: string, ids: readonly string[]): Promise<Relationship[]> =>
  (await read<{ record: string }>(AMONG, { tenant, ids })).map(({ record }) => parsed<Relationship>(record));
