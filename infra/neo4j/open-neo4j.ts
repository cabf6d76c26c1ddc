import type { Clock } from '#domain/ports/clock.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { Area, AreaQuery } from '#domain/ports/topology/topology-history.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { MAX_MAINTAINED, type MaintainedCi } from '#domain/ports/topology/topology-queries.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { GrowingArea } from '#domain/topology/graph/growing-area.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import { type MachineKeys, type MatchedCis, type MatchIndex, matchOne } from '#domain/topology/match.ts';
import { hardwareKey, INDEX_MARKS } from '#infra/neo4j/client/ci-rows.ts';
import { type ArrivalContext, openArrivalContext } from './cache/arrival-context.ts';
import { type Neo4jClient, openClient, type Run } from './client/client.ts';
import { countRelationships, readBetween, readCis, readRelationship, readTenant, readTypes } from './client/read.ts';
import { prepare } from './client/schema.ts';
import { bindAll } from './queries/bind.ts';
import { type Bindings, openBindings } from './queries/bindings.ts';
import { listChanges } from './queries/changes.ts';
import { lastNames, listChangesAmong, listRemoved } from './queries/changes-among.ts';
import { impact } from './queries/impact.ts';
import { fieldsInUse, infrastructureCis, infrastructureLinks, linksAmong, placesOf } from './queries/infrastructure.ts';
import { listCis, listRelationships } from './queries/lists.ts';
import { neighbourhood } from './queries/neighbourhood.ts';
import { path } from './queries/path.ts';
import { forgetVersions } from './writes/forget.ts';
import { mergeCis } from './writes/merge-cis.ts';
import {
  enqueueSideRecords,
  flushSideRecords,
  flushSideRecordsOf,
  type StoreSideRecords,
} from './writes/pending-side-records.ts';
import { readSightings, writeSightings } from './writes/seen.ts';
import { purgeTenant } from './writes/tenant-purge.ts';
import { putCis, removeCi } from './writes/write-cis.ts';
import { putRelationships, removeRelationship } from './writes/write-relationships.ts';

/** Finds CIs that were around one within some time. */

/** Finds CIs by the identifiers that a scanner reports. */

const FIND = `UNWIND $keys AS key CALL (key) {
    MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = key AND k.ci IS NOT NULL RETURN k.ci AS id LIMIT 11
  } RETURN key, collect(id) AS ids`;

const keyOf = (index: MatchIndex, text: string): string =>
  index === 'hardware' ? hardwareKey(text) : INDEX_MARKS[index] + text;

/** One round trip for all machines together. */
async function matchAll(read: Run, tenant: string, machines: readonly MachineKeys[]): Promise<MatchedCis[]> {
  const asked = new Set<string>();
  // The rule searches everywhere where nothing is found, so this names all possible requests.
  for (const machine of machines)
    matchOne((index, text) => {
      asked.add(keyOf(index, text));
      return [];
    }, machine);
  const rows = asked.size === 0 ? [] : await read<{ key: string; ids: string[] }>(FIND, { tenant, keys: [...asked] });
  const known = new Map(rows.map(({ key, ids }) => [key, ids]));
  return machines.map((machine) => matchOne((index, text) => known.get(keyOf(index, text)) ?? [], machine));
}

/** Runs the writes of one tenant one after the other: two transactions lock the tenant's node, and the server would abort one of them. */
interface TenantTurns {
  take<T>(tenant: string, work: () => Promise<T>): Promise<T>;
}

const openTenantTurns = (): TenantTurns => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(tenant, work) {
      const mine = (last.get(tenant) ?? Promise.resolve()).then(work, work);
      const settled = mine.catch(() => undefined);
      last.set(tenant, settled);
      void settled.then(() => {
        if (last.get(tenant) === settled) last.delete(tenant);
      });
      return mine;
    },
  };
};

const NEIGHBOURS = `UNWIND $ids AS asked MATCH (:Ci {tenant: $tenant, id: asked})-[r:RELATES|RELATED]-(n:Ci)
  WHERE r.ai = false AND r.valid_from <= $to AND coalesce(r.valid_to, $from) >= $from
  RETURN DISTINCT n.id AS id ORDER BY id LIMIT $most`;

async function findArea(read: Run, tenant: string, { ci, hops, from, to, limit }: AreaQuery): Promise<Area> {
  const area = new GrowingArea(ci, limit);
  for (let hop = 0; hop < hops && area.frontier.length > 0; hop++) {
    const rows = await read<{ id: string }>(NEIGHBOURS, { tenant, ids: area.frontier, from, to, most: area.most });
    area.take(rows.map(({ id }) => id));
  }
  return { ids: area.ids, truncated: area.truncated };
}

const MAINTAINED = `MATCH (c:Ci) WHERE c.tenant = $tenant AND c.maintained IS NOT NULL
  RETURN c.id AS id, c.maintained AS maintained LIMIT ${MAX_MAINTAINED}`;

async function inMaintenance(read: Run, tenant: string): Promise<MaintainedCi[]> {
  const rows = await read<{ id: string; maintained: string }>(MAINTAINED, { tenant });
  return rows.map(({ id, maintained }) => ({ ciId: id, maintenance: JSON.parse(maintained) as CiMaintenance }));
}

export interface Neo4jOptions {
  /** `bolt://host:7687` or `neo4j://host:7687`. */
  readonly url: string;
  /** None: the server asks for no credentials. */
  readonly user?: string;
  readonly password?: string;
  /** The server's default database when absent. */
  readonly database?: string;
  /** Timeout of one query; a transaction of writes has three times as much. Milliseconds. */
  readonly timeoutMs?: number;
  /** Longest wait of a new event for its CI, ms. */
  readonly bindingTimeoutMs?: number;
  /** The remaining time of the caller, ms. */
  readonly left?: () => number;
  readonly clock: Clock;
  /** Target of side records of a change; absent: they stay with the topology. */
  readonly keep?: StoreSideRecords;
}

export interface Neo4jTopology {
  readonly ports: TopologyPorts;
  readonly tenants: TenantPurge;
  /**
   * Must be called for every `topology.changed` of another process, null when some may have been missed; changes of
   * this one are known.
   */
  invalidate(tenant: string | null): void;
  /** Checks for changes in the tenant before the next answer of `around`. */
  recheck(tenant: string): void;
  /** Moves remaining side records of changes. Must be run once a minute. */
  tidy(): Promise<void>;
  /** True if the topology can be read now; known within two seconds. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const BINDING_TIMEOUT_MS = 300;

interface Caches {
  readonly surroundings: ArrivalContext;
  readonly bindings: Bindings;
  invalidate(tenant: string | null): void;
}

const openCaches = ({ read, readOnce }: Neo4jClient, { clock, bindingTimeoutMs }: Neo4jOptions): Caches => {
  const surroundings = openArrivalContext(read, clock);
  const bindings = openBindings({
    look: (tenant, queries) => bindAll(read, tenant, queries),
    lookOnce: (tenant, queries) => bindAll(readOnce, tenant, queries),
    clock,
    patienceMs: bindingTimeoutMs ?? BINDING_TIMEOUT_MS,
  });
  const invalidate = (tenant: string | null): void => {
    surroundings.invalidate(tenant);
    bindings.invalidate(tenant);
  };
  return { surroundings, bindings, invalidate };
};

/** A change with the records that go along with it. */
interface GraphChange<T> {
  readonly done: T;
  readonly sideRecords?: readonly SideRecord[] | undefined;
}

type Writing = 'cis' | 'relationships';

function changesOf(
  client: Neo4jClient,
  caches: Caches,
  keep: StoreSideRecords | undefined,
): Pick<TopologyPorts, Writing> {
  const turns = openTenantTurns();
  const write = async <T>(tenant: string, work: (run: Run) => Promise<T>): Promise<T> => {
    try {
      return await turns.take(tenant, () => client.write(work));
    } finally {
      // Runs after a failure too: a lost connection may have left a change.
      caches.invalidate(tenant);
    }
  };
  const change = async <T>(tenant: string, work: (run: Run) => Promise<GraphChange<T>>): Promise<T> => {
    const { done, sideRecords = [] } = await write(tenant, async (run) => {
      const changed = await work(run);
      await enqueueSideRecords(run, tenant, changed.sideRecords ?? []);
      return changed;
    });
    // The change is made, so it does not fail any more; what stays behind is moved later.
    if (keep !== undefined) await flushSideRecordsOf(client, keep, tenant, sideRecords).catch(() => undefined);
    return done;
  };
  const cis: CiStore = {
    put: (tenant, put, sideRecords) =>
      change(tenant, async (run) => ({ done: await putCis(run, tenant, put), sideRecords })),
    remove: (tenant, id, at, { sideRecords, ...how } = {}) =>
      change(tenant, async (run) => {
        const done = await removeCi(run, tenant, { ...how, id, at });
        return { done, sideRecords: done === null ? [] : sideRecords?.(done) };
      }),
    merge: (tenant, { sideRecords, ...merge }) =>
      change(tenant, async (run) => {
        const done = await mergeCis(run, tenant, merge);
        return { done, sideRecords: done === null ? [] : sideRecords?.(done) };
      }),
    seen: (tenant, sightings) => writeSightings(client, tenant, sightings),
  };
  const relationships: RelationshipStore = {
    put: (tenant, put, sideRecords) =>
      change(tenant, async (run) => ({ done: await putRelationships(run, tenant, put), sideRecords })),
    remove: (tenant, id, at, { sideRecords, ...how } = {}) =>
      change(tenant, async (run) => {
        const done = await removeRelationship(run, tenant, { ...how, id, at });
        return { done, sideRecords: done === null ? [] : sideRecords?.(done) };
      }),
  };
  return { cis, relationships };
}

const queriesOf = (client: Neo4jClient, { surroundings, bindings }: Caches): Omit<TopologyPorts, Writing> => {
  const { read } = client;
  return {
    topology: {
      getCis: (tenant, ids, asOf) => readCis(read, tenant, ids, asOf),
      findCis: async (tenant, filter, page) => listCis(read, tenant, filter, page),
      lastSeen: (tenant, ids) => readSightings(read, tenant, ids),
      getRelationship: (tenant, id, asOf) => readRelationship(read, tenant, id, asOf),
      relationshipsBetween: (tenant, ends) => readBetween(read, tenant, ends),
      findRelationships: async (tenant, filter, page) => listRelationships(read, tenant, filter, page),
      inMaintenance: (tenant) => inMaintenance(read, tenant),
    },
    estate: {
      cis: (tenant, cursor) => infrastructureCis(read, tenant, cursor),
      links: (tenant, cursor) => infrastructureLinks(read, tenant, cursor),
      places: (tenant, query) => placesOf(read, tenant, query),
      fields: (tenant) => fieldsInUse(read, tenant),
      linksAmong: (tenant, ciIds) => linksAmong(read, tenant, ciIds),
    },
    graph: {
      around: (tenant, ciId, asOf) => surroundings.around(tenant, ciId, asOf),
      neighbourhood: (tenant, ciId, options) => neighbourhood(read, tenant, ciId, options),
      impact: (tenant, ciIds, options) => impact(read, tenant, ciIds, options),
      path: (tenant, from, to, options) => path(read, tenant, from, to, options),
    },
    matcher: {
      bind: bindings.bind,
      bindInTime: bindings.bindInTime,
      match: (tenant, machines) => matchAll(read, tenant, machines),
    },
    counts: {
      cis: async (tenant) => (await readTenant(read, tenant)).cis,
      relationships: (tenant, ids) => countRelationships(read, tenant, ids),
      types: (tenant) => readTypes(read, tenant),
    },
    history: {
      changes: (tenant, id, page) => listChanges(read, tenant, id, page),
      area: (tenant, query) => findArea(read, tenant, query),
      changesAmong: (tenant, range, page) => listChangesAmong(read, tenant, range, page),
      removed: (tenant, range) => listRemoved(read, tenant, range),
      lastNames: (tenant, ids) => lastNames(read, tenant, ids),
      forget: (before) => forgetVersions(client, before),
    },
  };
};

/** Makes constraints and indexes. Fails when the server is too old, with a fault when none answers. */
export async function openNeo4j(options: Neo4jOptions): Promise<Neo4jTopology> {
  const client = openClient({ ...options, timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
  try {
    await prepare(client);
    // The server plans the statement now, and not while the first event waits.
    await bindAll(client.read, '', [{ hostname: 'none' }]);
  } catch (error) {
    await client.close();
    throw error;
  }
  const caches = openCaches(client, options);
  return {
    ports: { ...changesOf(client, caches, options.keep), ...queriesOf(client, caches) },
    tenants: {
      async purge(tenant, isStopping = () => false) {
        const isGone = await purgeTenant(client, tenant, isStopping);
        caches.invalidate(tenant);
        return isGone;
      },
    },
    invalidate: caches.invalidate,
    recheck: caches.surroundings.invalidate,
    tidy: async () => {
      if (options.keep !== undefined) await flushSideRecords(client, options.keep);
    },
    ready: client.ready,
    close: client.close,
  };
}
