import type { CiMatcher } from '#domain/ports/topology/ci-matcher.ts';
import type { TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import { NO_KEYS } from '#domain/topology/match.ts';
import { isId } from '#domain/topology/merge.ts';
import type { Ci } from '#domain/topology/topology.ts';

/** Maximum of unknown ids resolved as former ones. */
const MAX_MISSING = 1_000;

/** The CIs that others were merged into, by the ids of those. */
async function survivors(
  topology: TopologyQueries,
  matcher: CiMatcher,
  tenant: string,
  ids: readonly string[],
  asOf: number | undefined,
): Promise<ReadonlyMap<string, Ci>> {
  const matched = await matcher.match(
    tenant,
    ids.map((id) => ({ ...NO_KEYS, external_key: [id] })),
  );
  const found = [...new Set(matched.flatMap(({ external_key }) => external_key))];
  const cis = found.length === 0 ? [] : await topology.getCis(tenant, found, asOf);
  const named = cis.flatMap((ci) => (ci.formerly ?? []).map((id) => [id, ci] as const));
  return new Map(named.filter(([id]) => ids.includes(id)));
}

/** Resolves ids of CIs that were merged into others; in a past before the merge each is itself. */
export const knowingFormerIds = (topology: TopologyQueries, matcher: CiMatcher): TopologyQueries => ({
  async getCis(tenant, ids, asOf) {
    const found = await topology.getCis(tenant, ids, asOf);
    const known = new Map(found.map((ci) => [ci.id, ci]));
    const missing = [...new Set(ids)].filter((id) => !known.has(id) && isId(id)).slice(0, MAX_MISSING);
    if (missing.length === 0) return found;
    const former = await survivors(topology, matcher, tenant, missing, asOf);
    return former.size === 0 ? found : ids.flatMap((id) => known.get(id) ?? former.get(id) ?? []);
  },
  findCis: topology.findCis,
  lastSeen: topology.lastSeen,
  getRelationship: topology.getRelationship,
  relationshipsBetween: topology.relationshipsBetween,
  findRelationships: topology.findRelationships,
  inMaintenance: topology.inMaintenance,
});
