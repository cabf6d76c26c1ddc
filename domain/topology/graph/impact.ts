/**
 * The impact of failing CIs: each CI that depends on a failed one, unless enough other paths of its redundancy group
 * (`Redundancy`) are left. The least such set, in rounds: one hop is one round.
 */

import { byteAt, entryOf, int32At } from '#domain/assert.ts';
import type { Redundancy, Surviving } from '#domain/topology/topology.ts';
import { CAUSE, type Era, isValid } from './edges.ts';
import { type Graph, idOf } from './graph.ts';
import { freshStamp, sortById } from './walk.ts';

/** Rounds after which the search ends. */
export const IMPACT_HOPS = 50;

/** Redundancy of a living edge, by its slot; undefined for most. */
type RedundancyAt = ReadonlyMap<number, Redundancy>;

export interface ImpactQuery {
  readonly redundancy: RedundancyAt;
  /** Number of nearest nodes to find, ties by id. */
  readonly limit: number;
  readonly hops?: number | undefined;
  readonly at: number;
  /** Numbers of the types that are followed; absent: all over which faults travel. */
  readonly types?: ReadonlySet<number> | undefined;
  readonly down?: ReadonlySet<number> | undefined;
}

/** Nodes of the graph. */
export interface ImpactNodes {
  /** Sorted by hops, then id. `via` is the cause of the node's failure. */
  readonly impacted: readonly { readonly node: number; readonly hops: number; readonly via: number }[];
  readonly protected: readonly {
    readonly node: number;
    readonly hops: number;
    readonly groups: readonly Surviving[];
  }[];
  readonly truncated: boolean;
  /** Nodes that are down already and would else have saved one of the impacted. */
  readonly partnersDown: readonly number[];
}

interface Group {
  required: number;
  members: number;
  lost: number;
  readonly down: Set<number>;
  isHit: boolean;
}
/** A node that has lost a path of a group, since `hops`. */
interface Shield {
  readonly hops: number;
  readonly groups: ReadonlyMap<string, Group>;
}

const causes = (graph: Graph, edge: number, { at, types }: ImpactQuery, era: Era): boolean =>
  (byteAt(graph.flags, edge) & CAUSE) !== 0 &&
  (types === undefined || types.has(graph.type[edge] ?? -1)) &&
  isValid(graph, edge, at, era);

/** Returns the groups of a node. Where its paths require different numbers, the highest counts. */
function groupsOf(graph: Graph, node: number, query: ImpactQuery, era: Era): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge)) {
    const path = query.redundancy.get(edge);
    if (path === undefined || !causes(graph, edge, query, era)) continue;
    const known = groups.get(path.group) ?? { required: 1, members: 0, lost: 0, down: new Set<number>(), isHit: false };
    known.members += 1;
    const target = int32At(graph.target, edge);
    if (query.down?.has(target)) {
      known.lost += 1;
      known.down.add(target);
    }
    known.required = Math.max(known.required, path.required);
    groups.set(path.group, known);
  }
  return groups;
}

const remains = ({ required, members, lost }: Pick<Group, 'required' | 'members' | 'lost'>): boolean =>
  members - lost >= Math.min(required, members);

/** One walk; its state is the marks and the queue of the graph. */
class Spread {
  readonly shields = new Map<number, Shield>();
  readonly partnersDown = new Set<number>();
  readonly #graph: Graph;
  readonly #query: ImpactQuery;
  readonly #era: Era = { from: -Infinity, to: Infinity };

  constructor(graph: Graph, query: ImpactQuery) {
    this.#graph = graph;
    this.#query = query;
  }

  /** Removes the path; returns true if the node survives without it. */
  #survives(node: number, edge: number, hops: number): boolean {
    const path = this.#query.redundancy.get(edge);
    if (path === undefined) return false;
    let shield = this.shields.get(node);
    if (shield === undefined) {
      shield = { hops, groups: groupsOf(this.#graph, node, this.#query, this.#era) };
      this.shields.set(node, shield);
    }
    const group = entryOf(shield.groups, path.group);
    group.isHit = true;
    if (!group.down.has(int32At(this.#graph.target, edge))) group.lost += 1;
    if (remains(group)) return true;
    if (remains({ ...group, lost: group.lost - group.down.size }))
      for (const partner of group.down) this.partnersDown.add(partner);
    return false;
  }

  /** Adds the CIs that fail with a node; returns the new end of the queue. */
  fall(node: number, hops: number, start: number): number {
    const graph = this.#graph;
    let tail = start;
    for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge)) {
      const next = int32At(graph.source, edge);
      if (graph.mark[next] === graph.stamp || !causes(graph, edge, this.#query, this.#era)) continue;
      if (this.#survives(next, edge, hops)) continue;
      graph.mark[next] = graph.stamp;
      graph.via[next] = node;
      graph.queue[tail++] = next;
    }
    return tail;
  }
}

function shielded(graph: Graph, shields: ReadonlyMap<number, Shield>): ImpactNodes['protected'] {
  const saved = [...shields].filter(([node]) => graph.mark[node] !== graph.stamp);
  return saved
    .map(([node, { hops, groups }]) => ({
      node,
      hops,
      groups: [...groups]
        .filter(([, { isHit }]) => isHit)
        .map(([group, { required, members, lost }]) => ({ group, required, members, surviving: members - lost }))
        .sort((a, b) => (a.group < b.group ? -1 : 1)),
    }))
    .sort((a, b) => a.hops - b.hops || (idOf(graph, a.node) < idOf(graph, b.node) ? -1 : 1));
}

/** The impact of the starts. */
export function impactOf(graph: Graph, starts: readonly number[], query: ImpactQuery): ImpactNodes {
  const spread = new Spread(graph, query);
  const stamp = freshStamp(graph);
  let tail = 0;
  for (const node of new Set(starts)) {
    graph.mark[node] = stamp;
    graph.queue[tail++] = node;
  }
  const end = tail + query.limit;
  const impacted: ImpactNodes['impacted'][number][] = [];
  const ended = () => ({
    impacted,
    protected: shielded(graph, spread.shields),
    partnersDown: [...spread.partnersDown].filter((node) => !starts.includes(node)),
  });
  let from = 0;
  for (let hops = 1; from < tail && tail <= end; hops++) {
    if (hops > (query.hops ?? IMPACT_HOPS)) return { ...ended(), truncated: true };
    const to = tail;
    for (let i = from; i < to; i++) tail = spread.fall(int32At(graph.queue, i), hops, tail);
    sortById(graph, to, tail, end - to);
    for (let i = to; i < Math.min(tail, end); i++) {
      const node = int32At(graph.queue, i);
      impacted.push({ node, hops, via: int32At(graph.via, node) });
    }
    from = to;
  }
  return { ...ended(), truncated: tail > end };
}
