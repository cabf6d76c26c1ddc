import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { sameJson } from '#domain/same-json.ts';
import { openPost } from '#infra/outbound/post.ts';
import { allowedFrom } from '#infra/outbound/public-address.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { type EventWorld, openEventWorld } from '#test/setup/event-world.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { until } from '#test/setup/until.ts';
import { RESOURCE_NAMES, RESOURCES } from '../rules/kubernetes/resources.ts';
import { SOURCE_RECORDS } from '../rules/record-kinds.ts';
import type { TopologySource } from '../rules/source.ts';
import { openClusters } from '../stores/kubernetes/open-clusters.ts';
import { runStored } from '../use-cases/run-source.ts';
import { putSource } from '../use-cases/stored/source-store.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { openFakePrometheus, SHOP } from './fake-prometheus.ts';
import { KubernetesShop } from './kubernetes-shop.ts';

/* Runs of a source without changes compare nothing, and the CMDB is the same as if they did. */

let world: EventWorld;
let api: FakeKubernetes;
let shop: KubernetesShop;
let ports: EventWorld['ports'];
let comparisons: string[];
const outbound = openPost({ allowed: allowedFrom(['127.0.0.0/8']) });
const clusters = openClusters({ outbound, retryMs: 1 });
beforeAll(async () => {
  world = await openEventWorld();
  const { records } = world.ports;
  const get: typeof records.get = (tenant, kind, id) => {
    if (kind === SOURCE_RECORDS.book) comparisons.push(tenant);
    return records.get(tenant, kind, id);
  };
  ports = { ...world.ports, crypto: systemCrypto, clusters, records: { ...records, get } };
});
afterAll(async () => {
  await world.close();
  await outbound.close();
});
beforeEach(async () => {
  comparisons = [];
  api = await FakeKubernetes.open();
  shop = new KubernetesShop(api);
  shop.fill();
});
afterEach(async () => {
  clusters.close();
  await api.stop();
});

const HOW = {
  isDryRun: false,
  isConfirmed: false,
  isStopping: () => false,
  waits: 0,
  asker: { actor: { id: 't', username: 't', name: 't' }, address: '', department: null },
};
const KUBERNETES: TopologySource = {
  name: 'prod',
  kind: 'kubernetes',
  url: '',
  auth: null,
  ca: null,
  everyMs: 60_000,
  graceMs: 10_000,
  cluster: 'prod',
  paused: false,
  createdAt: 0,
  updatedAt: 0,
};
let serial = 0;
async function opened(): Promise<string> {
  const tenant = `calm-${++serial}`;
  const source: TopologySource = { ...KUBERNETES, url: api.url };
  await putSource(ports, tenant, source, { before: null, sideRecords: [] });
  return tenant;
}
const watchOf = (tenant: string) => clusters.live().find((one) => one.tenant === tenant);
/** Runs once the watch has what the API server has. */
async function run(tenant: string, how: Partial<typeof HOW> = {}) {
  await until(async () => {
    const { objects } = watchOf(tenant) ?? {};
    return RESOURCE_NAMES.every((name) => {
      const { path, rowOf } = RESOURCES[name];
      const rows = [...(objects?.[name].values() ?? [])].map(({ row }) => JSON.stringify(row));
      return (
        objects === undefined ||
        sameJson(
          rows.sort(),
          api
            .objects(path)
            .map((one) => JSON.stringify(rowOf(one)))
            .sort(),
        )
      );
    });
  });
  return runStored({ ports, tenant }, 'prod', { ...HOW, ...how });
}
const cisOf = async (tenant: string) =>
  (await ports.topology.findCis(tenant, {}, { sort: 'name', order: 'asc', limit: 100, offset: 0 })).items;
async function cmdb(tenant: string) {
  const cis = await cisOf(tenant);
  const keys = new Map(cis.map(({ id, externalKey }) => [id, externalKey]));
  const page = { sort: 'created_at', order: 'asc', limit: 200, offset: 0 } as const;
  const { items } = await ports.topology.findRelationships(tenant, { includeAi: true }, page);
  return {
    cis: cis.map(({ externalKey, status, attributes }) => JSON.stringify([externalKey, status, attributes])).sort(),
    edges: items
      .map(({ type, source, target, attributes }) =>
        JSON.stringify([type, keys.get(source), keys.get(target), attributes]),
      )
      .sort(),
  };
}

test('a Prometheus whose series have not changed is not compared, whatever the time of their values', async () => {
  const prometheus = await openFakePrometheus(SHOP());
  try {
    const tenant = `calm-${++serial}`;
    const source: TopologySource = { ...KUBERNETES, kind: 'prometheus', url: prometheus.url };
    await putSource({ ...ports, outbound }, tenant, source, { before: null, sideRecords: [] });
    const counts = async () => {
      comparisons = [];
      world.clock.advance(60_000);
      const run = await runStored({ ports: { ...ports, outbound }, tenant }, 'prod', HOW);
      return [run?.counts.cis, run?.counts.pods, comparisons.length];
    };
    const total = 14;
    const unchanged = { total, created: 0, updated: 0, unchanged: total, ended: 0, missing: 0, failed: 0 };
    expect(await counts()).toEqual([{ ...unchanged, created: total, unchanged: 0 }, 8, expect.any(Number)]);
    // The first run also notes `last_seen`, so the second one compares as well.
    expect(await counts()).toEqual([unchanged, 8, 1]);
    expect(await counts()).toEqual([unchanged, 8, 0]);
    prometheus.series = { ...SHOP(), claims: [], mounts: [] };
    const [cis, , compared] = await counts();
    expect([cis, compared]).toEqual([{ ...unchanged, total: 13, unchanged: 13, missing: 1 }, 1]);
  } finally {
    await prometheus.stop();
  }
});

const POD = { kind: 'ReplicaSet', owner: 'checkout-6d4cf56db6', node: 'node-1', ip: '10.1.0.1' };
const STEPS: Readonly<Record<string, (tenants: readonly string[]) => Promise<void> | void>> = {
  nothing: () => undefined,
  heartbeat: () => shop.node('node-1', { Ready: true }, world.clock.now()),
  'not ready': () => shop.pod('checkout-6d4cf56db6-a', POD, { ready: false, at: world.clock.now() }),
  'pod is over': () => shop.pod('checkout-6d4cf56db6-a', POD, { more: { phase: 'Failed' } }),
  roll: () => shop.pods('7c9d8b7f5d', ['node-3', 'node-2']),
  'roll back': () => shop.pods(),
  'no ingress': () => api.remove(RESOURCES.ingresses.path, 'shop/web'),
  refill: () => shop.fill(),
  'no node': () => api.remove(RESOURCES.nodes.path, '/node-3'),
  wait: () => world.clock.advance(10_000),
  'wait long': () => world.clock.advance(6 * 3_600_000),
  'lists again': () => api.drop('end'),
  'CI deleted': async (tenants) => {
    for (const tenant of tenants) {
      const front = (await cisOf(tenant)).find(({ externalKey }) => externalKey === 'k8s:prod/deployment/shop/front');
      if (front !== undefined) await ports.cis.remove(tenant, front.id, world.clock.now(), { cascade: true });
    }
  },
};

test(
  'over random changes',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 12 }), async (steps) => {
        clusters.close();
        shop.fill();
        const tenants = [await opened(), await opened()] as const;
        for (const step of ['nothing', ...steps]) {
          await STEPS[step]?.(tenants);
          world.clock.advance(1_000);
          const [calm, whole] = [await run(tenants[0]), await run(tenants[1])];
          expect(calm?.counts).toEqual(whole?.counts);
          expect(await cmdb(tenants[0])).toEqual(await cmdb(tenants[1]));
          // A new watch knows no earlier run.
          watchOf(tenants[1])?.close();
        }
      }),
      {
        numRuns: runs({ short: 8, long: 500 }),
        examples: [[['nothing', 'CI deleted', 'wait long', 'nothing', 'nothing']]],
      },
    );
  },
  longest(60_000),
);

test('only the state that nodes report may change, and only whole runs of this process count', async () => {
  const tenant = await opened();
  /** Returns whether the run compared. */
  const compares = async (how: Partial<typeof HOW> = {}): Promise<boolean> => {
    comparisons = [];
    world.clock.advance(1_000);
    await run(tenant, how);
    return comparisons.includes(tenant);
  };
  // The first one notes which CIs are still there.
  expect([await compares(), await compares(), await compares(), await compares()]).toEqual([true, true, false, false]);
  shop.node('node-1', { Ready: false }, world.clock.now());
  expect(await compares()).toBe(false);
  expect([await compares({ isDryRun: true }), await compares()]).toEqual([true, false]);
  expect([await compares({ isConfirmed: true }), await compares(), await compares()]).toEqual([true, true, false]);
  api.remove(RESOURCES.ingresses.path, 'shop/web');
  expect([await compares(), await compares()]).toEqual([true, true]);
  world.clock.advance(10_000);
  expect([await compares(), await compares(), await compares()]).toEqual([true, false, false]);
  // A run of another process, which has a memory and watches of its own.
  world.clock.advance(1_000);
  const memory = openMemory(ports.records, new CallerCache());
  await runStored({ ports: { ...ports, memory }, tenant }, 'prod', HOW);
  expect([await compares(), await compares()]).toEqual([true, false]);
});

test('many sources may follow one server', async () => {
  for (let n = 0; n < 8; n++) expect((await run(await opened()))?.counts.pods).toBe(8);
});
