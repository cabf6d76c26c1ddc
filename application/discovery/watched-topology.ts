import type { Ports } from '#domain/ports/ports.ts';
import type { CiMatcher } from '#domain/ports/topology/ci-matcher.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
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

const watchedRelationships = (
  relationships: RelationshipStore,
  rebinder: Rebinder,
  minting: Minting,
): RelationshipStore => ({
  async put(tenant, put, sideRecords) {
    const made = put.filter(({ revision }) => revision === 1);
    if (made.length === 0) return relationships.put(tenant, put, sideRecords);
    const ends = new Set(made.flatMap(({ source, target }) => [source, target]));
    const joined = joinedRecord(minting, tenant, [...ends]);
    await relationships.put(tenant, put, [...(sideRecords ?? []), joined]);
    rebinder.noteJoined(asJoined(joined));
  },
  remove: relationships.remove,
});

const watchedMatcher = (matcher: CiMatcher, rebinder: Rebinder): CiMatcher => ({
  bind: matcher.bind,
  async bindInTime(tenant, queries) {
    const bindings = await matcher.bindInTime(tenant, queries);
    if (bindings.includes(null)) rebinder.noteAll(tenant);
    return bindings;
  },
  match: matcher.match,
});

/**
 * Tells the rebinder of all CIs that are put, of all relationships that are made, whoever does it, and of tenants whose events were
 * taken in unbound.
 */
export const watchedTopology = (ports: TopologyPorts, rebinder: Rebinder, minting: Minting): TopologyPorts => ({
  cis: watchedCis(ports.cis, rebinder, minting),
  relationships: watchedRelationships(ports.relationships, rebinder, minting),
  topology: ports.topology,
  graph: ports.graph,
  matcher: watchedMatcher(ports.matcher, rebinder),
  counts: ports.counts,
  history: ports.history,
});
