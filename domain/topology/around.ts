/** What correlation needs to know of the topology around a CI (specification, "Event correlation rules"; bounds in rulings §3 and §4). */
import type { NearCi, Neighbour } from '#domain/correlation/records.ts';
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import { CAUSE, CRITICAL, DEPENDENCY, type Era, isValid } from './edges.ts';
import type { Graph } from './graph.ts';
import { freshStamp, type Way, walk } from './walk.ts';

export const NEAR_HOPS = 3;
export const NEAR_LIMIT = 256;
export const UPSTREAM_HOPS = 6;
export const UPSTREAM_LIMIT = 200;
export const CHAIN_HOPS = 3;
export const CHAIN_LIMIT = 200;
/** Reach counts stop here: beyond it, a neighbour says nothing any more. */
export const REACH_BOUND = 5_000;

const NEAR: Way = { hops: NEAR_HOPS, direction: 'both', mask: 0, types: null, keep: NEAR_LIMIT, count: REACH_BOUND };
const UPSTREAM: Way = {
  hops: UPSTREAM_HOPS,
  direction: 'up',
  mask: CAUSE,
  types: null,
  keep: UPSTREAM_LIMIT,
  count: UPSTREAM_LIMIT,
};
const CHAIN: Way = {
  hops: CHAIN_HOPS,
  direction: 'up',
  mask: DEPENDENCY,
  types: null,
  keep: CHAIN_LIMIT,
  count: REACH_BOUND,
};
const BELOW: Way = { hops: CHAIN_HOPS, direction: 'down', mask: DEPENDENCY, types: null, keep: 0, count: REACH_BOUND };

/** The first `limit` nodes of the walk just made. */
export function nearest(graph: Graph, within: readonly number[], limit: number): NearCi[] {
  const found: NearCi[] = [];
  const { ids, queue, via } = graph;
  const kept = Math.min(limit, within.at(-1)!);
  let hops = 1;
  for (let i = 1; i <= kept; i++) {
    while (within[hops]! < i) hops++;
    found.push({ ci: ids[queue[i]!]!, hops, via: ids[via[queue[i]!]!]! });
  }
  return found;
}

/** Marks what critical edges lead to from `node` and is not marked yet; returns the new end of the queue. */
function markCritical(graph: Graph, node: number, hops: number, at: number, era: Era, start: number): number {
  let tail = start;
  const reach = (edge: number, next: number): void => {
    if ((graph.flags[edge]! & CRITICAL) === 0 || graph.mark[next] === graph.stamp || !isValid(graph, edge, at, era))
      return;
    graph.mark[next] = graph.stamp;
    graph.hops[next] = hops;
    graph.queue[tail++] = next;
  };
  for (let edge = graph.headOut[node]!; edge !== -1; edge = graph.nextOut[edge]!) reach(edge, graph.target[edge]!);
  for (let edge = graph.headIn[node]!; edge !== -1; edge = graph.nextIn[edge]!) reach(edge, graph.source[edge]!);
  return tail;
}

/** Whether a critical edge joins a node without mark to a marked one; that lies two hops from the start, else the node had a mark. */
function joinsSecond(graph: Graph, node: number, at: number, era: Era): boolean {
  const second = (edge: number, next: number): boolean =>
    (graph.flags[edge]! & CRITICAL) !== 0 && graph.mark[next] === graph.stamp && isValid(graph, edge, at, era);
  for (let edge = graph.headOut[node]!; edge !== -1; edge = graph.nextOut[edge]!)
    if (second(edge, graph.target[edge]!)) return true;
  for (let edge = graph.headIn[node]!; edge !== -1; edge = graph.nextIn[edge]!)
    if (second(edge, graph.source[edge]!)) return true;
  return false;
}

/**
 * The neighbours that the walk just made has found. Critical ways are looked for in two layers from the start; the third is
 * seen backwards from the neighbours, so that a hub's third layer is never walked.
 */
function neighbours(graph: Graph, start: number, within: readonly number[], at: number, era: Era): Neighbour[] {
  const nodes = graph.queue.slice(1, 1 + Math.min(NEAR_LIMIT, within[NEAR_HOPS]!));
  graph.mark[start] = freshStamp(graph);
  graph.hops[start] = 0;
  const first = markCritical(graph, start, 1, at, era, 0);
  let tail = first;
  for (let i = 0; i < first; i++) tail = markCritical(graph, graph.queue[i]!, 2, at, era, tail);
  const criticalHops = (node: number): number => {
    if (graph.mark[node] === graph.stamp) return graph.hops[node]!;
    return tail > first && joinsSecond(graph, node, at, era) ? 3 : 0;
  };
  const { ids, via } = graph;
  const found: Neighbour[] = [];
  let hops = 1;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    while (within[hops]! <= i) hops++;
    found.push({ ci: ids[node]!, hops, via: ids[via[node]!]!, criticalHops: criticalHops(node) });
  }
  return found;
}

const bounded = (count: number): number => Math.min(count, REACH_BOUND);

/** The topology around a node as of `at`; `all` is the number of CIs of today. `era` narrows to the times of the same answer. */
export function around(graph: Graph, node: number, at: number, all: number, era: Era): ArrivalTopology {
  const within = walk(graph, node, NEAR, at, era);
  const degree = within[1]!;
  const near = neighbours(graph, node, within, at, era);
  const upstream = nearest(graph, walk(graph, node, UPSTREAM, at, era), UPSTREAM_LIMIT);
  const above = walk(graph, node, CHAIN, at, era);
  const chain = nearest(graph, above, CHAIN_LIMIT);
  return {
    near,
    truncated: within[NEAR_HOPS]! > NEAR_LIMIT,
    degree,
    reach2: Math.max(degree, bounded(within[2]!)),
    reach3: Math.max(degree, bounded(within[3]!)),
    all,
    upstream,
    hasRelationships: degree > 0,
    above3: bounded(above[CHAIN_HOPS]!),
    below3: bounded(walk(graph, node, BELOW, at, era)[CHAIN_HOPS]!),
    chain,
  };
}
