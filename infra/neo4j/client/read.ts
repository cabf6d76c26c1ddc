/** CIs and relationships by id. */

import { MAX_TYPES, type TypeInUse, type TypesInUse } from '#domain/ports/topology/topology-counts.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { type Ci, type Relationship, relationshipType } from '#domain/topology/topology.ts';
import type { Run } from './client.ts';

const CIS = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id}) WHERE c.ended IS NULL RETURN id, c.record AS record`;
const CIS_AS_OF = `UNWIND $ids AS id CALL (id) {
    MATCH (c:Ci {tenant: $tenant, id: id}) WHERE c.valid_from <= $asOf RETURN c.record AS record
    UNION ALL
    MATCH (p:CiPast {tenant: $tenant, id: id}) WHERE p.valid_from <= $asOf AND p.valid_to > $asOf RETURN p.record AS record
  } RETURN id, record`;
const RELATIONSHIP = 'MATCH ()-[r:RELATES {tenant: $tenant, id: $id}]->() RETURN r.record AS record';
const RELATIONSHIP_AS_OF = `CALL () {
    MATCH ()-[r:RELATES {tenant: $tenant, id: $id}]->() WHERE r.valid_from <= $asOf RETURN r.record AS record
    UNION ALL
    MATCH ()-[r:RELATED {tenant: $tenant, id: $id}]->() WHERE r.valid_from <= $asOf AND r.valid_to > $asOf RETURN r.record AS record
  } RETURN record`;
const BETWEEN = `UNWIND $ends AS e
  MATCH (:Ci {tenant: $tenant, id: e.source})-[r:RELATES]->(:Ci {tenant: $tenant, id: e.target}) WHERE r.type = e.type
  RETURN e.place AS place, r.record AS record`;
const COUNTS = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})
  RETURN id, COUNT { (c)-[r:RELATES]-() WHERE r.ai = false } AS relationships`;
const TENANT = 'MATCH (t:Tenant {tenant: $tenant}) RETURN t.version AS version, t.cis AS cis';

export const parsed = <T>(record: string): T => JSON.parse(record) as T;

/**
 * Returns CIs in the order of the ids; unknown ones are left out. `asOf` is literal: before its creation and after its
 * removal there is no CI.
 */
export async function readCis(read: Run, tenant: string, ids: readonly string[], asOf?: number): Promise<Ci[]> {
  if (ids.length === 0) return [];
  const values = { tenant, ids, ...(asOf !== undefined && { asOf }) };
  const rows = await read<{ id: string; record: string }>(asOf === undefined ? CIS : CIS_AS_OF, values);
  const byId = new Map(rows.map(({ id, record }) => [id, record]));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : parsed<Ci>(record);
  });
}

export async function readRelationship(
  read: Run,
  tenant: string,
  id: string,
  asOf?: number,
): Promise<Relationship | null> {
  const [row] = await (asOf === undefined
    ? read<{ record: string }>(RELATIONSHIP, { tenant, id })
    : read<{ record: string }>(RELATIONSHIP_AS_OF, { tenant, id, asOf }));
  return row === undefined ? null : parsed<Relationship>(row.record);
}

/** Returns relationships in the order of the ends; null where there is none. */
export async function readBetween(read: Run, tenant: string, ends: readonly Ends[]): Promise<(Relationship | null)[]> {
  if (ends.length === 0) return [];
  const asked = ends.map(({ source, target, type }, place) => ({
    source,
    target,
    type: relationshipType(type),
    place,
  }));
  const rows = await read<{ place: number; record: string }>(BETWEEN, { tenant, ends: asked });
  const found = new Map(rows.map(({ place, record }) => [place, record]));
  return ends.map((_, place) => {
    const record = found.get(place);
    return record === undefined ? null : parsed<Relationship>(record);
  });
}

/** Relationships per CI, both directions counted, without proposed ones; 0 for unknown CIs. */
export async function countRelationships(
  read: Run,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read<{ id: string; relationships: number }>(COUNTS, { tenant, ids });
  const known = new Map(rows.map(({ id, relationships }) => [id, relationships]));
  return new Map(ids.map((id) => [id, known.get(id) ?? 0]));
}

/** Number of changes of the tenant's topology, and of its CIs. */
export async function readTenant(read: Run, tenant: string): Promise<{ version: number; cis: number }> {
  const [row] = await read<{ version: number; cis: number }>(TENANT, { tenant });
  return row ?? { version: 0, cis: 0 };
}

const TYPES = `CALL () {
    MATCH (c:Ci) WHERE c.tenant = $tenant AND c.type IS NOT NULL RETURN 'cis' AS kind, c.type AS type, count(*) AS count
    UNION ALL
    MATCH ()-[r:RELATES]->() WHERE r.tenant = $tenant AND r.created_at IS NOT NULL AND r.id IS NOT NULL AND r.ai = false
    RETURN 'relationships' AS kind, r.type AS type, count(*) AS count
  } RETURN kind, type, count ORDER BY count DESC, type`;

/** Counts them all: about a second for a million relationships. */
export async function readTypes(read: Run, tenant: string): Promise<TypesInUse> {
  const rows = await read<TypeInUse & { kind: keyof TypesInUse }>(TYPES, { tenant });
  const of = (asked: keyof TypesInUse): TypeInUse[] =>
    rows
      .filter(({ kind }) => kind === asked)
      .map(({ type, count }) => ({ type, count }))
      .slice(0, MAX_TYPES);
  return { cis: of('cis'), relationships: of('relationships') };
}
