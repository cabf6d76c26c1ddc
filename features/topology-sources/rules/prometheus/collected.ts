import type { Stepwise } from '#domain/ports/clock.ts';
import type { RelationshipLine } from '#domain/topology/import.ts';
import { type KubernetesObject, kubernetesKey } from '#domain/topology/kubernetes-keys.ts';
import { DEFAULT_CLUSTER } from '#features/topology-sources/rules/source.ts';
import {
  edgeKey,
  redundantLine,
  type WantedCi,
  type WantedEdge,
  type WantedSet,
} from '#features/topology-sources/rules/wanted.ts';
import type { SeriesLabels } from './queries.ts';

type Attributes = Readonly<Record<string, unknown>>;

interface CollectedCi {
  readonly key: string;
  readonly object: KubernetesObject | null;
  readonly name: string;
  readonly type: string;
  attributes: Attributes;
}

/** The CI that represents a pod. Pods are not CIs, as their names change within hours. */
export interface PodBinding {
  /** `cluster/namespace/name`. */
  readonly pod: string;
  /** External key of the workload, or of the node for a pod without a workload. */
  readonly target: string;
  readonly node: string | null;
  /** Null if the pod has the address of its node. */
  readonly ip: string | null;
}

/** CI types by kind of object. */
const TYPES: Readonly<Record<string, string>> = {
  node: 'node',
  deployment: 'deployment',
  statefulset: 'statefulset',
  daemonset: 'daemonset',
  cronjob: 'cronjob',
  rollout: 'rollout',
  service: 'service',
  ingress: 'ingress',
  persistentvolumeclaim: 'volume',
};

/** Targets of which the source needs only one. */
interface RedundantTargets {
  readonly name: string;
  readonly members: Set<string>;
}

const said = (attributes: Readonly<Record<string, string | undefined>>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== ''));

/** Builds the set of one Prometheus server. */
export class Collected {
  readonly #cis = new Map<string, CollectedCi>();
  readonly #edges = new Map<string, WantedEdge & { readonly group: RedundantTargets | null }>();
  readonly #groups = new Map<string, RedundantTargets>();
  readonly pods: PodBinding[] = [];
  readonly #cluster: string;

  /** `cluster`: default for series without a cluster label. */
  constructor(cluster: string | null) {
    this.#cluster = cluster ?? DEFAULT_CLUSTER;
  }

  clusterOf(labels: SeriesLabels): string {
    return labels.cluster || this.#cluster;
  }

  *objects(): Generator<{
    readonly key: string;
    readonly cluster: string;
    readonly kind: string;
    readonly name: string;
  }> {
    for (const { key, object } of this.#cis.values())
      if (object !== null) yield { key, cluster: object.cluster, kind: object.kind, name: object.name.toLowerCase() };
  }

  has(key: string): boolean {
    return this.#cis.has(key);
  }

  /** Adds a Kubernetes object, and returns its key. */
  object(object: KubernetesObject, attributes: Readonly<Record<string, string | undefined>> = {}): string {
    const key = kubernetesKey(object);
    const { kind, namespace, name, cluster } = object;
    const shown = namespace === null ? name : `${namespace}/${name}`;
    this.#put({
      key,
      object,
      name: shown,
      type: TYPES[kind] ?? kind,
      attributes: said({ ...attributes, cluster, ...(namespace !== null && { namespace }) }),
    });
    return key;
  }

  other(key: string, name: string, type: string, attributes: Readonly<Record<string, string | undefined>>): string {
    this.#put({ key, object: null, name, type, attributes: said(attributes) });
    return key;
  }

  #put(ci: CollectedCi): void {
    const known = this.#cis.get(ci.key);
    if (known === undefined) this.#cis.set(ci.key, ci);
    else known.attributes = { ...known.attributes, ...ci.attributes };
  }

  /** Adds a relationship; targets in the same `group` of a source are redundant. */
  edge(
    type: string,
    source: string,
    target: string,
    how: { group?: string; line?: Partial<RelationshipLine> } = {},
  ): void {
    const ends = [{ text: source }, { text: target }] as const;
    const key = edgeKey(type, ...ends);
    const group = how.group === undefined ? null : this.#group(source, how.group);
    group?.members.add(target);
    if (!this.#edges.has(key))
      this.#edges.set(key, { key, line: { type, ...how.line }, source: ends[0], target: ends[1], group });
  }

  #group(source: string, name: string): RedundantTargets {
    const id = `${name} ${source}`;
    const known = this.#groups.get(id) ?? { name, members: new Set<string>() };
    this.#groups.set(id, known);
    return known;
  }

  /** Prefixes names that exist in several clusters with the cluster. */
  *#named(): Stepwise<readonly WantedCi[]> {
    const clusters = new Map<string, Set<string>>();
    const nameKey = ({ name, type }: CollectedCi): string => `${type} ${name.toLowerCase()}`;
    for (const ci of this.#cis.values()) {
      yield;
      const known = clusters.get(nameKey(ci)) ?? new Set();
      clusters.set(nameKey(ci), known.add(ci.object?.cluster ?? ''));
    }
    const named: WantedCi[] = [];
    for (const ci of this.#cis.values()) {
      yield;
      const isShared = (clusters.get(nameKey(ci))?.size ?? 0) > 1;
      const name = isShared && ci.object !== null ? `${ci.object.cluster}/${ci.name}` : ci.name;
      const { key, type, attributes } = ci;
      const isMachine = ci.object === null ? type === 'server' : ci.object.kind === 'node';
      named.push({ key, line: { external_key: key, name, type, attributes }, ...(isMachine && { isMachine }) });
    }
    return named;
  }

  /** Omits relationships whose ends are missing. */
  *set(): Stepwise<WantedSet> {
    const isThere = ({ source, target }: WantedEdge): boolean =>
      this.#cis.has(source.text) && this.#cis.has(target.text) && source.text !== target.text;
    const edges: WantedEdge[] = [];
    for (const one of this.#edges.values()) {
      yield;
      if (!isThere(one)) continue;
      const { group, line, ...edge } = one;
      const isGroup = group !== null && group.members.size > 1;
      edges.push({ ...edge, line: redundantLine(line, isGroup ? group.name : null) });
    }
    return { cis: yield* this.#named(), edges };
  }
}
