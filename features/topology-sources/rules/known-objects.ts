/** CIs that represent pods, and objects whose cluster a message does not name. */
import type { BindingQuery } from '#domain/topology/binding.ts';
import { kubernetesKey, kubernetesObject } from '#domain/topology/kubernetes-keys.ts';

export interface KnownObjects {
  /** Clusters of the tenant. */
  readonly clusters: readonly string[];
  /** External key by `cluster/namespace/pod`. */
  readonly pods: ReadonlyMap<string, string>;
  /** External key by the address of a pod; several clusters may have it. */
  readonly addresses: ReadonlyMap<string, string | null>;
}

/** The external keys that a hint may mean. */
function keysOf(hint: string, { clusters, pods }: KnownObjects): readonly string[] {
  const object = kubernetesObject(hint);
  if (object === null) return [];
  const { cluster, kind, namespace, name } = object;
  // Alerts have external labels that series have not, so a cluster that is not known means the only one; of several none is sure.
  const [only, ...others] = clusters.includes(cluster) ? [cluster] : clusters;
  if (only === undefined || others.length > 0) return [];
  if (kind !== 'pod') return only === cluster ? [] : [kubernetesKey({ ...object, cluster: only })];
  const target = pods.get(`${only}/${namespace ?? ''}/${name}`);
  return target === undefined ? [] : [target];
}

/** Adds external keys of known objects to a query; returns the same object when it names none. */
export function withKnownObjects(query: BindingQuery, known: KnownObjects): BindingQuery {
  const { hints = [], ipAddress } = query;
  const keys = hints.flatMap((hint) => keysOf(hint, known));
  const atAddress = ipAddress === undefined ? undefined : known.addresses.get(ipAddress);
  if (keys.length === 0 && !atAddress) return query;
  return { ...query, hints: [...keys, ...hints, ...(atAddress ? [atAddress] : [])] };
}
