import type { Ports } from '#domain/ports/ports.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import { isProposed, type Relationship } from '#domain/topology/topology.ts';
import { asJoined, joinedRecord } from './joined.ts';
import type { Rebinder } from './rebinder.ts';
import { DISCOVER } from './records.ts';

type Hearing = Pick<Ports, 'ids' | 'clock' | 'background'>;

const watchedCis = (cis: CiStore, rebinder: Rebinder, hearing: Hearing): CiStore => ({
  async put(tenant, put, sideRecords) {
    await cis.put(tenant, put, sideRecords);
    rebinder.note(tenant, put);
    hearing.background.ring(DISCOVER);
  },
  remove: cis.remove,
  async merge(tenant, merge) {
    const { into } = merge;
    const joined = joinedRecord(hearing, tenant, [into.id]);
    const merged = await cis.merge(tenant, {
      ...merge,
      sideRecords: (done) => [...(merge.sideRecords?.(done) ?? []), ...(done.moved > 0 ? [joined] : [])],
    });
    if (merged === null) return null;
    rebinder.note(tenant, [into]);
    if (merged.moved > 0) rebinder.noteJoined(asJoined(joined));
    hearing.background.ring(DISCOVER);
    return merged;
  },
  seen: cis.seen,
});

/** Relationships with a new effect: new ones, and former proposals or other types. */
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
  hearing: Hearing,
): RelationshipStore => ({
  async put(tenant, put, sideRecords) {
    const made = await countingFromNow(topology, tenant, put);
    if (made.length === 0) return relationships.put(tenant, put, sideRecords);
    const ends = new Set(made.flatMap(({ source, target }) => [source, target]));
    const joined = joinedRecord(hearing, tenant, [...ends]);
    await relationships.put(tenant, put, [...(sideRecords ?? []), joined]);
    rebinder.noteJoined(asJoined(joined));
    hearing.background.ring(DISCOVER);
  },
  remove: relationships.remove,
});

/** Notifies the rebinder of all stored CIs and of all relationships with a new effect, by any writer. */
export const watchedTopology = (ports: TopologyPorts, rebinder: Rebinder, hearing: Hearing): TopologyPorts => ({
  cis: watchedCis(ports.cis, rebinder, hearing),
  relationships: watchedRelationships(ports, rebinder, hearing),
  topology: ports.topology,
  estate: ports.estate,
  graph: ports.graph,
  matcher: ports.matcher,
  counts: ports.counts,
  history: ports.history,
});
