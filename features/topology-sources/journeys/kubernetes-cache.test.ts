import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  ListWatch,
  Watch,
} from '@kubernetes/client-node';
import { openPost } from '#infra/outbound/post.ts';
import { allowedFrom } from '#infra/outbound/public-address.ts';
import { seeded } from '#test/setup/seeded.ts';
import { until } from '#test/setup/until.ts';
import { RESOURCES } from '../rules/kubernetes/resources.ts';
import { openClusters } from '../stores/kubernetes/open-clusters.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';

/* The reference client of Kubernetes has the same objects in its cache after 10,000 random changes. */

const PODS = RESOURCES.pods.path;
let api: FakeKubernetes;
let judge: ReturnType<typeof informer> | undefined;
const outbound = openPost({ allowed: allowedFrom(['127.0.0.0/8']) });
const clusters = openClusters({ outbound, retryMs: 1 });
beforeAll(async () => {
  api = await FakeKubernetes.open();
});
afterAll(async () => {
  // Otherwise it would connect for ever, without a pause, after a failed test.
  await judge?.stop();
  clusters.close();
  await outbound.close();
  await api.stop();
});

function informer() {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'fake', server: api.url, skipTLSVerify: true }, { name: 'judge' });
  const list = async () => (await fetch(`${api.url}${PODS}`)).json() as Promise<KubernetesListObject<KubernetesObject>>;
  // Reconnects without a pause.
  const options = { delayFn: () => Promise.resolve() };
  const made = new ListWatch<KubernetesObject>(PODS, new Watch(config), list, false, undefined, undefined, options);
  let isStopped = false;
  made.on('error', () => void (isStopped || made.start()));
  return {
    start: () => made.start(),
    stop: () => {
      isStopped = true;
      return made.stop();
    },
    has: (namespace: string, name: string) => made.get(name, namespace) !== undefined,
    list: () => made.list(),
  };
}

const SOURCE = {
  name: 'prod',
  kind: 'kubernetes',
  auth: null,
  ca: null,
  everyMs: 60_000,
  graceMs: 60_000,
  cluster: null,
  paused: false,
  createdAt: 0,
  updatedAt: 0,
} as const;

test('the cache equals that of the reference client over 10,000 changes', async () => {
  const random = seeded(47);
  const pick = (of: number): number => random.whole(0, of - 1);
  const change = (): void => {
    const [namespace, name] = [`ns-${pick(3)}`, `pod-${pick(700)}`];
    if (pick(4) === 0) {
      api.remove(PODS, `${namespace}/${name}`);
      return;
    }
    const status = { phase: 'Running', podIP: `10.1.${pick(250)}.${pick(250)}` };
    api.put(PODS, { metadata: { name, namespace }, spec: { nodeName: `node-${pick(9)}` }, status });
  };
  for (let n = 0; n < 1_500; n++) change();
  const watch = await clusters.watch('t', { ...SOURCE, url: api.url });
  const reference = informer();
  judge = reference;
  await reference.start();
  const rows = (objects: readonly unknown[]) =>
    JSON.stringify(
      objects
        .map((one) => RESOURCES.pods.rowOf(one).labels)
        .map((labels) => JSON.stringify(labels))
        .sort(),
    );
  const ours = () =>
    JSON.stringify([...watch.objects.pods.values()].map(({ row }) => JSON.stringify(row.labels)).sort());
  const disrupt = [
    () => api.bookmark(),
    () => api.drop('cut', PODS),
    () => api.drop('end', PODS),
    () => {
      api.forget(PODS);
      api.drop('gone', PODS);
    },
    () => {
      api.drop('cut', PODS);
      change();
      api.forget(PODS);
    },
  ];
  for (let burst = 0; burst < 200; burst++) {
    for (let n = 0; n < 50; n++) change();
    if (burst % 2 === 0) disrupt[pick(disrupt.length)]?.();
    await new Promise((resolve) => setImmediate(resolve));
    if (burst % 20 !== 19) continue;
    // Changes arrive in order, so both have all once they have the last.
    const [namespace, name] = ['last', `of-${burst}`];
    api.put(PODS, { metadata: { name, namespace }, spec: {}, status: {} });
    await until(async () => watch.objects.pods.has(`${namespace}/${name}`) && reference.has(namespace, name));
    const all = rows(api.objects(PODS));
    expect(ours() === all).toBe(true);
    expect(rows(reference.list()) === all).toBe(true);
  }
  const relists = api.requests.filter(
    ({ url }) => url.startsWith(PODS) && !url.includes('watch') && url.includes('limit='),
  );
  expect(relists.length).toBeGreaterThan(10);
  expect(watch.objects.pods.size).toBeGreaterThan(1_000);
}, 120_000);
