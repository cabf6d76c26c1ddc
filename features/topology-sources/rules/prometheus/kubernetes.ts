/** Kubernetes objects from the series of kube-state-metrics. */
import type { Stepwise } from '#domain/ports/clock.ts';
import type { Collected } from './collected.ts';
import type { LabelledValue, SeriesByQuery, SeriesLabels } from './queries.ts';

type KubernetesSeries = Pick<
  SeriesByQuery,
  | 'nodes'
  | 'workloads'
  | 'pods'
  | 'replicaSets'
  | 'jobs'
  | 'services'
  | 'endpoints'
  | 'slices'
  | 'ingresses'
  | 'claims'
  | 'mounts'
>;

/** Prometheus renames a label of the series to `exported_…` if the scrape target has the same label. */
const labelOf = (labels: SeriesLabels, name: string): string => labels[`exported_${name}`] || labels[name] || '';

interface Owner {
  readonly kind: string;
  readonly name: string;
}
const WORKLOADS: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'deployment'],
  ['StatefulSet', 'statefulset'],
  ['DaemonSet', 'daemonset'],
  ['CronJob', 'cronjob'],
]);
/** Owners of ReplicaSets, which are too short-lived to be CIs. */
const DEPLOYING: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'deployment'],
  ['Rollout', 'rollout'],
]);
/** Labels that name the object of a series; each is the kind of the object. */
const WORKLOAD_LABELS = ['deployment', 'statefulset', 'daemonset', 'cronjob'] as const;

/** Returns the owners of ReplicaSets or Jobs, by cluster, namespace and name. */
function* ownersOf(
  series: readonly LabelledValue[],
  label: string,
  kinds: ReadonlyMap<string, string>,
  of: Collected,
): Stepwise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const { labels } of series) {
    yield;
    const kind = kinds.get(labels.owner_kind ?? '');
    const id = [of.clusterOf(labels), labelOf(labels, 'namespace'), labels[label] ?? ''].join('/');
    if (kind !== undefined && labels.owner_name) owners.set(id, { kind, name: labels.owner_name });
  }
  return owners;
}

interface Owners {
  readonly replicaSets: ReadonlyMap<string, Owner>;
  readonly jobs: ReadonlyMap<string, Owner>;
}

/** Deployments name their ReplicaSets with a hyphen and a hash. */
const OF_REPLICA_SET = /^(.+)-[a-z0-9]{5,10}$/;

function lasting(labels: SeriesLabels, { replicaSets, jobs }: Owners, cluster: string): Owner | null {
  const { created_by_kind: kind = '', created_by_name: name = '' } = labels;
  const id = [cluster, labelOf(labels, 'namespace'), name].join('/');
  if (kind === 'ReplicaSet') {
    // The name identifies the owner if there are no series of ReplicaSets.
    const named = replicaSets.size === 0 ? OF_REPLICA_SET.exec(name)?.[1] : undefined;
    return replicaSets.get(id) ?? (named === undefined ? null : { kind: 'deployment', name: named });
  }
  if (kind === 'Job') return jobs.get(id) ?? null;
  const workload = WORKLOADS.get(kind);
  return workload === undefined ? null : { kind: workload, name };
}

function* addNodes(nodes: readonly LabelledValue[], into: Collected): Stepwise<void> {
  for (const { labels } of nodes) {
    yield;
    const { internal_ip, os_image, kernel_version, kubelet_version, provider_id } = labels;
    const name = labelOf(labels, 'node');
    if (name === '') continue;
    const object = { cluster: into.clusterOf(labels), kind: 'node', namespace: null, name };
    into.object(object, { ip_address: internal_ip, os: os_image, kernel_version, kubelet_version, provider_id });
  }
}

function* addWorkloads(workloads: readonly LabelledValue[], into: Collected): Stepwise<void> {
  for (const { labels } of workloads) {
    yield;
    const kind = WORKLOAD_LABELS.find((one) => labelOf(labels, one) !== '');
    const namespace = labelOf(labels, 'namespace');
    if (kind === undefined || namespace === '') continue;
    into.object({ cluster: into.clusterOf(labels), kind, namespace, name: labelOf(labels, kind) });
  }
}

/** CIs that represent pods, by pod and by IP address. */
interface PlacedPods {
  readonly byPod: Map<string, string>;
  readonly byAddress: Map<string, string>;
}

function* addPods(pods: readonly LabelledValue[], owners: Owners, into: Collected): Stepwise<PlacedPods> {
  const placed: PlacedPods = { byPod: new Map(), byAddress: new Map() };
  for (const { labels } of pods) {
    yield;
    const cluster = into.clusterOf(labels);
    const namespace = labelOf(labels, 'namespace');
    const pod = labelOf(labels, 'pod');
    const node = labelOf(labels, 'node');
    if (pod === '' || namespace === '') continue;
    const nodeKey = node === '' ? null : into.object({ cluster, kind: 'node', namespace: null, name: node });
    const owner = lasting(labels, owners, cluster);
    const target = owner === null ? nodeKey : into.object({ cluster, namespace, ...owner });
    if (target === null) continue;
    // Runs of a CronJob are too short for their node to matter.
    if (owner !== null && owner.kind !== 'cronjob' && nodeKey !== null)
      into.edge('runs_on', target, nodeKey, { group: 'replicas' });
    const { pod_ip = '', host_ip = '' } = labels;
    const ip = pod_ip === '' || pod_ip === host_ip ? null : pod_ip;
    const id = `${cluster}/${namespace}/${pod}`;
    into.pods.push({ pod: id, target, node: nodeKey, ip });
    if (owner === null) continue;
    placed.byPod.set(id, target);
    if (ip !== null) placed.byAddress.set(`${cluster}/${ip}`, target);
  }
  return placed;
}

/** The controller names endpoint slices after their service, with a hyphen and five characters. */
const OF_SLICE = /^(.+)-[a-z0-9]{5}$/;

function* addServices(series: KubernetesSeries, placed: PlacedPods, into: Collected): Stepwise<void> {
  const keyOf = (labels: SeriesLabels, name: string): string =>
    into.object({ cluster: into.clusterOf(labels), kind: 'service', namespace: labelOf(labels, 'namespace'), name });
  const known = new Set<string>();
  for (const { labels } of series.services) {
    yield;
    const name = labelOf(labels, 'service');
    if (name !== '' && labelOf(labels, 'namespace') !== '') known.add(keyOf(labels, name));
  }
  const link = (labels: SeriesLabels, name: string | undefined, target: string | undefined): void => {
    if (!name || target === undefined) return;
    const service = keyOf(labels, name);
    if (known.has(service)) into.edge('depends_on', service, target, { group: 'endpoints' });
  };
  for (const { labels } of series.endpoints) {
    yield;
    link(labels, labelOf(labels, 'endpoint'), placed.byAddress.get(`${into.clusterOf(labels)}/${labels.ip ?? ''}`));
  }
  for (const { labels } of series.slices) {
    yield;
    const namespace = labels.targetref_namespace || labelOf(labels, 'namespace');
    const pod = `${into.clusterOf(labels)}/${namespace}/${labels.targetref_name ?? ''}`;
    link(labels, OF_SLICE.exec(labelOf(labels, 'endpointslice'))?.[1], placed.byPod.get(pod));
  }
}

function* addIngresses(ingresses: readonly LabelledValue[], into: Collected): Stepwise<void> {
  for (const { labels } of ingresses) {
    yield;
    const [cluster, namespace] = [into.clusterOf(labels), labelOf(labels, 'namespace')];
    const { service_name: service = '', host } = labels;
    const name = labelOf(labels, 'ingress');
    if (name === '' || namespace === '') continue;
    const ingress = into.object({ cluster, kind: 'ingress', namespace, name }, { host });
    if (service !== '')
      into.edge('depends_on', ingress, into.object({ cluster, kind: 'service', namespace, name: service }));
  }
}

function* addVolumes({ claims, mounts }: KubernetesSeries, placed: PlacedPods, into: Collected): Stepwise<void> {
  const claimOf = (labels: SeriesLabels, attributes: Readonly<Record<string, string | undefined>>): string | null => {
    const [namespace, name] = [labelOf(labels, 'namespace'), labelOf(labels, 'persistentvolumeclaim')];
    if (namespace === '' || name === '') return null;
    return into.object({ cluster: into.clusterOf(labels), kind: 'persistentvolumeclaim', namespace, name }, attributes);
  };
  for (const { labels } of claims) {
    yield;
    claimOf(labels, { storage_class: labels.storageclass, volume_name: labels.volumename });
  }
  for (const { labels } of mounts) {
    yield;
    const pod = `${into.clusterOf(labels)}/${labelOf(labels, 'namespace')}/${labelOf(labels, 'pod')}`;
    const [workload, claim] = [placed.byPod.get(pod), claimOf(labels, {})];
    if (workload !== undefined && claim !== null) into.edge('uses', workload, claim);
  }
}

export function* addKubernetes(series: KubernetesSeries, into: Collected): Stepwise<void> {
  yield* addNodes(series.nodes, into);
  yield* addWorkloads(series.workloads, into);
  const owners = {
    replicaSets: yield* ownersOf(series.replicaSets, 'replicaset', DEPLOYING, into),
    jobs: yield* ownersOf(series.jobs, 'job_name', WORKLOADS, into),
  };
  const placed = yield* addPods(series.pods, owners, into);
  yield* addServices(series, placed, into);
  yield* addIngresses(series.ingresses, into);
  yield* addVolumes(series, placed, into);
}
