/** External keys of Kubernetes objects, also with the cluster left open. */

export interface KubernetesObject {
  readonly cluster: string;
  /** Lower case, for example `deployment`. */
  readonly kind: string;
  /** Null: the kind has none, as nodes. */
  readonly namespace: string | null;
  readonly name: string;
}

/** Placeholder for a cluster that the sender does not name. */
export const ANY_CLUSTER = '*';

const PREFIX = 'k8s:';

/** `k8s:prod/deployment/shop/checkout`, `k8s:prod/node/node-1`. */
export const kubernetesKey = ({ cluster, kind, namespace, name }: KubernetesObject): string =>
  `${PREFIX}${cluster}/${kind}/${namespace === null ? '' : `${namespace}/`}${name}`;

/** The object of a key; null for any other text. */
export function kubernetesObject(key: string): KubernetesObject | null {
  if (!key.startsWith(PREFIX)) return null;
  const [cluster, kind, first, second, ...rest] = key.slice(PREFIX.length).split('/');
  if (!cluster || !kind || !first || rest.length > 0) return null;
  return { cluster, kind, ...(second ? { namespace: first, name: second } : { namespace: null, name: first }) };
}
