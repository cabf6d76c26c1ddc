import type { Ports } from '#domain/ports/ports.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import { isProposed, type Relationship } from '#domain/topology/topology.ts';
import { asJoined, joinedRecord } from './joined.ts';
import type { Rebinder } from './rebinder.ts';

type Minting = Pick<Ports, 'ids' | 'clock'>;

const watchedCis = (cis: CiStore, rebinder: Rebinder, minting: Minting): CiStore => ({
  async put(tenant, put, sideRecords) {
    await cis.put(tenant, put, sideRecords);
    rebinder.note(tenant, put);
  },
  remove: cis.remove,
  async merge(tenant, merge) {
    const { into } = merge;
    const joined = joinedRecord(minting, tenant, [into.id]);
    const merged = await cis.merge(tenant, {
      ...merge,
      sideRecords: (done) => [...(merge.sideRecords?.(done) ?? []), ...(done.moved > 0 ? [joined] : [])],
    });
    if (merged === null) return null;
    rebinder.note(tenant, [into]);
    if (merged.moved > 0) rebinder.noteJoined(asJoined(joined));
    return merged;
  },
  seen: cis.seen,
});

/** Relationships that count from now on: new ones, and those that were proposals, or had another type, until now. */
async function countingFromNow(
  topology: TopologyQueries,
  tenant: string,
  put: readonly Relationship[],
): Promise<readonly Relationship[]> {
  const counting = put.filter((one) => !isProposed(one));
  const made = counting.filter(({ revision }) => revision === 1);
  const changed = counting.filter(({ revision }) => revision > 1);
  if (changed.length === 0) return made;
  const before = await topology.relationshipsBetween(tenant, changed);
  const turned = changed.filter((_, i) => before[i] === null || before[i] === undefined || isProposed(before[i]));
  return [...made, ...turned];
}

const watchedRelationships = (
  { relationships, topology }: Pick<TopologyPorts, 'relationships' | 'topology'>,
  rebinder: Rebinder,
  minting: Minting,
): RelationshipStore => ({
  async put(tenant, put, sideRecords) {
    const made = await countingFromNow(topology, tenant, put);
    if (made.length === 0) return relationships.put(tenant, put, sideRecords);
    const ends = new Set(made.flatMap(({ source, target }) => [source, target]));
    const joined = joinedRecord(minting, tenant, [...ends]);
    await relationships.put(tenant, put, [...(sideRecords ?? []), joined]);
    rebinder.noteJoined(asJoined(joined));
  },
  remove: relationships.remove,
});

/** Tells the rebinder of all CIs that are put and of all relationships that begin to count, whoever does it. */
export const watchedTopology = (ports: TopologyPorts, rebinder: Rebinder, minting: Minting): TopologyPorts => ({
  cis: watchedCis(ports.cis, rebinder, minting),
  relationships: watchedRelationships(ports, rebinder, minting),
  topology: ports.topology,
  estate: ports.estate,
  graph: ports.graph,
  matcher: ports.matcher,
  counts: ports.counts,
  history: ports.history,
});
