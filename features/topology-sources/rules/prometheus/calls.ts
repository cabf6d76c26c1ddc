/** Calls between services, from span metrics of a service graph and from Istio. */
import type { Stepwise } from '#domain/ports/clock.ts';
import { kubernetesKey } from '#domain/topology/kubernetes-keys.ts';
import type { Collected } from './collected.ts';
import type { LabelledValue, SeriesByQuery } from './queries.ts';

/** Matches ends that represent callers from outside. */
const NOBODY = /^(?:|user|unknown|virtual_node)$/i;
const DATABASE = 'database';

/** Rounds requests per second to a power of ten, as exact rates would update the relationship in every run. */
const rateOf = ({ value }: LabelledValue): number => (value > 0 ? 10 ** Math.round(Math.log10(value)) : 0);

const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset'] as const;

/**
 * Resolves services in traces to a Kubernetes workload or service of the same name if the name is unique within the
 * cluster, otherwise to a CI of their own.
 */
class ServiceNames {
  readonly #byName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #into: Collected;

  /** `byName`: keys by cluster, kind and name. */
  constructor(into: Collected, byName: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#into = into;
    this.#byName = byName;
  }

  keyOf(cluster: string, name: string, type: string): string {
    const wanted = name.toLowerCase();
    const bare = wanted.includes('/') ? (wanted.split('/').at(-1) ?? wanted) : (wanted.split('.', 1)[0] ?? wanted);
    for (const kind of [...WORKLOAD_KINDS, 'service']) {
      const [only, ...others] = this.#byName.get(`${cluster}/${kind}/${bare}`) ?? [];
      if (only !== undefined && others.length === 0) return only;
    }
    return this.#into.other(`service:${cluster}/${wanted}`, name, type, { cluster });
  }
}

function* addMesh(mesh: readonly LabelledValue[], into: Collected): Stepwise<void> {
  for (const one of mesh) {
    yield;
    const { labels } = one;
    const cluster = into.clusterOf(labels);
    const end = (name = '', namespace = ''): string | undefined =>
      WORKLOAD_KINDS.map((kind) => kubernetesKey({ cluster, kind, namespace, name })).find((key) => into.has(key));
    const source = end(labels.source_workload, labels.source_workload_namespace);
    const target = end(labels.destination_workload, labels.destination_workload_namespace);
    if (source !== undefined && target !== undefined)
      into.edge('depends_on', source, target, { line: { attributes: { rate: rateOf(one), criticality: 'medium' } } });
  }
}

/** Names of all objects so far. */
export function* serviceNames(into: Collected): Stepwise<ServiceNames> {
  const byName = new Map<string, Set<string>>();
  for (const { key, cluster, kind, name } of into.objects()) {
    const id = `${cluster}/${kind}/${name}`;
    byName.set(id, (byName.get(id) ?? new Set()).add(key));
    yield;
  }
  return new ServiceNames(into, byName);
}

export function* addCalls(
  { calls, mesh }: Pick<SeriesByQuery, 'calls' | 'mesh'>,
  names: ServiceNames,
  into: Collected,
): Stepwise<void> {
  for (const one of calls) {
    yield;
    const { client = '', server = '', connection_type: type = '' } = one.labels;
    if (NOBODY.test(client) || NOBODY.test(server)) continue;
    const cluster = into.clusterOf(one.labels);
    const isDatabase = type === DATABASE;
    const source = names.keyOf(cluster, client, 'service');
    const target = names.keyOf(cluster, server, isDatabase ? DATABASE : 'service');
    const attributes = { rate: rateOf(one), criticality: isDatabase ? 'high' : 'medium' };
    into.edge(isDatabase ? 'database_connection' : 'depends_on', source, target, { line: { attributes } });
  }
  yield* addMesh(mesh, into);
}
