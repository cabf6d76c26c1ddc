/** The same rule as `impactOf` for a topology that is read piece by piece. */

import type { NearCi } from '#domain/topology/near.ts';
import type { Impact, Redundancy } from '#domain/topology/topology.ts';
import { addEdge, PRESENT } from './edges.ts';
import { addNode, emptyGraph, type Graph } from './graph.ts';
import { IMPACT_HOPS, impactOf, type StruckNodes } from './impact.ts';

/** A relationship over which faults travel, from target to source. */
export interface Dependency {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly redundancy: Redundancy | null;
}

/** As `Impact`, without names. */
export interface Struck {
  readonly impacted: readonly NearCi[];
  readonly protected: readonly Omit<Impact['protected'][number], 'name' | 'type'>[];
  readonly truncated: boolean;
}

/** Ids in place of nodes. */
export const struckIds = ({ ids }: Graph, { impacted, protected: saved, truncated }: StruckNodes): Struck => ({
  impacted: impacted.map(({ node, hops, via }) => ({ ci: ids[node]!, hops, via: ids[via]! })),
  protected: saved.map(({ node, hops, groups }) => ({ ci: ids[node]!, hops, groups })),
  truncated,
});

const ALWAYS = { critical: false, since: -Infinity, until: Infinity };

/** The part that is known so far. */
class Known {
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
  /** No node of these ends, so asking for one that is known changes nothing. */
  node = (id: string): number => addNode(this.graph, id);
}

/**
 * Yields ids of which it wants to know: the dependencies on them, and all paths of the redundancy groups that these belong to. Ends
 * with what fails together with the starts; the nearest `limit`.
 */
export function* spreading(
  starts: readonly string[],
  limit: number,
): Generator<readonly string[], Struck, readonly Dependency[]> {
  const known = new Known();
  const asked = new Set(starts);
  let wanted = [...asked];
  for (;;) {
    for (const dependency of yield wanted) known.add(dependency);
    const query = { redundancy: known.redundancy, limit, at: PRESENT };
    const struck = struckIds(known.graph, impactOf(known.graph, starts.map(known.node), query));
    wanted = struck.impacted.filter(({ ci, hops }) => hops < IMPACT_HOPS && !asked.has(ci)).map(({ ci }) => ci);
    if (wanted.length === 0 || struck.truncated) return struck;
    for (const id of wanted) asked.add(id);
  }
}
