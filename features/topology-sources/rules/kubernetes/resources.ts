/** The resources of the Kubernetes API that make up the topology. Rows have the labels of kube-state-metrics, so that both kinds of sources report the same. */
import type { SeriesLabels } from '#features/topology-sources/rules/prometheus/queries.ts';
import { nodeHealth, type ObjectHealth, podHealth } from './health.ts';
import { listOf, textOf } from './raw.ts';

export interface KubernetesRow {
  readonly labels: SeriesLabels;
  /** One per volume of a pod, path of an ingress or pod of a slice. */
  readonly links: readonly SeriesLabels[];
  /** Present on pods and nodes. */
  readonly health?: ObjectHealth;
}

export interface KubernetesResource {
  /** Path of the list in all namespaces. */
  readonly path: string;
  /** The rest of the object is not read. */
  readonly isMetadataOnly: boolean;
  readonly rowOf: (object: unknown) => KubernetesRow;
}

const NO_LINKS: readonly SeriesLabels[] = [];

const ownerOf = (object: unknown): { readonly kind: string; readonly name: string } => {
  const owners = listOf(object, 'metadata', 'ownerReferences');
  const owner = owners.find((one) => (one as { controller?: unknown } | null)?.controller === true) ?? owners[0];
  return { kind: textOf(owner, 'kind'), name: textOf(owner, 'name') };
};
const namespaceOf = (object: unknown): string => textOf(object, 'metadata', 'namespace');
const nameOf = (object: unknown): string => textOf(object, 'metadata', 'name');

/** Objects of which only names and owners matter. */
const named = (path: string, label: string): KubernetesResource => ({
  path,
  isMetadataOnly: true,
  rowOf(object) {
    const { kind, name } = ownerOf(object);
    const owner = name === '' ? {} : { owner_kind: kind, owner_name: name };
    return { labels: { namespace: namespaceOf(object), [label]: nameOf(object), ...owner }, links: NO_LINKS };
  },
});
const whole = (path: string, rowOf: KubernetesResource['rowOf']): KubernetesResource => ({
  path,
  isMetadataOnly: false,
  rowOf,
});

const nodeRow = (node: unknown): KubernetesRow => {
  const info = (name: string): string => textOf(node, 'status', 'nodeInfo', name);
  const internal = listOf(node, 'status', 'addresses').find((one) => textOf(one, 'type') === 'InternalIP');
  return {
    labels: {
      node: nameOf(node),
      internal_ip: textOf(internal, 'address'),
      os_image: info('osImage'),
      kernel_version: info('kernelVersion'),
      kubelet_version: info('kubeletVersion'),
      provider_id: textOf(node, 'spec', 'providerID'),
    },
    links: NO_LINKS,
    health: nodeHealth(node),
  };
};

const podRow = (pod: unknown): KubernetesRow => {
  const { kind, name } = ownerOf(pod);
  const namespace = namespaceOf(pod);
  const claims = listOf(pod, 'spec', 'volumes').flatMap((volume) => {
    const claim = textOf(volume, 'persistentVolumeClaim', 'claimName');
    return claim === '' ? [] : [{ namespace, pod: nameOf(pod), persistentvolumeclaim: claim }];
  });
  return {
    labels: {
      namespace,
      pod: nameOf(pod),
      node: textOf(pod, 'spec', 'nodeName'),
      pod_ip: textOf(pod, 'status', 'podIP'),
      host_ip: textOf(pod, 'status', 'hostIP'),
      created_by_kind: kind,
      created_by_name: name,
    },
    links: claims,
    health: podHealth(pod),
  };
};

const SERVICE_OF_SLICE = 'kubernetes.io/service-name';
/** Series of slices name their service by the name of the slice. */
const SUFFIX = '-xxxxx';
const sliceRow = (slice: unknown): KubernetesRow => {
  const namespace = namespaceOf(slice);
  const service = textOf(slice, 'metadata', 'labels', SERVICE_OF_SLICE);
  const pods = listOf(slice, 'endpoints').filter((one) => textOf(one, 'targetRef', 'kind') === 'Pod');
  const links = pods.map((one) => ({
    namespace,
    endpointslice: service + SUFFIX,
    targetref_namespace: textOf(one, 'targetRef', 'namespace') || namespace,
    targetref_name: textOf(one, 'targetRef', 'name'),
  }));
  return { labels: { namespace }, links: service === '' ? NO_LINKS : links };
};

const ingressRow = (ingress: unknown): KubernetesRow => {
  const labels = { namespace: namespaceOf(ingress), ingress: nameOf(ingress) };
  const fallback = textOf(ingress, 'spec', 'defaultBackend', 'service', 'name');
  const paths = listOf(ingress, 'spec', 'rules').flatMap((rule) =>
    listOf(rule, 'http', 'paths').map((path) => ({
      ...labels,
      host: textOf(rule, 'host'),
      service_name: textOf(path, 'backend', 'service', 'name'),
    })),
  );
  return { labels, links: [...paths, ...(fallback === '' ? [] : [{ ...labels, service_name: fallback }])] };
};

const claimRow = (claim: unknown): KubernetesRow => ({
  labels: {
    namespace: namespaceOf(claim),
    persistentvolumeclaim: nameOf(claim),
    storageclass: textOf(claim, 'spec', 'storageClassName'),
    volumename: textOf(claim, 'spec', 'volumeName'),
  },
  links: NO_LINKS,
});

export const RESOURCES = {
  nodes: whole('/api/v1/nodes', nodeRow),
  pods: whole('/api/v1/pods', podRow),
  deployments: named('/apis/apps/v1/deployments', 'deployment'),
  statefulsets: named('/apis/apps/v1/statefulsets', 'statefulset'),
  daemonsets: named('/apis/apps/v1/daemonsets', 'daemonset'),
  replicasets: named('/apis/apps/v1/replicasets', 'replicaset'),
  cronjobs: named('/apis/batch/v1/cronjobs', 'cronjob'),
  jobs: named('/apis/batch/v1/jobs', 'job_name'),
  services: named('/api/v1/services', 'service'),
  endpointslices: whole('/apis/discovery.k8s.io/v1/endpointslices', sliceRow),
  ingresses: whole('/apis/networking.k8s.io/v1/ingresses', ingressRow),
  persistentvolumeclaims: whole('/api/v1/persistentvolumeclaims', claimRow),
} as const satisfies Readonly<Record<string, KubernetesResource>>;

export type ResourceName = keyof typeof RESOURCES;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[];
/** Events are not stored as rows. */
export const EVENTS_PATH = '/api/v1/events';

/** Identifies an object among those of its resource: `namespace/name`. */
export const objectId = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}/${name}`);
export const objectIdOf = (object: unknown): string => objectId(namespaceOf(object), nameOf(object));
