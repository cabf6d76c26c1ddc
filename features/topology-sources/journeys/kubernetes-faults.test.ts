import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { hearClusters } from '#features/topology-sources/use-cases/kubernetes/hear-clusters.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';
import { EVENTS_PATH, RESOURCES } from '../rules/kubernetes/resources.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { type FakePrometheus, openFakePrometheus, SHOP } from './fake-prometheus.ts';
import { KubernetesShop } from './kubernetes-shop.ts';

/* Faults as stock alerts, at the time when their rules fire, and as events of Kubernetes at once, in a new tenant. */

/** `for` of the rules of kube-prometheus, minutes; that of errors is an own rule of 10 s. */
const FOR: Readonly<Record<string, number>> = {
  KubeNodeNotReady: 15,
  KubeNodeUnreachable: 15,
  KubeNodePressure: 10,
  KubeNodeEviction: 0,
  NodeFilesystemAlmostOutOfSpace: 30,
  KubePodCrashLooping: 15,
  KubePodNotReady: 15,
  KubeContainerWaiting: 60,
  KubeDeploymentReplicasMismatch: 15,
  KubeDeploymentRolloutStuck: 15,
  KubeStatefulSetReplicasMismatch: 15,
  KubeHpaMaxedOut: 15,
  KubeQuotaFullyUsed: 15,
  KubePersistentVolumeFillingUp: 1,
  TargetDown: 10,
  CoreDNSDown: 15,
  KubernetesContainerOomKiller: 0,
  HighErrorRate: 1 / 6,
};
const MINUTE = 60;

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
let prometheus: FakePrometheus;
let fake: FakeKubernetes;
beforeAll(async () => {
  const shop = SHOP();
  const dns = {
    namespace: 'kube-system',
    created_by_kind: 'ReplicaSet',
    created_by_name: 'coredns-1',
    host_ip: '10.0.0.2',
  };
  prometheus = await openFakePrometheus({
    ...shop,
    workloads: [...(shop.workloads ?? []), { namespace: 'kube-system', deployment: 'coredns' }],
    replicaSets: [
      ...(shop.replicaSets ?? []),
      { namespace: 'kube-system', replicaset: 'coredns-1', owner_kind: 'Deployment', owner_name: 'coredns' },
    ],
    pods: [...(shop.pods ?? []), { ...dns, pod: 'coredns-1-a', node: 'node-2', pod_ip: '10.1.0.9' }],
    services: [...(shop.services ?? []), { namespace: 'kube-system', service: 'kube-dns', cluster_ip: '10.2.0.9' }],
    endpoints: [
      ...(shop.endpoints ?? []),
      { namespace: 'kube-system', endpoint: 'kube-dns', ip: '10.1.0.9', ready: 'true' },
    ],
  });
  prometheus.rules = Object.entries(FOR).map(([name, minutes]) => ({ name, duration: minutes * MINUTE, alerts: [] }));
});
afterAll(() => prometheus.stop());

afterEach(() => fake.stop());

interface Step {
  /** Seconds after the fault. */
  readonly at: number;
  readonly alert?: object;
  readonly event?: Omit<Parameters<KubernetesShop['event']>[0], 'at'>;
}
const KSM = {
  job: 'kube-state-metrics',
  instance: '10.1.0.9:8080',
  service: 'kube-state-metrics',
  pod: 'kube-state-metrics-1',
};
/** `active`: seconds after the fault at which its expression holds. */
const alert = (active: number, alertname: string, severity: string, labels: object): Step => ({
  at: active + (FOR[alertname] ?? 0) * MINUTE,
  alert: { labels: { alertname, severity, ...labels }, annotations: { summary: alertname } },
});
const state = (active: number, alertname: string, labels: object, severity = 'warning') =>
  alert(active, alertname, severity, { ...KSM, namespace: 'shop', ...labels });
const errors = (active: number, service: string) =>
  alert(active, 'HighErrorRate', 'critical', { namespace: 'shop', service, job: service });
const down = (active: number, service: string) =>
  alert(active, 'TargetDown', 'warning', { namespace: 'shop', service, job: service });
const of =
  (kind: string, name: string) =>
  (at: number, reason: string, message: string, more: object = {}): Step => ({
    at,
    event: { kind, name, reason, message, ...more },
  });
const C = 'checkout-6d4cf56db6-a';
const checkout = of('Pod', C);
const app1 = { container: 'app' };
const db = of('Pod', 'db-0');
const node = of('Node', 'node-1');
const mismatch = (active: number, deployment: string) =>
  state(active, 'KubeDeploymentReplicasMismatch', { deployment });
const sts = (active: number) => state(active, 'KubeStatefulSetReplicasMismatch', { statefulset: 'db' });

/** The cause, and the least confidence that it has. */
type Fault = readonly [cause: string, least: number, steps: readonly Step[]];
const FAULTS: Readonly<Record<string, Fault>> = {
  'node is not ready': [
    'node-1',
    0.9,
    [
      down(15, 'checkout'),
      errors(20, 'front'),
      node(45, 'NodeNotReady', 'Node node-1 status is now: NodeNotReady'),
      alert(50, 'KubeNodeNotReady', 'warning', { ...KSM, node: 'node-1' }),
      mismatch(55, 'checkout'),
      sts(55),
      state(60, 'KubePodNotReady', { pod: 'db-0' }),
    ],
  ],
  'container out of memory': [
    'shop/checkout',
    0.8,
    [
      checkout(1, 'BackOff', 'Back-off restarting failed container app', app1),
      errors(5, 'front'),
      state(15, 'KubernetesContainerOomKiller', { pod: C, container: 'app' }),
      down(15, 'checkout'),
      mismatch(20, 'checkout'),
      state(30, 'KubePodCrashLooping', { pod: C, container: 'app', reason: 'CrashLoopBackOff' }),
    ],
  ],
  'image cannot be pulled': [
    'shop/checkout',
    0.15,
    [
      checkout(3, 'BackOff', 'Back-off pulling image "checkout:2"', app1),
      errors(10, 'front'),
      mismatch(20, 'checkout'),
      state(20, 'KubePodNotReady', { pod: C }),
      state(20, 'KubeContainerWaiting', { pod: C, container: 'app', reason: 'ImagePullBackOff' }),
    ],
  ],
  'crash loop after a deployment': [
    'shop/checkout',
    0.5,
    [
      checkout(5, 'BackOff', 'Back-off restarting failed container app', app1),
      errors(10, 'front'),
      down(15, 'checkout'),
      mismatch(20, 'checkout'),
      state(30, 'KubePodCrashLooping', { pod: C, container: 'app', reason: 'CrashLoopBackOff' }),
      state(600, 'KubeDeploymentRolloutStuck', { deployment: 'checkout' }),
    ],
  ],
  'pod cannot be scheduled': [
    'shop/checkout',
    0.15,
    [
      checkout(1, 'FailedScheduling', '0/3 nodes are available: 3 Insufficient memory'),
      errors(10, 'front'),
      mismatch(20, 'checkout'),
      state(20, 'KubePodNotReady', { pod: C }),
    ],
  ],
  'volume is full': [
    'shop/data-db-0',
    0.9,
    [
      alert(0, 'KubePersistentVolumeFillingUp', 'critical', {
        namespace: 'shop',
        persistentvolumeclaim: 'data-db-0',
        job: 'kubelet',
        service: 'kubelet',
        node: 'node-1',
        instance: '10.0.0.1:10250',
      }),
      db(70, 'BackOff', 'Back-off restarting failed container postgres', { container: 'postgres' }),
      errors(75, 'checkout'),
      errors(80, 'front'),
      down(90, 'db'),
      sts(95),
      state(100, 'KubePodCrashLooping', { pod: 'db-0', container: 'postgres', reason: 'CrashLoopBackOff' }),
    ],
  ],
  'volume cannot be mounted': [
    'shop/db',
    0.2,
    [
      db(1, 'FailedMount', 'MountVolume.SetUp failed for volume "pvc-1": timed out'),
      errors(15, 'checkout'),
      errors(20, 'front'),
      sts(25),
      state(30, 'KubePodNotReady', { pod: 'db-0' }),
    ],
  ],
  'DNS is down': [
    'kube-system/coredns',
    0,
    [
      of('Pod', 'coredns-1-a')(1, 'BackOff', 'Back-off restarting failed container coredns', {
        namespace: 'kube-system',
        container: 'coredns',
      }),
      errors(5, 'checkout'),
      errors(8, 'front'),
      alert(15, 'CoreDNSDown', 'critical', { job: 'kube-dns' }),
      alert(15, 'TargetDown', 'warning', { namespace: 'kube-system', service: 'kube-dns', job: 'kube-dns' }),
      mismatch(40, 'checkout'),
    ],
  ],
  'readiness probe fails': [
    'shop/checkout',
    0.3,
    [
      checkout(5, 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', app1),
      errors(10, 'front'),
      state(20, 'KubePodNotReady', { pod: C }),
      mismatch(20, 'checkout'),
    ],
  ],
  'node is low on disk space': [
    'node-1',
    0.9,
    [
      node(1, 'NodeHasDiskPressure', 'Node node-1 status is now: NodeHasDiskPressure'),
      node(3, 'EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage'),
      checkout(10, 'Evicted', 'The node was low on resource: ephemeral-storage.'),
      errors(15, 'front'),
      alert(20, 'KubeNodePressure', 'info', { ...KSM, node: 'node-1', condition: 'DiskPressure' }),
      alert(20, 'KubeNodeEviction', 'info', { ...KSM, node: 'node-1', eviction_signal: 'nodefs' }),
      mismatch(30, 'checkout'),
      sts(30),
    ],
  ],
  'quota is used up': [
    'shop/front',
    0.15,
    [
      of('ReplicaSet', 'front-6d4cf56db6')(1, 'FailedCreate', 'pods "front" is forbidden: exceeded quota: shop'),
      state(15, 'KubeQuotaFullyUsed', { resourcequota: 'shop', resource: 'pods' }, 'info'),
      state(20, 'KubeHpaMaxedOut', { horizontalpodautoscaler: 'front' }),
      mismatch(20, 'front'),
      errors(60, 'front'),
    ],
  ],
};
test.each(Object.entries(FAULTS))('%s', async (name, [expected, least, steps]) => {
  const tenant = `fault-${Object.keys(FAULTS).indexOf(name)}`;
  const token = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  fake = await FakeKubernetes.open();
  const shop = new KubernetesShop(fake);
  shop.fill();
  const system = { namespace: 'kube-system' };
  fake.put(RESOURCES.deployments.path, { metadata: { ...system, name: 'coredns' } });
  const ownerReferences = [{ kind: 'Deployment', name: 'coredns', controller: true }];
  fake.put(RESOURCES.replicasets.path, { metadata: { ...system, name: 'coredns-1', ownerReferences } });
  shop.pod('coredns-1-a', {
    kind: 'ReplicaSet',
    owner: 'coredns-1',
    node: 'node-2',
    ip: '10.1.0.9',
    namespace: 'kube-system',
  });
  const auth = { type: 'bearer', token: 'a-secret' };
  for (const [source, body] of Object.entries({
    metrics: { kind: 'prometheus', url: prometheus.url },
    objects: { kind: 'kubernetes', url: fake.url, auth },
  })) {
    await send('PUT', `/v1/cmdb/sources/${source}`, { ...body, every: '1d', cluster: 'prod' });
    await send('POST', `/v1/cmdb/sources/${source}/run`, {});
  }
  const hear = () => hearClusters(app.app.ports, () => false);
  await hear();
  await until(async () => fake.requests.some(({ url }) => url.startsWith(EVENTS_PATH) && url.includes('watch=1')));
  const begin = app.clock.now();
  const count = async (): Promise<number> => {
    await app.app.idle();
    return (await send('GET', '/api/events?limit=50')).body.events.length;
  };
  let told = 0;
  for (const { at, alert, event } of steps.toSorted((a, b) => a.at - b.at)) {
    app.clock.advance(begin + at * 1_000 - app.clock.now());
    const now = app.clock.now();
    told += 1;
    if (alert !== undefined) {
      const one = { status: 'firing', startsAt: new Date(now).toISOString(), ...alert };
      await send('POST', '/api/events/webhook/prometheus', { version: '4', status: 'firing', alerts: [one] });
    }
    if (event === undefined) continue;
    shop.event({ ...event, at: now });
    await until(async () => {
      await hear();
      return (await count()) >= told;
    });
  }
  await app.app.idle();
  const { groups } = (await send('GET', '/api/events/groups?limit=10')).body;
  const { group } = (await send('GET', `/api/events/groups/${groups[0].correlationId}`)).body;
  const { ciId, confidence } = group.rootCauseCandidate;
  const cause = (await send('GET', `/v1/cmdb/ci/${ciId}`)).body.name;
  expect(cause).toBe(expected);
  expect(groups).toHaveLength(1);
  expect(confidence).toBeGreaterThanOrEqual(least);
});
