/** Reads CIs with all their relationships but proposed ones, and which CIs have changed since. */
import type { Run } from '#infra/neo4j/client/client.ts';

export type LoadedEdge = readonly [
  other: string,
  type: string,
  critical: boolean,
  since: number | null,
  until: number | null,
];

export interface LoadedCi {
  readonly id: string;
  /** Time of removal; null while it lives. */
  readonly ended: number | null;
  /** Relationships of which it is the source. */
  readonly up: readonly LoadedEdge[];
  readonly down: readonly LoadedEdge[];
}

const EDGES = (end: 'source' | 'target', left: string, right: string): string =>
  `[(c)${left}-[r:RELATES|RELATED]-${right}() WHERE r.ai = false AND (r.valid_to IS NULL OR r.valid_to > $floor)
    | [r.${end}, r.type, r.critical, r.since, r.valid_to]]`;
const LOAD_CIS = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})
  RETURN id, c.ended AS ended, ${EDGES('target', '', '>')} AS up, ${EDGES('source', '<', '')} AS down`;
const CHANGED = `MATCH (c:Ci) WHERE c.tenant = $tenant AND c.touched > $version RETURN c.id AS id LIMIT $limit`;

/** Loads CIs with the relationships that were valid at `floor` or later. Unknown CIs are left out. */
export const loadCis = (read: Run, tenant: string, ids: readonly string[], floor: number): Promise<LoadedCi[]> =>
  read<LoadedCi>(LOAD_CIS, { tenant, ids, floor });

/** Ids of the CIs that changed, or whose relationships changed, after a version; at most `limit`. */
export async function changedSince(read: Run, tenant: string, version: number, limit: number): Promise<string[]> {
  return (await read<{ id: string }>(CHANGED, { tenant, version, limit })).map(({ id }) => id);
}
