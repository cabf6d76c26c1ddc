/** The topology around a CI as correlation needs it (docs/specification.md §5 and §8). */

import { byteAt, int32At, lastItem } from '#domain/assert.ts';
import type { ArrivalTopology, NearCi, Neighbour, WholeCi } from '#domain/topology/near.ts';
import { CAUSE, CRITICAL, DEPENDENCY, type Era, isValid, PART, WHOLE } from './edges.ts';
import { type Graph, idOf } from './graph.ts';
import { freshStamp, type WalkBounds, walk } from './walk.ts';

export const NEAR_HOPS = 3;
export const NEAR_LIMIT = 256;
export const UPSTREAM_HOPS = 6;
export const UPSTREAM_LIMIT = 200;
export const CHAIN_HOPS = 3;
const CHAIN_LIMIT = 200;
const WHOLES_LIMIT = 8;
/** Reach counts stop here: beyond it, a neighbor carries no information. */
export const REACH_BOUND = 5_000;

const NEAR: WalkBounds = {
  hops: NEAR_HOPS,
  direction: 'both',
  mask: 0,
  types: null,
  keep: NEAR_LIMIT,
  count: REACH_BOUND,
};
const UPSTREAM: WalkBounds = {
  hops: UPSTREAM_HOPS,
  direction: 'up',
  mask: CAUSE,
  types: null,
  keep: UPSTREAM_LIMIT,
  count: UPSTREAM_LIMIT,
};
const CHAIN: WalkBounds = {
  hops: CHAIN_HOPS,
  direction: 'up',
  mask: DEPENDENCY,
  types: null,
  keep: CHAIN_LIMIT,
  count: REACH_BOUND,
};
const BELOW: WalkBounds = {
  hops: CHAIN_HOPS,
  direction: 'down',
  mask: DEPENDENCY,
  types: null,
  keep: 0,
  count: REACH_BOUND,
};

/** Nodes, nearest first, each with its predecessor on the path, alternating. */
type Trail = readonly number[];
export const nodeOf = (trail: Trail, place: number): number => trail[2 * place]!;
/** Returns the predecessor on the path. */
export const viaOf = (trail: Trail, place: number): number => trail[2 * place + 1]!;
/** The lists of an `ArrivalTopology` as nodes of the graph. */
export interface ArrivalTopologyNodes {
  readonly near: Trail;
  readonly upstream: Trail;
  readonly chain: Trail;
}

/** Returns the number of nodes within this number of hops, as returned by `walk`. */
const countWithin = (within: readonly number[], hops: number): number => within[hops]!;

/** The first `limit` nodes of the walk just made. */
function trailOf({ queue, via }: Graph, within: readonly number[], limit: number): Trail {
  const kept = Math.min(limit, lastItem(within));
  const trail = new Array<number>(2 * kept);
  for (let i = 0; i < kept; i++) {
    const node = int32At(queue, i + 1);
    trail[2 * i] = node;
    trail[2 * i + 1] = int32At(via, node);
  }
  return trail;
}

/** The same with their names. */
function named(graph: Graph, trail: Trail, within: readonly number[]): NearCi[] {
  const found = new Array<NearCi>(trail.length / 2);
  let hops = 1;
  for (let i = 0; i < found.length; i++) {
    while (countWithin(within, hops) <= i) hops++;
    found[i] = { ci: idOf(graph, nodeOf(trail, i)), hops, via: idOf(graph, viaOf(trail, i)) };
  }
  return found;
}

/** The first `limit` CIs of the walk just made. */
export const nearest = (graph: Graph, within: readonly number[], limit: number): NearCi[] =>
  named(graph, trailOf(graph, within, limit), within);

/** Marks the unmarked nodes that critical edges of `node` lead to; returns the new end of the queue. */
function markCritical(graph: Graph, node: number, hops: number, at: number, era: Era, start: number): number {
  let tail = start;
  const reach = (edge: number, next: number): void => {
    if (
      (byteAt(graph.flags, edge) & CRITICAL) === 0 ||
      graph.mark[next] === graph.stamp ||
      !isValid(graph, edge, at, era)
    )
      return;
    graph.mark[next] = graph.stamp;
    graph.hops[next] = hops;
    graph.queue[tail++] = next;
  };
  for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
    reach(edge, int32At(graph.target, edge));
  for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
    reach(edge, int32At(graph.source, edge));
  return tail;
}

/**
 * True if a critical edge joins a node without mark to a marked one; that is two hops from the start, else the node had
 * a mark.
 */
function joinsSecond(graph: Graph, node: number, at: number, era: Era): boolean {
  const second = (edge: number, next: number): boolean =>
    (byteAt(graph.flags, edge) & CRITICAL) !== 0 && graph.mark[next] === graph.stamp && isValid(graph, edge, at, era);
  for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
    if (second(edge, int32At(graph.target, edge))) return true;
  for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
    if (second(edge, int32At(graph.source, edge))) return true;
  return false;
}

/**
 * Returns the neighbors found by the last walk. Critical paths are searched in two layers from the start; the third is
 * checked backwards from the neighbors, so that a hub's third layer is never walked.
 */
function neighbours(graph: Graph, start: number, trail: Trail, within: readonly number[], at: number, era: Era) {
  graph.mark[start] = freshStamp(graph);
  graph.hops[start] = 0;
  const first = markCritical(graph, start, 1, at, era, 0);
  let tail = first;
  for (let i = 0; i < first; i++) tail = markCritical(graph, int32At(graph.queue, i), 2, at, era, tail);
  const criticalHops = (node: number): number => {
    if (graph.mark[node] === graph.stamp) return byteAt(graph.hops, node);
    return tail > first && joinsSecond(graph, node, at, era) ? 3 : 0;
  };
  const found = new Array<Neighbour>(trail.length / 2);
  let hops = 1;
  for (let i = 0; i < found.length; i++) {
    const node = nodeOf(trail, i);
    while (countWithin(within, hops) <= i) hops++;
    found[i] = { ci: idOf(graph, node), hops, via: idOf(graph, viaOf(trail, i)), criticalHops: criticalHops(node) };
  }
  return found;
}

/**
 * Calls `found` for each node that valid edges with these flags lead to, several times where there are several; until
 * it returns false.
 */
function eachOver(
  graph: Graph,
  node: number,
  { out, into }: { readonly out: number; readonly into: number },
  at: number,
  era: Era,
  found: (next: number) => boolean,
): void {
  for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
    if ((byteAt(graph.flags, edge) & out) !== 0 && isValid(graph, edge, at, era) && !found(int32At(graph.target, edge)))
      return;
  for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
    if (
      (byteAt(graph.flags, edge) & into) !== 0 &&
      isValid(graph, edge, at, era) &&
      !found(int32At(graph.source, edge))
    )
      return;
}

const TO_WHOLES = { out: PART, into: WHOLE };
const TO_PARTS = { out: WHOLE, into: PART };

function countParts(graph: Graph, whole: number, at: number, era: Era): number {
  const stamp = freshStamp(graph);
  let parts = 0;
  eachOver(graph, whole, TO_PARTS, at, era, (part) => {
    if (graph.mark[part] !== stamp) parts++;
    graph.mark[part] = stamp;
    return parts < REACH_BOUND;
  });
  return parts;
}

/** The nodes of which the node is a part. */
function wholesOf(graph: Graph, node: number, at: number, era: Era): WholeCi[] {
  const found = new Set<number>();
  eachOver(graph, node, TO_WHOLES, at, era, (whole) => {
    if (whole !== node) found.add(whole);
    return true;
  });
  return [...found]
    .sort((a, b) => (idOf(graph, a) < idOf(graph, b) ? -1 : 1))
    .slice(0, WHOLES_LIMIT)
    .map((whole) => ({ ci: idOf(graph, whole), parts: countParts(graph, whole, at, era) }));
}

const bounded = (count: number): number => Math.min(count, REACH_BOUND);

/**
 * The topology around a node as of `at`, and the nodes of its lists; `all` is the number of CIs of today. `era` narrows to the times of
 * the same answer.
 */
export function walkAround(
  graph: Graph,
  node: number,
  at: number,
  all: number,
  era: Era,
): { readonly topology: ArrivalTopology; readonly nodes: ArrivalTopologyNodes } {
  const within = walk(graph, node, NEAR, at, era);
  const degree = countWithin(within, 1);
  const near = trailOf(graph, within, NEAR_LIMIT);
  const nearCis = neighbours(graph, node, near, within, at, era);
  const causes = walk(graph, node, UPSTREAM, at, era);
  const upstream = trailOf(graph, causes, UPSTREAM_LIMIT);
  const above = walk(graph, node, CHAIN, at, era);
  const chain = trailOf(graph, above, CHAIN_LIMIT);
  const chainCis = named(graph, chain, above);
  const below = walk(graph, node, BELOW, at, era);
  const wholes = wholesOf(graph, node, at, era);
  const topology: ArrivalTopology = {
    near: nearCis,
    truncated: countWithin(within, NEAR_HOPS) > NEAR_LIMIT,
    degree,
    reach2: Math.max(degree, bounded(countWithin(within, 2))),
    reach3: Math.max(degree, bounded(countWithin(within, 3))),
    all,
    upstream: named(graph, upstream, causes),
    hasRelationships: degree > 0,
    above3: bounded(countWithin(above, CHAIN_HOPS)),
    below3: bounded(countWithin(below, CHAIN_HOPS)),
    chain: chainCis,
    ...(wholes.length > 0 && { wholes }),
  };
  return { topology, nodes: { near, upstream, chain } };
}

/** The topology around a node by itself. */
export const arrivalTopology = (...asked: Parameters<typeof walkAround>): ArrivalTopology =>
  walkAround(...asked).topology;
