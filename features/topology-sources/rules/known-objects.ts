/** Known pods and clusters complete events that name a pod, or an object without its cluster. */
import type { BindingQuery } from '#domain/topology/binding.ts';
import { kubernetesKey, kubernetesObject } from '#domain/topology/kubernetes-keys.ts';

export interface KnownObjects {
  /** Clusters of the tenant. */
  readonly clusters: readonly string[];
  /** External key by `cluster/namespace/pod`. */
  readonly pods: ReadonlyMap<string, string>;
  /** External key by the IP address of a pod; null if several CIs share the address. */
  readonly addresses: ReadonlyMap<string, string | null>;
}

/** Returns the external keys that a hint may refer to. */
function keysOf(hint: string, { clusters, pods }: KnownObjects): readonly string[] {
  const object = kubernetesObject(hint);
  if (object === null) return [];
  const { cluster, kind, namespace, name } = object;
  // Alerts may have external labels that series lack, so an unknown cluster means the only known one; several are
  // ambiguous.
  const [only, ...others] = clusters.includes(cluster) ? [cluster] : clusters;
  if (only === undefined || others.length > 0) return [];
  if (kind !== 'pod') return only === cluster ? [] : [kubernetesKey({ ...object, cluster: only })];
  const target = pods.get(`${only}/${namespace ?? ''}/${name}`);
  return target === undefined ? [] : [target];
}

/** Adds external keys of known objects to a query; returns the same query if it names none. */
export function withKnownObjects(query: BindingQuery, known: KnownObjects): BindingQuery {
  const { hints = [], ipAddress } = query;
  const keys = hints.flatMap((hint) => keysOf(hint, known));
  const atAddress = ipAddress === undefined ? undefined : known.addresses.get(ipAddress);
  if (keys.length === 0 && !atAddress) return query;
  return { ...query, hints: [...keys, ...hints, ...(atAddress ? [atAddress] : [])] };
}
