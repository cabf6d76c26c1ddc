/** The objects of a cluster as they are now, and the workload that each belongs to. */
import { sameJson } from '#domain/same-json.ts';
import { kubernetesKey } from '#domain/topology/kubernetes-keys.ts';
import type {
  LabelledValue,
  SeriesByQuery,
  SeriesLabels,
} from '#features/topology-sources/rules/prometheus/queries.ts';
import { type KubernetesRow, objectId, type ResourceName } from './resources.ts';

/** A row with its place in the order of changes. */
export interface PlacedRow {
  readonly row: KubernetesRow;
  readonly place: number;
}
export type ClusterObjects = Readonly<Record<ResourceName, ReadonlyMap<string, PlacedRow>>>;

/** True if only health differs, as in the reports that nodes send every few minutes. */
export const isSameTopology = (before: KubernetesRow | undefined, { labels, links, health }: KubernetesRow): boolean =>
  before !== undefined &&
  before.health?.isOver === health?.isOver &&
  sameJson(before.labels, labels) &&
  sameJson(before.links, links);

const series = (labels: SeriesLabels): LabelledValue => ({ labels, value: 1 });
const labelsOf = (rows: ReadonlyMap<string, PlacedRow>): LabelledValue[] =>
  [...rows.values()].map(({ row }) => series(row.labels));
const linksOf = (rows: ReadonlyMap<string, PlacedRow>): LabelledValue[] =>
  [...rows.values()].flatMap(({ row }) => row.links.map(series));

/** Returns the series that kube-state-metrics has for the same objects. Pods that have ended are left out. */
export function seriesOf(objects: ClusterObjects): SeriesByQuery {
  const pods = new Map([...objects.pods].filter(([, { row }]) => row.health?.isOver !== true));
  return {
    nodes: labelsOf(objects.nodes),
    workloads: [objects.deployments, objects.statefulsets, objects.daemonsets, objects.cronjobs].flatMap(labelsOf),
    pods: labelsOf(pods),
    replicaSets: labelsOf(objects.replicasets),
    jobs: labelsOf(objects.jobs),
    services: labelsOf(objects.services),
    endpoints: [],
    slices: linksOf(objects.endpointslices),
    ingresses: [...objects.ingresses.values()].flatMap(({ row }) =>
      (row.links.length === 0 ? [row.labels] : row.links).map(series),
    ),
    claims: labelsOf(objects.persistentvolumeclaims),
    mounts: linksOf(pods),
    calls: [],
    mesh: [],
    hosts: [],
    targets: [],
  };
}

export interface ObjectName {
  /** Lower case, for example `pod`. */
  readonly kind: string;
  /** Empty: the kind has none. */
  readonly namespace: string;
  readonly name: string;
}

const RESOURCE_OF_KIND: Readonly<Record<string, ResourceName>> = {
  node: 'nodes',
  pod: 'pods',
  deployment: 'deployments',
  statefulset: 'statefulsets',
  daemonset: 'daemonsets',
  replicaset: 'replicasets',
  cronjob: 'cronjobs',
  job: 'jobs',
  service: 'services',
  ingress: 'ingresses',
  persistentvolumeclaim: 'persistentvolumeclaims',
};

/** Null: the object does not exist; undefined: its kind is not watched. */
export function rowOf(objects: ClusterObjects, { kind, namespace, name }: ObjectName): PlacedRow | null | undefined {
  const resource = RESOURCE_OF_KIND[kind];
  return resource === undefined ? undefined : (objects[resource].get(objectId(namespace, name)) ?? null);
}

/** Owners of an owner are two at most: pod, ReplicaSet, Deployment. */
const MAX_OWNERS = 3;

/** Returns the object that lasts: the deployment of a pod, for example. */
export function lastingOf(objects: ClusterObjects, object: ObjectName): ObjectName {
  let found = object;
  for (let hops = 0; hops < MAX_OWNERS; hops++) {
    const labels = rowOf(objects, found)?.row.labels ?? {};
    const [kind, name] = [labels.owner_kind ?? labels.created_by_kind, labels.owner_name ?? labels.created_by_name];
    if (!kind || !name || kind === 'Node') break;
    found = { kind: kind.toLowerCase(), namespace: found.namespace, name };
  }
  return found;
}

export const keyOfObject = (cluster: string, { kind, namespace, name }: ObjectName): string =>
  kubernetesKey({ cluster, kind, namespace: namespace === '' ? null : namespace, name });
