import type { CiFilter, TopologyStore } from '#domain/ports/topology-store.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { type Binding, type BindingQuery, bindOne, nodesAt, nodesIn } from '#domain/topology/binding.ts';
import { countEdges } from '#domain/topology/graph/edges.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { Database } from './journal/database.ts';
import type { Tables } from './open-tables.ts';
import { openReader } from './reader/reader.ts';
import { gatheredAlong } from './records/coalesce-side-records.ts';
import { typesInUse } from './topology/counts.ts';
import { readBetween, readCis, readCisAsOf, readRelationshipAsOf, readRelationships } from './topology/get.ts';
import { loadTopology } from './topology/load.ts';
import { matchIn } from './topology/match.ts';
import { emptyTenant, forgetOldest, HISTORY_IN_MEMORY, liveNode, type TenantTopology } from './topology/memory.ts';
import { mergeCis } from './topology/merge.ts';
import { aroundAt, impact, neighbourhood, path } from './topology/now.ts';
import { forgetVersions, removeCi, removeRelationship } from './topology/remove.ts';
import { readSightings, writeSightings } from './topology/seen.ts';
import { putCis } from './topology/write-cis.ts';
import { putRelationships } from './topology/write-relationships.ts';

export interface EmbeddedTopology {
  readonly store: TopologyStore;
  /** For the runner, inside its batch: as `store.around`, but undefined when the CI is unknown. Cheap when cached, else one walk. */
  aroundNow(tenant: string, ciId: string, at: number): ArrivalTopology | undefined;
  /** Memory forgets the tenant, whose rows go too. */
  drop(tenant: string): void;
}

const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };
const AMBIGUOUS: Binding = { ci: null, method: null, ambiguous: true };

function bindIn(topology: TenantTopology, query: BindingQuery): Binding {
  const match = bindOne(topology.directory, (id) => liveNode(topology, id), query);
  if (match === null) return UNBOUND;
  if (match === 'ambiguous') return AMBIGUOUS;
  const { node, method } = match;
  const ci = { id: topology.graph.ids[node]!, name: topology.names[node]!, type: topology.types[node]! };
  return { ci, method, ambiguous: false };
}

const idsAt = (topology: TenantTopology, ip: string): string[] =>
  nodesAt(topology.directory, canonicalAddress(ip) ?? '').map((node) => topology.graph.ids[node]!);

/** Those that have the address and the key; null when neither is asked for. */
function idsOf(topology: TenantTopology, { ip, externalKey }: Pick<CiFilter, 'ip' | 'externalKey'>): string[] | null {
  const keyed =
    externalKey === undefined
      ? null
      : nodesIn(topology.directory.external, externalKey.toLowerCase()).map((node) => topology.graph.ids[node]!);
  const placed = ip === undefined ? null : idsAt(topology, ip);
  return keyed !== null && placed !== null ? keyed.filter((id) => placed.includes(id)) : (keyed ?? placed);
}

const countsOf = (topology: TenantTopology, ids: readonly string[]): Map<string, number> =>
  new Map(
    ids.map((id) => {
      const node = liveNode(topology, id);
      return [id, node === undefined ? 0 : countEdges(topology.graph, node)];
    }),
  );

/** CIs and relationships in the one file, with all walks in memory. Loads every tenant: about a second per 300,000 relationships. */
export function openTopology(
  database: Database,
  { records, surroundings }: Pick<Tables, 'records' | 'surroundings'>,
  historyInMemory = HISTORY_IN_MEMORY,
  reader = openReader(database),
): EmbeddedTopology {
  const file = { database, records };
  const tenants = loadTopology(database, historyInMemory, surroundings);
  /** Answers that the change may have made wrong go. */
  const changed = (topology: TenantTopology): void => {
    topology.cache.clear();
    forgetOldest(topology, historyInMemory);
  };
  const none = emptyTenant(surroundings.open());
  /** A tenant without CIs reads an empty topology and gets its own with the first CI. */
  const of = (tenant: string): TenantTopology => tenants.get(tenant) ?? none;
  const own = (tenant: string): TenantTopology => {
    const known = tenants.get(tenant) ?? emptyTenant(surroundings.open());
    tenants.set(tenant, known);
    return known;
  };
  const aroundNow: EmbeddedTopology['aroundNow'] = (tenant, ciId, at) =>
    aroundAt(database, of(tenant), tenant, ciId, at);

  const store: TopologyStore = {
    putCis: gatheredAlong<Ci>((tenant, cis, along) => {
      const topology = own(tenant);
      putCis(file, topology, tenant, cis, along);
      changed(topology);
    }, database.turn),
    putRelationships: gatheredAlong<Relationship>((tenant, given, along) => {
      const topology = own(tenant);
      putRelationships(file, topology, tenant, given, along);
      changed(topology);
    }, database.turn),
    removeCi: (tenant, id, at, how) =>
      database.turn(() => {
        const topology = of(tenant);
        const removed = removeCi(file, topology, tenant, { ...how, id, at });
        if (removed !== null) changed(topology);
        return removed;
      }),
    mergeCis: (tenant, merge) =>
      database.turn(() => {
        const topology = of(tenant);
        const merged = mergeCis(file, topology, tenant, merge);
        if (merged !== null) changed(topology);
        return merged;
      }),
    removeRelationship: (tenant, id, at, how) =>
      database.turn(() => {
        const topology = of(tenant);
        const removed = removeRelationship(file, topology, tenant, { ...how, id, at });
        if (removed !== null) changed(topology);
        return removed;
      }),
    async getCis(tenant, ids, asOf) {
      return asOf === undefined ? readCis(database, tenant, ids) : readCisAsOf(database, tenant, ids, asOf);
    },
    async getRelationship(tenant, id, asOf) {
      if (asOf !== undefined) return readRelationshipAsOf(database, tenant, id, asOf);
      return readRelationships(database, tenant, [id])[0] ?? null;
    },
    async relationshipsBetween(tenant, ends) {
      return readBetween(database, tenant, ends);
    },
    ciChanges: (tenant, id, page) => reader.run('topology.changes', { tenant, id, page }),
    async seen(tenant, sightings) {
      if (sightings.length === 0) return;
      await database.turn(() => database.transaction(() => writeSightings(database, of(tenant), tenant, sightings)));
    },
    async lastSeen(tenant, ciIds) {
      return readSightings(database, tenant, ciIds);
    },
    findCis(tenant, { ip, externalKey, ...filter }, page) {
      const ids = idsOf(of(tenant), {
        ...(ip !== undefined && { ip }),
        ...(externalKey !== undefined && { externalKey }),
      });
      const stored = ids === null ? filter : { ...filter, ids };
      return reader.run('topology.cis', { tenant, filter: stored, page });
    },
    findRelationships: (tenant, filter, page) => reader.run('topology.relationships', { tenant, filter, page }),
    async countRelationships(tenant, ciIds) {
      return countsOf(of(tenant), ciIds);
    },
    async bind(tenant, queries) {
      return queries.map((query) => bindIn(of(tenant), query));
    },
    async bindInTime(tenant, queries) {
      return queries.map((query) => bindIn(of(tenant), query));
    },
    async match(tenant, machines) {
      return matchIn(database, of(tenant), tenant, machines);
    },
    async around(tenant, ciId, asOf) {
      return aroundNow(tenant, ciId, asOf) ?? null;
    },
    async neighbourhood(tenant, ciId, { asOf, ...options }) {
      return asOf === undefined
        ? neighbourhood(database, of(tenant), tenant, ciId, options)
        : reader.run('topology.hood', { tenant, ciId, options: { ...options, asOf } });
    },
    async impact(tenant, ciIds, { asOf, limit }) {
      return asOf === undefined
        ? impact(of(tenant), ciIds, limit)
        : reader.run('topology.impact', { tenant, ciIds, options: { limit, asOf } });
    },
    async path(tenant, from, to, { asOf, ...options }) {
      return asOf === undefined
        ? path(of(tenant), from, to, options)
        : reader.run('topology.path', { tenant, from, to, options: { ...options, asOf } });
    },
    async types(tenant) {
      return typesInUse(database, tenant);
    },
    async count(tenant) {
      return of(tenant).count;
    },
    forget: (before) => forgetVersions(database, before),
  };
  return {
    store,
    aroundNow,
    drop(tenant) {
      tenants.get(tenant)?.cache.clear();
      tenants.delete(tenant);
    },
  };
}
