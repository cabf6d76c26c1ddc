import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { UseCaseContext } from '#application/access/context.ts';
import { hearClusters } from '#features/topology-sources/use-cases/kubernetes/hear-clusters.ts';
import { deleteSource } from '#features/topology-sources/use-cases/managing/manage-sources.ts';
import { runDueSources } from '#features/topology-sources/use-cases/run-due.ts';
import { runStored } from '#features/topology-sources/use-cases/run-source.ts';
import { deployedText } from '#test/conventions/deployed.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';
import { EVENTS_PATH, RESOURCE_NAMES, RESOURCES } from '../rules/kubernetes/resources.ts';
import { SOURCE_RECORDS } from '../rules/record-kinds.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { openFakePrometheus, SHOP } from './fake-prometheus.ts';
import { KubernetesShop } from './kubernetes-shop.ts';

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
let api: FakeKubernetes;
let shop: KubernetesShop;
let token: string;
let serial = 0;
beforeEach(async () => {
  api = await FakeKubernetes.open();
  shop = new KubernetesShop(api);
  shop.fill();
  token = await app.tenant(`kubernetes-${++serial}`);
});
afterEach(async () => {
  await send('DELETE', '/v1/cmdb/sources/prod');
  await hear();
  await api.stop();
});

const never = () => false;
const SYSTEM = { actor: { id: 't', username: 't', name: 't' }, address: '', department: null };
const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
const put = (more: object = {}, query = '') =>
  send('PUT', `/v1/cmdb/sources/prod${query}`, {
    kind: 'kubernetes',
    url: api.url,
    auth: { type: 'bearer', token: 'a-secret' },
    every: '1d',
    grace: '10s',
    cluster: 'prod',
    ...more,
  });
const run = async () => (await send('POST', '/v1/cmdb/sources/prod/run', {})).body;
const hear = () => hearClusters(app.app.ports, never);
const cis = async () => (await send('GET', '/v1/cmdb/ci?limit=100')).body.data;
interface ListedEvent {
  readonly title: string;
  readonly status: string;
  readonly occurrenceCount: number;
  readonly ciId: { readonly name: string } | null;
}
const events = async (): Promise<ListedEvent[]> => {
  await app.app.idle();
  return (await send('GET', '/api/events?limit=50')).body.events;
};
/** Hears until the events look like this, newest first. */
const heard = async (expected: readonly (readonly [string, string, string | undefined])[]): Promise<void> => {
  let found: unknown[] = [];
  await until(async () => {
    await hear();
    found = (await events()).map(({ title, status, ciId }) => [title, status, ciId?.name]);
    return JSON.stringify(found.sort()) === JSON.stringify([...expected].sort());
  }).catch(() => expect(found).toEqual([...expected].sort()));
};
const now = () => app.clock.now();

/* The job of the app also runs sources that are due: paused where counts are compared. */
describe('a Kubernetes source', () => {
  test('becomes the same CIs and relationships as the series of kube-state-metrics', async () => {
    const prometheus = await openFakePrometheus({ ...SHOP(), calls: [], hosts: [], targets: [] });
    const other = await app.tenant(`series-${serial}`);
    const body = { kind: 'prometheus', url: prometheus.url, every: '1d', cluster: 'prod', paused: true };
    await app.send('PUT', '/v1/cmdb/sources/prod', body, { token: other });
    const series = (await app.send('POST', '/v1/cmdb/sources/prod/run', {}, { token: other })).body.run;
    await prometheus.stop();
    const made = await put({ paused: true });
    expect([made.status, made.body.auth]).toEqual([201, { type: 'bearer' }]);
    const done = await run();
    expect(done.run).toEqual(series);
    expect(done.run.cis).toMatchObject({ total: 12, failed: 0 });
    expect(JSON.stringify(done)).not.toContain('a-secret');
    expect(api.requests.every(({ authorization }) => authorization === 'Bearer a-secret')).toBe(true);
    const found = await cis();
    const keys = found.map((ci: { external_key: string }) => ci.external_key);
    expect(keys).toContain('k8s:prod/statefulset/shop/db');
    expect(keys).toContain('k8s:prod/ingress/shop/web');
  });

  test('the roll of a deployment changes no CI, and lists nothing again', async () => {
    await put();
    await run();
    const before = api.requests.length;
    shop.pods('7c9d8b7f5d', ['node-3', 'node-2']);
    app.clock.advance(60_000);
    await until(async () => (await run()).run.pods === 8);
    expect((await run()).run.cis).toMatchObject({ created: 0, updated: 0, ended: 0, missing: 0 });
    const lists = api.requests.slice(before).filter(({ url }) => !url.includes('watch=1'));
    // The job of the app may begin to hear the events meanwhile.
    expect(lists.filter(({ url }) => !url.startsWith(EVENTS_PATH))).toEqual([]);
  });

  test('a deleted object ends after its grace', async () => {
    await put({ paused: true });
    await run();
    api.remove(RESOURCES.ingresses.path, 'shop/web');
    await until(async () => (await run()).run.cis.missing === 1);
    app.clock.advance(10_000);
    expect((await run()).run.cis).toMatchObject({ ended: 1, missing: 0 });
  });

  test('a server that refuses a resource, or is gone, makes the source stale and ends nothing', async () => {
    api.refused.set(RESOURCES.pods.path, 403);
    await put();
    const failed = await send('POST', '/v1/cmdb/sources/prod/run', {});
    expect([failed.status, failed.body.error.message]).toEqual([
      422,
      expect.stringContaining('HTTP 403 for pods: /api/v1/pods is forbidden'),
    ]);
    expect((await send('GET', '/v1/cmdb/sources/prod')).body.stale_since).not.toBeNull();
    api.refused.clear();
    await until(async () => (await send('POST', '/v1/cmdb/sources/prod/run', {})).status === 200);
    for (const { path } of RESOURCE_NAMES.map((name) => RESOURCES[name])) api.refused.set(path, 503);
    api.drop('cut');
    await until(async () => (await send('POST', '/v1/cmdb/sources/prod/run', {})).status === 422);
    expect((await cis()).every((ci: { status: string }) => ci.status === 'active')).toBe(true);
  });

  test('a dry run stores nothing', async () => {
    const dry = await put({}, '?dry_run=true');
    expect([dry.status, dry.body.run.cis.created]).toEqual([200, 12]);
    expect(await cis()).toEqual([]);
  });

  test.each([
    ['a private address', { url: 'https://10.0.0.1:6443' }, 'url'],
    ['no address outside of a cluster', { url: undefined }, 'url'],
    ['a password', { auth: { type: 'basic', username: 'a', password: 'b' } }, 'auth'],
    ['a certificate that is none', { ca: 'abc' }, 'ca'],
  ])('%s is refused by its field', async (_, more, field) => {
    const refused = await put(more);
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field]);
  });

  test('other sources need an address', async () => {
    const refused = await send('PUT', '/v1/cmdb/sources/other', { kind: 'prometheus' });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'url']);
  });
});

describe('its events', () => {
  const P = 'checkout-6d4cf56db6-a';
  const front = (letter: string) => `front-6d4cf56db6-${letter}`;
  beforeEach(async () => {
    await put();
    await run();
    await hear();
    await until(async () => api.requests.some(({ url }) => url.startsWith(EVENTS_PATH) && url.includes('watch=1')));
  });

  test('begin at once on the workload of the pod, and end when it is ready', async () => {
    shop.pod(
      P,
      { kind: 'ReplicaSet', owner: 'checkout-6d4cf56db6', node: 'node-1', ip: '10.1.0.1' },
      { ready: false, at: now() },
    );
    shop.event({
      kind: 'Pod',
      name: P,
      reason: 'BackOff',
      message: 'Back-off restarting failed container app',
      container: 'app',
      at: now(),
    });
    await heard([['Container keeps crashing', 'open', 'shop/checkout']]);
    app.clock.advance(30_000);
    shop.pod(
      P,
      { kind: 'ReplicaSet', owner: 'checkout-6d4cf56db6', node: 'node-1', ip: '10.1.0.1' },
      { ready: true, at: now() },
    );
    await until(async () => (await run()).run.cis.updated === 0);
    app.clock.advance(59_000);
    await heard([['Container keeps crashing', 'open', 'shop/checkout']]);
    app.clock.advance(1_000);
    await heard([['Container keeps crashing', 'resolved', 'shop/checkout']]);
  });

  test.each([
    ['FailedScheduling', '0/3 nodes are available', 'Scheduled', "Pod can't be scheduled"],
    ['Failed', 'Error: ErrImagePull', 'Pulled', "Container image can't be pulled"],
    ['FailedMount', 'MountVolume.SetUp failed', 'Started', "Volume can't be mounted"],
    ['Failed', 'Error: secret "x" not found', 'Started', "Container can't be started"],
  ])('%s (%s) is ended by %s', async (reason, message, ending, title) => {
    shop.event({ kind: 'Pod', name: P, reason, message, at: now() });
    await heard([[title, 'open', 'shop/checkout']]);
    app.clock.advance(5_000);
    shop.event({ kind: 'Pod', name: P, reason: ending, at: now() });
    await heard([[title, 'resolved', 'shop/checkout']]);
  });

  test('of several pods of a workload are one event, which ends with the last pod', async () => {
    for (const letter of ['a', 'b', 'c'])
      shop.event({
        kind: 'Pod',
        name: front(letter),
        reason: 'BackOff',
        message: 'Back-off pulling image "front:2"',
        container: 'app',
        at: now(),
      });
    await heard([["Container image can't be pulled", 'open', 'shop/front']]);
    expect((await events()).map(({ occurrenceCount }) => occurrenceCount)).toEqual([3]);
    api.remove(RESOURCES.pods.path, `shop/${front('a')}`);
    api.remove(RESOURCES.pods.path, `shop/${front('b')}`);
    await until(async () => (await run()).run.pods === 6);
    await heard([["Container image can't be pulled", 'open', 'shop/front']]);
    api.remove(RESOURCES.pods.path, `shop/${front('c')}`);
    await heard([["Container image can't be pulled", 'resolved', 'shop/front']]);
  });

  test('nodes report by events and by their state, as one event', async () => {
    shop.event({ kind: 'Node', name: 'node-1', reason: 'NodeNotReady', at: now() });
    await heard([['Node is not ready', 'open', 'node-1']]);
    shop.node('node-1', { Ready: false, DiskPressure: true }, now());
    await heard([
      ['Node is low on disk space', 'open', 'node-1'],
      ['Node is not ready', 'open', 'node-1'],
    ]);
    app.clock.advance(60_000);
    shop.node('node-1', { Ready: true, DiskPressure: true }, now());
    await heard([
      ['Node is low on disk space', 'open', 'node-1'],
      ['Node is not ready', 'resolved', 'node-1'],
    ]);
    shop.event({ kind: 'Node', name: 'node-1', reason: 'NodeHasNoDiskPressure', at: now() });
    shop.node('node-1', { Ready: true, DiskPressure: false }, now());
    await heard([
      ['Node is low on disk space', 'resolved', 'node-1'],
      ['Node is not ready', 'resolved', 'node-1'],
    ]);
  });

  test('a container killed for its memory is known by the state of its pod', async () => {
    const terminated = { reason: 'OOMKilled', finishedAt: new Date(now()).toISOString() };
    const more = { containerStatuses: [{ name: 'app', lastState: { terminated } }] };
    shop.pod(
      P,
      { kind: 'ReplicaSet', owner: 'checkout-6d4cf56db6', node: 'node-1', ip: '10.1.0.1' },
      { ready: false, at: now(), more },
    );
    await heard([['Container ran out of memory', 'open', 'shop/checkout']]);
  });

  test('what Kubernetes repeats no more is over after an hour', async () => {
    shop.event({
      kind: 'ReplicaSet',
      name: 'front-6d4cf56db6',
      reason: 'FailedCreate',
      message: 'exceeded quota',
      at: now(),
    });
    await heard([["Pods can't be created", 'open', 'shop/front']]);
    app.clock.advance(3_600_000);
    await heard([["Pods can't be created", 'resolved', 'shop/front']]);
  });

  test('deleting the source ends them', async () => {
    shop.event({ kind: 'Pod', name: P, reason: 'FailedScheduling', at: now() });
    await heard([["Pod can't be scheduled", 'open', 'shop/checkout']]);
    await send('DELETE', '/v1/cmdb/sources/prod');
    expect((await events()).map(({ status }) => status)).toEqual(['resolved']);
  });

  test('deleting the source in another process while they are received ends them', async () => {
    const { ports } = app.app;
    const turns = { take: <T>(_: string, work: () => Promise<T>) => work() };
    let isDeleted = false;
    const elsewhere: AppPorts = {
      ...ports,
      memory: { ...ports.memory, turns },
      records: {
        ...ports.records,
        put: async (...all) => {
          if (all[1] === SOURCE_RECORDS.heard && !isDeleted && (await events()).length > 0) {
            isDeleted = true;
            await send('DELETE', '/v1/cmdb/sources/prod');
          }
          return ports.records.put(...all);
        },
      },
    };
    // The job of the app may be faster with one of them.
    await until(async () => {
      shop.event({ kind: 'Pod', name: P, reason: 'FailedScheduling', at: now() });
      await hearClusters(elsewhere, never);
      return isDeleted;
    });
    await until(async () => (await events()).every(({ status }) => status === 'resolved'));
    expect(await events()).toHaveLength(1);
  });

  test.each(['gone', 'cut', 'end'] as const)(
    'are neither lost nor doubled when the watch is dropped (%s)',
    async (how) => {
      shop.event({ kind: 'Pod', name: P, reason: 'FailedScheduling', at: now() });
      await heard([["Pod can't be scheduled", 'open', 'shop/checkout']]);
      api.drop(how, EVENTS_PATH);
      shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedMount', at: now() });
      if (how === 'gone') api.forget(EVENTS_PATH);
      await heard([
        ["Pod can't be scheduled", 'open', 'shop/checkout'],
        ["Volume can't be mounted", 'open', 'shop/db'],
      ]);
      expect((await events()).map(({ occurrenceCount }) => occurrenceCount)).toEqual([1, 1]);
    },
  );
});

test('events from before the first run begin only if they are still open', async () => {
  const at = now() - 600_000;
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedScheduling', at });
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'Scheduled', at: at + 1_000 });
  shop.pod('db-0', { kind: 'StatefulSet', owner: 'db', node: 'node-1', ip: '10.1.0.4' }, { ready: false, at });
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedMount', at: at + 2_000 });
  shop.event({ kind: 'Pod', name: 'gone-1', reason: 'BackOff', at });
  await put();
  await run();
  await heard([["Volume can't be mounted", 'open', 'shop/db']]);
});

type AppPorts = TestApp['app']['ports'];
class Killed extends Error {}
/** Dies before the write after so many. */
const mortal = (ports: AppPorts, writes: number, kind?: string): AppPorts => {
  let left = writes;
  const live = (of: string): void => {
    if ((kind === undefined || kind === of) && left-- <= 0) throw new Killed();
  };
  return {
    ...ports,
    cis: {
      ...ports.cis,
      put: async (...all) => {
        live('ci');
        return ports.cis.put(...all);
      },
    },
    relationships: {
      ...ports.relationships,
      put: async (...all) => {
        live('relationship');
        return ports.relationships.put(...all);
      },
    },
    records: {
      ...ports.records,
      put: async (...all) => {
        live(all[1]);
        return ports.records.put(...all);
      },
    },
  };
};

test('a run that is killed at each of its writes leaves the same set', async () => {
  await put({ paused: true });
  const context = { tenant: `kubernetes-${serial}` };
  const options = { isDryRun: false, isConfirmed: false, isStopping: never, waits: 0, asker: SYSTEM };
  let kills = 0;
  for (let writes = 0; writes < 20; writes++)
    await runStored({ ...context, ports: mortal(app.app.ports, writes) }, 'prod', options).catch((error) => {
      if (!(error instanceof Killed)) throw error;
      kills += 1;
    });
  expect(kills).toBeGreaterThan(3);
  expect((await run()).run.cis).toMatchObject({ total: 12, failed: 0 });
  expect((await run()).run.cis).toMatchObject({ total: 12, created: 0, updated: 0, unchanged: 12, ended: 0 });
  expect(await cis()).toHaveLength(12);
});

test('a source is deleted after the run that is in progress', async () => {
  await put({ paused: true });
  const { ports } = app.app;
  const tenant = `kubernetes-${serial}`;
  const waits = Promise.withResolvers<void>();
  const take: AppPorts['leases']['take'] = async (...all) => {
    const lease = await ports.leases.take(...all);
    if (lease === null) waits.resolve();
    return lease;
  };
  const user = { id: 't', username: 't', name: 't' };
  const caller = { tenant, actor: user } as unknown as UseCaseContext['caller'];
  const context: UseCaseContext = {
    ports: { ...ports, leases: { ...ports.leases, take } },
    tenant,
    caller,
    address: '',
    department: null,
    idempotencyKey: null,
    ifMatch: null,
    receivedAt: now(),
    signal: new AbortController().signal,
  };
  let deletion: Promise<void> | undefined;
  const amid = async (...all: Parameters<AppPorts['cis']['put']>): Promise<void> => {
    deletion ??= deleteSource(context, 'prod');
    await Promise.race([deletion, waits.promise]);
    return ports.cis.put(...all);
  };
  const options = { isDryRun: false, isConfirmed: false, isStopping: never, waits: 100, asker: SYSTEM };
  await runStored({ ports: { ...ports, cis: { ...ports.cis, put: amid } }, tenant }, 'prod', options);
  await deletion;
  for (const kind of [SOURCE_RECORDS.source, SOURCE_RECORDS.state, SOURCE_RECORDS.book, SOURCE_RECORDS.objects])
    expect([kind, await ports.records.get(tenant, kind, 'prod')]).toEqual([kind, null]);
  expect(await runStored({ ports, tenant }, 'prod', options)).toBeNull();
});

test('a source whose events cannot be received holds up no other', async () => {
  await put();
  await run();
  await send('PUT', '/v1/cmdb/sources/second', { kind: 'kubernetes', url: api.url, every: '1d', cluster: 'second' });
  await send('POST', '/v1/cmdb/sources/second/run', {});
  const { ports } = app.app;
  const stored: string[] = [];
  const failing: AppPorts = {
    ...ports,
    records: {
      ...ports.records,
      put: async (...all) => {
        if (all[1] === SOURCE_RECORDS.heard && all[2] === 'prod') throw new Killed();
        if (all[1] === SOURCE_RECORDS.heard) stored.push(all[2]);
        return ports.records.put(...all);
      },
    },
  };
  let failures = 0;
  // The job of the app may be faster with some of them.
  await until(async () => {
    shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedMount', at: now() });
    await hearClusters(failing, never).catch((error) => {
      if (!(error instanceof Killed)) throw error;
      failures += 1;
    });
    return failures > 0 && stored.includes('second');
  });
  await send('DELETE', '/v1/cmdb/sources/second');
});

test('a kill between the receipt of events and their position doubles nothing', async () => {
  await put();
  await run();
  await hear();
  await until(async () => api.requests.some(({ url }) => url.startsWith(EVENTS_PATH) && url.includes('watch=1')));
  // Still so when its objects are listed again, as the job of the app may have stored the position.
  shop.pod('db-0', { kind: 'StatefulSet', owner: 'db', node: 'node-1', ip: '10.1.0.4' }, { ready: false, at: now() });
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedMount', at: now() });
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'Unhealthy', at: now() });
  await until(async () => {
    await hearClusters(mortal(app.app.ports, 0, SOURCE_RECORDS.heard), never).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
    return (await events()).length === 2;
  });
  for (const watch of app.app.ports.clusters.live()) watch.close();
  await run();
  shop.event({ kind: 'Node', name: 'node-1', reason: 'NodeNotReady', at: now() });
  await heard([
    ['Container fails its health check', 'open', 'shop/db'],
    ['Node is not ready', 'open', 'node-1'],
    ["Volume can't be mounted", 'open', 'shop/db'],
  ]);
  expect((await events()).map(({ occurrenceCount }) => occurrenceCount)).toEqual([1, 1, 1]);
});

test('events of a dead node are one group with the node as its cause', async () => {
  await put();
  await run();
  await hear();
  await until(async () => api.requests.some(({ url }) => url.startsWith(EVENTS_PATH) && url.includes('watch=1')));
  const P = 'checkout-6d4cf56db6-a';
  shop.node('node-1', { Ready: false }, now());
  shop.event({ kind: 'Node', name: 'node-1', reason: 'NodeNotReady', at: now() });
  app.clock.advance(20_000);
  shop.event({ kind: 'Pod', name: P, reason: 'FailedScheduling', message: '0/3 nodes are available', at: now() });
  shop.event({ kind: 'Pod', name: 'db-0', reason: 'FailedAttachVolume', message: 'Multi-Attach error', at: now() });
  app.clock.advance(20_000);
  shop.event({
    kind: 'Pod',
    name: 'front-6d4cf56db6-a',
    reason: 'Unhealthy',
    message: 'Readiness probe failed',
    at: now(),
  });
  shop.event({
    kind: 'DaemonSet',
    name: 'proxy',
    namespace: 'kube-system',
    reason: 'FailedCreate',
    message: 'node is not ready',
    at: now(),
  });
  await until(async () => {
    await hear();
    return (await events()).length === 5;
  });
  const { groups } = (await send('GET', '/api/events/groups?limit=10')).body;
  const cause = (await send('GET', `/api/events/groups/${groups[0].correlationId}`)).body.group.rootCauseCandidate;
  expect((await send('GET', `/v1/cmdb/ci/${cause.ciId}`)).body.name).toBe('node-1');
  expect(cause.confidence).toBeGreaterThanOrEqual(0.6);
  expect(groups.map((group: { eventCount: number }) => group.eventCount)).toEqual([5]);
});

test('the role of the deployment may list and watch exactly what is read', () => {
  const role = parseAllDocuments(deployedText('kubernetes/read-cluster.yaml'))
    .map(
      (one) => one.toJS() as { kind: string; rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[] },
    )
    .find(({ kind }) => kind === 'ClusterRole');
  const allowed = (role?.rules ?? []).flatMap(({ apiGroups, resources, verbs }) => {
    expect(verbs).toEqual(['get', 'list', 'watch']);
    return resources.map((resource) => `${apiGroups[0]}/${resource}`);
  });
  const read = [...RESOURCE_NAMES.map((name) => RESOURCES[name].path), EVENTS_PATH].map((path) => {
    const parts = path.split('/');
    return `${parts[1] === 'apis' ? parts[2] : ''}/${parts.at(-1)}`;
  });
  expect(allowed.sort()).toEqual(read.sort());
});

test('a due source runs, and its events are heard in the same turn', async () => {
  await put();
  await runDueSources(app.app.ports, never);
  shop.event({ kind: 'Node', name: 'node-2', reason: 'NodeNotReady', at: now() });
  await until(async () => {
    await runDueSources(app.app.ports, never);
    return (await events()).some(({ title }) => title === 'Node is not ready');
  });
});
