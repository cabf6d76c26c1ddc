import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type FakePrometheus, openFakePrometheus, SHOP } from './fake-prometheus.ts';

/* Stock alerts of seven faults in a new tenant with a Prometheus source only. */

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
let prometheus: FakePrometheus;
beforeAll(async () => {
  prometheus = await openFakePrometheus(SHOP());
});
afterAll(() => prometheus.stop());
const KSM = {
  job: 'kube-state-metrics',
  instance: '10.1.0.9:8080',
  container: 'kube-state-metrics',
  service: 'kube-state-metrics',
  namespace: 'monitoring',
  pod: 'kube-state-metrics-1',
};
const S = 'shop';
const H = '6d4cf56db6';
const alert = (alertname: string, severity: string, labels: object, summary: string) => ({
  alertname,
  severity,
  labels,
  summary,
});
const of = (l: object) => ({ ...KSM, namespace: S, ...l });
const dep = (d: string) =>
  alert(
    'KubeDeploymentReplicasMismatch',
    'warning',
    of({ deployment: d }),
    'Deployment has not matched the expected number of replicas.',
  );
const sts = () =>
  alert(
    'KubeStatefulSetReplicasMismatch',
    'warning',
    of({ statefulset: 'db' }),
    'StatefulSet has not matched the expected number of replicas.',
  );
const down = (s: string) =>
  alert('TargetDown', 'warning', { job: s, namespace: S, service: s }, 'One or more targets are unreachable.');
const crash = (p: string) =>
  alert('KubePodCrashLooping', 'warning', of({ pod: p, reason: 'CrashLoopBackOff' }), 'Pod is crash looping.');
const notReady = (p: string) =>
  alert('KubePodNotReady', 'warning', of({ pod: p }), 'Pod has been in a non-ready state for more than 15 minutes.');
const errors = (s: string) =>
  alert('HighErrorRate', 'critical', { namespace: S, service: s, job: s }, `High error rate on ${s}`);
/** The root cause, and the least confidence that it has. */
type StockFault = readonly [cause: string, least: number, alerts: readonly ReturnType<typeof alert>[]];
const FAULTS: Readonly<Record<string, StockFault>> = {
  'PVC full': [
    'shop/data-db-0',
    0.6,
    [
      alert(
        'KubePersistentVolumeFillingUp',
        'critical',
        {
          namespace: S,
          persistentvolumeclaim: 'data-db-0',
          job: 'kubelet',
          service: 'kubelet',
          node: 'node-1',
          instance: '10.0.0.1:10250',
        },
        'PersistentVolume is filling up.',
      ),
      crash('db-0'),
      sts(),
      down('db'),
      errors('checkout'),
      errors('front'),
    ],
  ],
  OOM: [
    'shop/checkout',
    0.6,
    [
      alert('KubePodOOMKilled', 'warning', of({ pod: `checkout-${H}-a` }), 'Container was OOM killed'),
      crash(`checkout-${H}-a`),
      dep('checkout'),
      down('checkout'),
      errors('front'),
    ],
  ],
  'image pull': [
    'shop/checkout',
    0.3,
    [
      alert(
        'KubeContainerWaiting',
        'warning',
        of({ pod: `checkout-${H}-a`, container: 'c', reason: 'ImagePullBackOff' }),
        'Pod container waiting longer than 1 hour',
      ),
      notReady(`checkout-${H}-a`),
      dep('checkout'),
      errors('front'),
    ],
  ],
  'node disk': [
    'node-1',
    0.6,
    [
      alert(
        'KubeNodePressure',
        'info',
        { ...KSM, node: 'node-1', condition: 'DiskPressure' },
        'Node has as active Condition.',
      ),
      alert(
        'NodeFilesystemAlmostOutOfSpace',
        'critical',
        {
          instance: '10.0.0.1:9100',
          job: 'node-exporter',
          namespace: 'monitoring',
          pod: 'node-exporter-x',
          container: 'node-exporter',
          mountpoint: '/',
        },
        'Filesystem has less than 3% space left.',
      ),
      alert(
        'KubeNodeEviction',
        'info',
        { ...KSM, node: 'node-1', eviction_signal: 'nodefs' },
        'Node is evicting pods.',
      ),
      crash('db-0'),
      sts(),
      dep('checkout'),
      down('checkout'),
    ],
  ],
  kubelet: [
    'node-1',
    0.6,
    [
      alert(
        'KubeletInstanceUnreachable',
        'warning',
        { node: 'node-1', job: 'kubelet', instance: '10.0.0.1:10250' },
        'Kubelet instance is unreachable.',
      ),
      alert('KubeNodeNotReady', 'warning', { ...KSM, node: 'node-1' }, 'Node is not ready.'),
      notReady('db-0'),
      sts(),
      dep('checkout'),
    ],
  ],
  'bad deploy': [
    'shop/checkout',
    0.4,
    [
      crash(`checkout-${H}-a`),
      dep('checkout'),
      alert(
        'KubeDeploymentRolloutStuck',
        'warning',
        of({ deployment: 'checkout' }),
        'Deployment rollout is not progressing.',
      ),
      down('checkout'),
      errors('front'),
    ],
  ],
  'database down': [
    'shop/db',
    0.6,
    [
      alert(
        'PostgreSQLDown',
        'critical',
        { namespace: S, service: 'db', job: 'db', instance: '10.1.0.4:9187', pod: 'db-0' },
        'PostgreSQL is not processing queries.',
      ),
      sts(),
      notReady('db-0'),
      errors('checkout'),
      errors('front'),
    ],
  ],
};
test.each(Object.entries(FAULTS))('%s', async (name, [cause, least, alerts]) => {
  const token = await app.tenant(`fault-${name.replaceAll(' ', '-').toLowerCase()}`);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  await send('PUT', '/v1/cmdb/sources/prod', { kind: 'prometheus', url: prometheus.url, every: '1d', cluster: 'prod' });
  await send('POST', '/v1/cmdb/sources/prod/run', {});
  for (const { alertname, severity, labels, summary } of alerts) {
    const startsAt = new Date(app.clock.now()).toISOString();
    const one = { status: 'firing', labels: { alertname, severity, ...labels }, annotations: { summary }, startsAt };
    await send('POST', '/api/events/webhook/prometheus', { version: '4', status: 'firing', alerts: [one] });
    app.clock.advance(20_000);
  }
  await app.app.idle();
  const { groups } = (await send('GET', '/api/events/groups?limit=10')).body;
  expect(groups.map((group: { eventCount: number }) => group.eventCount)).toEqual([alerts.length]);
  const { group } = (await send('GET', `/api/events/groups/${groups[0].correlationId}`)).body;
  const { ciId, confidence } = group.rootCauseCandidate;
  expect((await send('GET', `/v1/cmdb/ci/${ciId}`)).body.name).toBe(cause);
  expect(confidence).toBeGreaterThanOrEqual(least);
});
