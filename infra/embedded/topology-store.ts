import { entryOf, itemAt } from '#domain/assert.ts';
import type { CiMatcher } from '#domain/ports/topology/ci-matcher.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { GraphQueries } from '#domain/ports/topology/graph-queries.ts';
import type { InfrastructureQueries } from '#domain/ports/topology/infrastructure-queries.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyCounts } from '#domain/ports/topology/topology-counts.ts';
import type { TopologyHistory } from '#domain/ports/topology/topology-history.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { type CiFilter, MAX_MAINTAINED, type TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { type Binding, type BindingQuery, bindOne, nodesAt, nodesIn } from '#domain/topology/binding.ts';
import {
  arrivalTopology,
  CHAIN_HOPS,
  NEAR_HOPS,
  UPSTREAM_HOPS,
  walkAround,
} from '#domain/topology/graph/arrival-topology.ts';
import { countEdges, PRESENT } from '#domain/topology/graph/edges.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { Tables } from './open-tables.ts';
import { openReader, type Reader } from './reader/reader.ts';
import { coalesceSideRecords } from './records/coalesce-side-records.ts';
import type { Database } from './redo-log/database.ts';
import { typesInUse } from './topology/counts.ts';
import { readBetween, readCis, readCisAsOf, readRelationshipAsOf, readRelationships } from './topology/get.ts';
import { pastAround } from './topology/history.ts';
import { infrastructureCis, infrastructureLinks, linksAmong, type StoredCiFilter } from './topology/lists.ts';
import { loadTopology } from './topology/load.ts';
import { matchIn } from './topology/match.ts';
import { emptyTenant, forgetOldest, HISTORY_IN_MEMORY, liveNode, type TenantTopology } from './topology/memory.ts';
import { mergeCis } from './topology/merge.ts';
import { impact, neighbourhood, path } from './topology/now.ts';
import { forgetVersions, removeCi, removeRelationship } from './topology/remove.ts';
import type { Statements } from './topology/rows.ts';
import { readSightings, writeSightings } from './topology/seen.ts';
import { putCis } from './topology/write-cis.ts';
import { putRelationships } from './topology/write-relationships.ts';

export interface EmbeddedTopology {
  readonly ports: TopologyPorts;
  /**
   * Variant of `graph.around` for the runner, inside its batch: undefined when the CI is unknown. Cheap when cached,
   * else one walk.
   */
  aroundNow(tenant: string, ciId: string, at: number): ArrivalTopology | undefined;
  /** Memory forgets the tenant, whose rows go too. */
  drop(tenant: string): void;
}

const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };
const AMBIGUOUS: Binding = { ci: null, method: null, ambiguous: true };

/** Read by the thread that answers, where no other can. */
const INFRASTRUCTURE_ROWS = 20;

function bindIn(topology: TenantTopology, query: BindingQuery): Binding {
  const match = bindOne(topology.directory, (id) => liveNode(topology, id), query);
  if (match === null) return UNBOUND;
  if (match === 'ambiguous') return AMBIGUOUS;
  const { node, method } = match;
  const ci = {
    id: itemAt(topology.graph.ids, node),
    name: itemAt(topology.names, node),
    type: itemAt(topology.types, node),
  };
  const maintenance = topology.maintenance.get(node);
  return { ci, method, ambiguous: false, ...(maintenance && { maintenance }) };
}

/** A removed CI is known for times before its removal. */
function nodeAt(topology: TenantTopology, ciId: string, at: number): number | undefined {
  const node = topology.graph.nodes.get(ciId);
  return node === undefined || at >= (topology.graph.ended.get(node) ?? Infinity) ? undefined : node;
}

function forgottenAround(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  at: number,
): ArrivalTopology {
  const layers = [
    { direction: 'both', hops: Math.max(NEAR_HOPS, CHAIN_HOPS) },
    { direction: 'up', hops: UPSTREAM_HOPS - NEAR_HOPS },
  ] as const;
  const graph = pastAround(db, { tenant, asOf: at, literal: false, strict: false }, ciId, layers);
  return arrivalTopology(graph, entryOf(graph.nodes, ciId), PRESENT, topology.count, { from: -Infinity, to: Infinity });
}

/** The topology around a CI as of an event's time (decision 3); undefined when there is no such CI. */
function aroundAt(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  at: number,
): ArrivalTopology | undefined {
  const node = nodeAt(topology, ciId, at);
  if (node === undefined) return undefined;
  const known = topology.cache.get(node, at);
  if (known !== undefined) return known;
  if (at < topology.forgotten) return forgottenAround(db, topology, tenant, ciId, at);
  const era = { from: topology.forgotten, to: topology.graph.ended.get(node) ?? Infinity };
  const found = walkAround(topology.graph, node, at, topology.count, era);
  topology.cache.put(node, era, found.topology, { ...found.nodes, ids: topology.graph.ids });
  return found.topology;
}

const idsAt = (topology: TenantTopology, ip: string): string[] =>
  nodesAt(topology.directory, canonicalAddress(ip) ?? '').map((node) => itemAt(topology.graph.ids, node));

/** Returns CIs with the address and the key; null when neither is requested. */
function idsOf(topology: TenantTopology, { ip, externalKey }: Pick<CiFilter, 'ip' | 'externalKey'>): string[] | null {
  const keyed =
    externalKey === undefined
      ? null
      : nodesIn(topology.directory.external, externalKey.toLowerCase()).map((node) => itemAt(topology.graph.ids, node));
  const placed = ip === undefined ? null : idsAt(topology, ip);
  return keyed !== null && placed !== null ? keyed.filter((id) => placed.includes(id)) : (keyed ?? placed);
}

function storedFilter(topology: TenantTopology, { ip, externalKey, ...filter }: CiFilter): StoredCiFilter {
  const ids = idsOf(topology, { ...(ip !== undefined && { ip }), ...(externalKey !== undefined && { externalKey }) });
  return ids === null ? filter : { ...filter, ids };
}

const edgesOf = (topology: TenantTopology, ids: readonly string[]): Map<string, number> =>
  new Map(
    ids.map((id) => {
      const node = liveNode(topology, id);
      return [id, node === undefined ? 0 : countEdges(topology.graph, node)];
    }),
  );

interface Opened {
  readonly database: Database;
  readonly records: Tables['records'];
  readonly reader: Reader;
  /** A tenant without CIs reads an empty topology and gets its own with the first CI. */
  of(tenant: string): TenantTopology;
  own(tenant: string): TenantTopology;
  /** Answers that the change may have made wrong go. */
  changed(topology: TenantTopology): void;
}

const cisIn = (opened: Opened): CiStore => {
  const { database, of, own, changed } = opened;
  return {
    put: coalesceSideRecords<Ci>((tenant, cis, sideRecords) => {
      const topology = own(tenant);
      putCis(opened, topology, tenant, cis, sideRecords);
      changed(topology);
    }, database.exclusive),
    remove: (tenant, id, at, how) =>
      database.exclusive(() => {
        const topology = of(tenant);
        const removed = removeCi(opened, topology, tenant, { ...how, id, at });
        if (removed !== null) changed(topology);
        return removed;
      }),
    merge: (tenant, merge) =>
      database.exclusive(() => {
        const topology = of(tenant);
        const merged = mergeCis(opened, topology, tenant, merge);
        if (merged !== null) changed(topology);
        return merged;
      }),
    async seen(tenant, sightings) {
      if (sightings.length === 0) return;
      await database.exclusive(() =>
        database.transaction(() => writeSightings(database, of(tenant), tenant, sightings)),
      );
    },
  };
};

const relationshipsIn = (opened: Opened): RelationshipStore => {
  const { database, of, own, changed } = opened;
  return {
    put: coalesceSideRecords<Relationship>((tenant, given, sideRecords) => {
      const topology = own(tenant);
      putRelationships(opened, topology, tenant, given, sideRecords);
      changed(topology);
    }, database.exclusive),
    remove: (tenant, id, at, how) =>
      database.exclusive(() => {
        const topology = of(tenant);
        const removed = removeRelationship(opened, topology, tenant, { ...how, id, at });
        if (removed !== null) changed(topology);
        return removed;
      }),
  };
};

const queriesOf = ({ database, reader, of }: Opened): TopologyQueries => ({
  async getCis(tenant, ids, asOf) {
    return asOf === undefined ? readCis(database, tenant, ids) : readCisAsOf(database, tenant, ids, asOf);
  },
  findCis(tenant, { ip, externalKey, ...filter }, page) {
    const ids = idsOf(of(tenant), {
      ...(ip !== undefined && { ip }),
      ...(externalKey !== undefined && { externalKey }),
    });
    const stored = ids === null ? filter : { ...filter, ids };
    return reader.run('topology.cis', { tenant, filter: stored, page });
  },
  async lastSeen(tenant, ciIds) {
    return readSightings(database, tenant, ciIds);
  },
  async getRelationship(tenant, id, asOf) {
    if (asOf !== undefined) return readRelationshipAsOf(database, tenant, id, asOf);
    return readRelationships(database, tenant, [id])[0] ?? null;
  },
  async relationshipsBetween(tenant, ends) {
    return readBetween(database, tenant, ends);
  },
  findRelationships: (tenant, filter, page) => reader.run('topology.relationships', { tenant, filter, page }),
  async inMaintenance(tenant) {
    const { graph, maintenance } = of(tenant);
    const all = [...maintenance].slice(0, MAX_MAINTAINED);
    return all.map(([node, known]) => ({ ciId: itemAt(graph.ids, node), maintenance: known }));
  },
});

const infrastructureOf = ({ database, reader, of }: Opened): InfrastructureQueries => ({
  cis: async (tenant, cursor) => infrastructureCis(database, { tenant, cursor, limit: INFRASTRUCTURE_ROWS }),
  links: async (tenant, cursor) => infrastructureLinks(database, { tenant, cursor, limit: INFRASTRUCTURE_ROWS }),
  places: async (tenant, { filter, ...query }) =>
    reader.run('topology.places', { tenant, filter: storedFilter(of(tenant), filter), ...query }),
  fields: (tenant) => reader.run('topology.fields', { tenant }),
  linksAmong: async (tenant, ciIds) => linksAmong(database, tenant, ciIds),
});

const graphOf = ({ database, reader, of }: Opened, aroundNow: EmbeddedTopology['aroundNow']): GraphQueries => ({
  async around(tenant, ciId, asOf) {
    return aroundNow(tenant, ciId, asOf) ?? null;
  },
  async neighbourhood(tenant, ciId, { asOf, ...options }) {
    return asOf === undefined
      ? neighbourhood(database, of(tenant), tenant, ciId, options)
      : reader.run('topology.hood', { tenant, ciId, options: { ...options, asOf } });
  },
  async impact(tenant, ciIds, { asOf, ...options }) {
    return asOf === undefined
      ? impact(of(tenant), ciIds, options)
      : reader.run('topology.impact', { tenant, ciIds, options: { ...options, asOf } });
  },
  async path(tenant, from, to, { asOf, ...options }) {
    return asOf === undefined
      ? path(of(tenant), from, to, options)
      : reader.run('topology.path', { tenant, from, to, options: { ...options, asOf } });
  },
});

const matcherOf = ({ database, of }: Opened): CiMatcher => ({
  async bind(tenant, queries) {
    return queries.map((query) => bindIn(of(tenant), query));
  },
  async bindInTime(tenant, queries) {
    return queries.map((query) => bindIn(of(tenant), query));
  },
  async match(tenant, machines) {
    return matchIn(database, of(tenant), tenant, machines);
  },
});

const countsOf = ({ database, of }: Opened): TopologyCounts => ({
  async cis(tenant) {
    return of(tenant).count;
  },
  async relationships(tenant, ciIds) {
    return edgesOf(of(tenant), ciIds);
  },
  async types(tenant) {
    return typesInUse(database, tenant);
  },
});

const historyOf = ({ database, reader }: Opened): TopologyHistory => ({
  changes: (tenant, id, page) => reader.run('topology.changes', { tenant, id, page }),
  area: (tenant, query) => reader.run('topology.area', { tenant, query }),
  changesAmong: (tenant, range, page) => reader.run('topology.changes-among', { tenant, range, page }),
  removed: (tenant, range) => reader.run('topology.removed', { tenant, range }),
  lastNames: (tenant, ciIds) => reader.run('topology.names', { tenant, ciIds }),
  forget: (before) => forgetVersions(database, before),
});

/** CIs and relationships in the one file, with all walks in memory. Loads every tenant: about a second per 300,000 relationships. */
export function openTopology(
  database: Database,
  { records, surroundings }: Pick<Tables, 'records' | 'surroundings'>,
  historyInMemory = HISTORY_IN_MEMORY,
  reader = openReader(database),
): EmbeddedTopology {
  const tenants = loadTopology(database, historyInMemory, surroundings);
  const none = emptyTenant(surroundings.open());
  const of = (tenant: string): TenantTopology => tenants.get(tenant) ?? none;
  const own = (tenant: string): TenantTopology => {
    const known = tenants.get(tenant) ?? emptyTenant(surroundings.open());
    tenants.set(tenant, known);
    return known;
  };
  const changed = (topology: TenantTopology): void => {
    topology.cache.clear();
    forgetOldest(topology, historyInMemory);
  };
  const aroundNow: EmbeddedTopology['aroundNow'] = (tenant, ciId, at) =>
    aroundAt(database, of(tenant), tenant, ciId, at);
  const opened = { database, records, reader, of, own, changed };
  return {
    ports: {
      cis: cisIn(opened),
      relationships: relationshipsIn(opened),
      topology: queriesOf(opened),
      estate: infrastructureOf(opened),
      graph: graphOf(opened, aroundNow),
      matcher: matcherOf(opened),
      counts: countsOf(opened),
      history: historyOf(opened),
    },
    aroundNow,
    drop(tenant) {
      tenants.get(tenant)?.cache.clear();
      tenants.delete(tenant);
    },
  };
}
