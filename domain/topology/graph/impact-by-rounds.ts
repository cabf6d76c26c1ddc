/** The same rule as `impactOf` for a topology that is read piece by piece. */

import type { NearCi } from '#domain/topology/near.ts';
import type { Impact, Redundancy } from '#domain/topology/topology.ts';
import { addEdge, PRESENT } from './edges.ts';
import { addNode, emptyGraph, type Graph, idOf } from './graph.ts';
import { IMPACT_HOPS, type ImpactNodes, impactOf } from './impact.ts';

/** A relationship over which faults travel, from target to source. */
export interface Dependency {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly redundancy: Redundancy | null;
}

/** Variant of `Impact` without names. */
export interface UnnamedImpact {
  readonly impacted: readonly NearCi[];
  readonly protected: readonly Omit<Impact['protected'][number], 'name' | 'type'>[];
  readonly truncated: boolean;
  readonly partnersDown: readonly { readonly ci: string }[];
}

/** Replaces nodes by ids. */
export const unnamedImpact = (
  graph: Graph,
  { impacted, protected: saved, truncated, partnersDown }: ImpactNodes,
): UnnamedImpact => ({
  impacted: impacted.map(({ node, hops, via }) => ({ ci: idOf(graph, node), hops, via: idOf(graph, via) })),
  protected: saved.map(({ node, hops, groups }) => ({ ci: idOf(graph, node), hops, groups })),
  truncated,
  partnersDown: partnersDown.map((node) => ({ ci: idOf(graph, node) })),
});

interface RoundsQuery {
  readonly limit: number;
  readonly hops?: number;
  readonly down?: readonly string[];
}

const ALWAYS = { critical: false, since: -Infinity, until: Infinity };

/** The part of the topology read so far. */
class PartialGraph {
  readonly graph = emptyGraph();
  readonly redundancy = new Map<number, Redundancy>();
  readonly #edges = new Set<string>();

  add({ source, target, type, redundancy }: Dependency): void {
    const key = `${source} ${target} ${type}`;
    if (this.#edges.has(key)) return;
    this.#edges.add(key);
    const edge = addEdge(this.graph, this.node(source), this.node(target), { type, ...ALWAYS });
    if (redundancy !== null) this.redundancy.set(edge, redundancy);
  }
  /** Idempotent: no node of this graph ever ends. */
  node = (id: string): number => addNode(this.graph, id);
}

/**
 * Yields ids, and expects the dependencies on them with all paths of the redundancy groups that these belong to. Returns
 * the CIs that fail together with the starts; the nearest `limit` within the hops.
 */
export function* impactByRounds(
  starts: readonly string[],
  { limit, hops: farthest = IMPACT_HOPS, down = [] }: RoundsQuery,
): Generator<readonly string[], UnnamedImpact, readonly Dependency[]> {
  const known = new PartialGraph();
  const asked = new Set(starts);
  let wanted = [...asked];
  for (;;) {
    for (const dependency of yield wanted) known.add(dependency);
    const isDown = new Set(down.flatMap((id) => known.graph.nodes.get(id) ?? []));
    const query = { redundancy: known.redundancy, limit, hops: farthest, at: PRESENT, down: isDown };
    const struck = unnamedImpact(known.graph, impactOf(known.graph, starts.map(known.node), query));
    wanted = struck.impacted.filter(({ ci, hops }) => hops < farthest && !asked.has(ci)).map(({ ci }) => ci);
    if (wanted.length === 0 || struck.truncated) return struck;
    for (const id of wanted) asked.add(id);
  }
}
