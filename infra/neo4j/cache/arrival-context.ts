/** The topology around CIs, answered from a cache per tenant, which follows the store by reading its changes. */

import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#domain/ports/clock.ts';
import { slices } from '#domain/slices.ts';
import { arrivalTopology } from '#domain/topology/graph/arrival-topology.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { readTenant } from '#infra/neo4j/client/read.ts';
import { emptyGraphCache, type GraphCache, invalidate, missingAround, putCis, weightOf } from './graph-cache.ts';
import { changedSince, loadCis } from './load-cis.ts';

/** Requests that lack CIs at the same time share a read: the events of a burst concern neighboring CIs. */

/** Loads CIs with all their relationships into a cache; resolves to the existing ones among all CIs of the shared read. */
type Loader = (tenant: string, cache: GraphCache, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** CIs of one query. */
const QUERY_CIS = 1_000;

interface PendingLoad {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlySet<string>>;
}

const readAll = async (read: Run, tenant: string, cache: GraphCache, ids: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>();
  for (const some of slices(ids, QUERY_CIS)) {
    const loaded = await loadCis(read, tenant, some, cache.floor);
    putCis(cache, loaded);
    for (const { id } of loaded) found.add(id);
  }
  return found;
};

/** One read per cache at a time; requests made meanwhile share the next one. */
export const openLoader = (read: Run): Loader => {
  const next = new WeakMap<GraphCache, PendingLoad>();
  const last = new WeakMap<GraphCache, Promise<unknown>>();

  const begin = async (tenant: string, cache: GraphCache, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
    await last.get(cache);
    // Requests of the same turn share the read.
    await turn();
    next.delete(cache);
    const reading = readAll(read, tenant, cache, [...ids]);
    last.set(
      cache,
      reading.catch(() => undefined),
    );
    return reading;
  };

  return (tenant, cache, ids) => {
    let reading = next.get(cache);
    if (reading === undefined) {
      const wanted = new Set<string>();
      reading = { ids: wanted, found: begin(tenant, cache, wanted) };
      next.set(cache, reading);
    }
    for (const id of ids) reading.ids.add(id);
    return reading.found;
  };
};

/** Longest time without a check for changes. */
const MAX_AGE_MS = 60_000;
/** The cache reaches so far back; for older events, which are rare, the store is read each time. */
const PAST_MS = 2 * 3_600_000;
/** Nodes and edges of all tenants together, about 100 MB. */
const MAX_WEIGHT = 1_000_000;
/** Number of changed CIs above which an empty cache is cheaper. */
const MAX_CHANGED = 5_000;
const MAX_INVALIDATIONS = 10;
/** Changes may arrive faster than the store answers; then an answer that is one round trip old is accepted. */
const MAX_CHECKS = 10;

interface TenantGraph {
  cache: GraphCache;
  /** Version of the tenant's topology that the cache has. */
  version: number;
  cis: number;
  checkedAt: number;
  /** A change was announced. */
  stale: boolean;
  checking: Promise<void> | null;
}

export interface ArrivalContext {
  /** Counterpart of `GraphQueries.around`. */
  around(tenant: string, ciId: string, asOf: number): Promise<ArrivalTopology | null>;
  /** The next answer reads the changes first: of one tenant, or of all. */
  invalidate(tenant: string | null): void;
}

/** Those used least recently are dropped first. */
function makeRoom(tenantGraphs: Map<string, TenantGraph>): void {
  let weight = 0;
  for (const { cache } of tenantGraphs.values()) weight += weightOf(cache);
  for (const [tenant, { cache }] of tenantGraphs) {
    if (weight <= MAX_WEIGHT) return;
    weight -= weightOf(cache);
    tenantGraphs.delete(tenant);
  }
}

const answer = ({ graph }: GraphCache, node: number, at: number, all: number): ArrivalTopology | null =>
  at >= (graph.ended.get(node) ?? Infinity)
    ? null
    : arrivalTopology(graph, node, at, all, { from: -Infinity, to: Infinity });

/**
 * Loads CIs until the neighborhood is complete. CIs loaded while a change arrived are invalidated at once, up to
 * MAX_INVALIDATIONS times.
 */
async function complete(
  load: (cache: GraphCache, missing: readonly string[]) => ReturnType<ReturnType<typeof openLoader>>,
  tenantGraph: Pick<TenantGraph, 'cache' | 'version' | 'cis'>,
  ciId: string,
  at: number,
): Promise<ArrivalTopology | null> {
  for (let reads = 1; ; reads++) {
    const { cache, version } = tenantGraph;
    const node = cache.graph.nodes.get(ciId);
    const missing = node === undefined ? [ciId] : missingAround(cache, node, at);
    if (node !== undefined && missing.length === 0) return answer(cache, node, at, tenantGraph.cis);
    const found = await load(cache, missing);
    if (!missing.some((id) => found.has(id))) return null;
    if (tenantGraph.version !== version && reads < MAX_INVALIDATIONS) invalidate(cache, missing);
  }
}

export function openArrivalContext(read: Run, clock: Clock): ArrivalContext {
  /** Least recently used first. */
  const tenantGraphs = new Map<string, TenantGraph>();
  const load = openLoader(read);
  const newCache = (): GraphCache => emptyGraphCache(clock.now() - PAST_MS);

  const tenantGraphOf = (tenant: string): TenantGraph => {
    const fresh = { version: 0, cis: 0, checkedAt: -Infinity, stale: true, checking: null };
    const tenantGraph = tenantGraphs.get(tenant) ?? { cache: newCache(), ...fresh };
    tenantGraphs.delete(tenant);
    tenantGraphs.set(tenant, tenantGraph);
    return tenantGraph;
  };

  const check = async (tenant: string, tenantGraph: TenantGraph): Promise<void> => {
    tenantGraph.stale = false;
    try {
      const { version, cis } = await readTenant(read, tenant);
      if (version !== tenantGraph.version) await catchUp(tenant, tenantGraph, version);
      tenantGraph.cis = cis;
      tenantGraph.checkedAt = clock.now();
    } catch (error) {
      tenantGraph.stale = true;
      throw error;
    }
  };

  const catchUp = async (tenant: string, tenantGraph: TenantGraph, version: number): Promise<void> => {
    const isEmpty = tenantGraph.cache.graph.ids.length === 0;
    const changed = isEmpty ? [] : await changedSince(read, tenant, tenantGraph.version, MAX_CHANGED + 1);
    if (changed.length > MAX_CHANGED || version < tenantGraph.version) tenantGraph.cache = newCache();
    else invalidate(tenantGraph.cache, changed);
    tenantGraph.version = version;
  };

  /** True during a check for changes: the cache may not be used. */
  const isOld = (tenantGraph: TenantGraph): boolean =>
    tenantGraph.stale || tenantGraph.checking !== null || clock.now() - tenantGraph.checkedAt > MAX_AGE_MS;

  const checked = async (tenant: string): Promise<TenantGraph> => {
    const tenantGraph = tenantGraphOf(tenant);
    for (let checks = 0; isOld(tenantGraph) && checks < MAX_CHECKS; checks++) {
      tenantGraph.checking ??= check(tenant, tenantGraph).finally(() => {
        tenantGraph.checking = null;
      });
      await tenantGraph.checking;
    }
    if (clock.now() - tenantGraph.cache.floor > 2 * PAST_MS) tenantGraph.cache = newCache();
    return tenantGraph;
  };

  return {
    async around(tenant, ciId, asOf) {
      const tenantGraph = await checked(tenant);
      const isPast = asOf < tenantGraph.cache.floor;
      const used = isPast ? { ...tenantGraph, cache: emptyGraphCache(asOf) } : tenantGraph;
      const found = await complete((cache, missing) => load(tenant, cache, missing), used, ciId, asOf);
      makeRoom(tenantGraphs);
      return found;
    },
    invalidate(tenant) {
      for (const tenantGraph of tenant === null ? tenantGraphs.values() : [tenantGraphs.get(tenant)])
        if (tenantGraph !== undefined) tenantGraph.stale = true;
    },
  };
}
