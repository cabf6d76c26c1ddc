/** The part of a tenant's topology that was read last, in memory. A node has all its relationships, or still has to be loaded. */

import { int32At, itemAt, lastItem } from '#domain/assert.ts';
import {
  CHAIN_HOPS,
  NEAR_HOPS,
  NEAR_LIMIT,
  REACH_BOUND,
  UPSTREAM_HOPS,
  UPSTREAM_LIMIT,
} from '#domain/topology/graph/arrival-topology.ts';
import { addEdge, CAUSE, DEPENDENCY, dropEdge, type Era } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph, type Graph } from '#domain/topology/graph/graph.ts';
import { type WalkBounds, walk } from '#domain/topology/graph/walk.ts';
import type { LoadedCi, LoadedEdge } from './load-cis.ts';

export interface GraphCache {
  readonly graph: Graph;
  /** Nodes whose relationships are all loaded. */
  readonly whole: Set<number>;
  /** Nodes whose neighborhood is all loaded, with its times of validity. */
  readonly complete: Map<number, Era>;
  /** Relationships that ended before are not loaded. */
  readonly floor: number;
}

export const emptyGraphCache = (floor: number): GraphCache => ({
  graph: emptyGraph(),
  whole: new Set(),
  complete: new Map(),
  floor,
});

/** Nodes and edges; 100 to 200 bytes each. */
export const weightOf = ({ graph }: GraphCache): number => graph.ids.length + graph.edgeSlots;

/** The walks of `around`, each one hop shorter: the nodes of the last hop need no relationships. */
const PROBES: readonly WalkBounds[] = [
  { hops: NEAR_HOPS - 1, direction: 'both', mask: 0, types: null, keep: NEAR_LIMIT, count: REACH_BOUND },
  { hops: UPSTREAM_HOPS - 1, direction: 'up', mask: CAUSE, types: null, keep: UPSTREAM_LIMIT, count: UPSTREAM_LIMIT },
  { hops: CHAIN_HOPS - 1, direction: 'up', mask: DEPENDENCY, types: null, keep: UPSTREAM_LIMIT, count: REACH_BOUND },
  { hops: CHAIN_HOPS - 1, direction: 'down', mask: DEPENDENCY, types: null, keep: 0, count: REACH_BOUND },
];

/** Omits layers in which a walk stops counting, except among the nearest CIs. */
function* probed(graph: Graph, node: number, way: WalkBounds, at: number, era: Era): Generator<number> {
  const within = walk(graph, node, way, at, era);
  const last = Math.max(within.findLast((count) => count < way.count) ?? 0, Math.min(way.keep, lastItem(within)));
  for (let i = 0; i <= last; i++) yield int32At(graph.queue, i);
}

/** Ids of the CIs whose relationships `around` needs and the cache lacks. */
export function missingAround({ graph, whole, complete }: GraphCache, node: number, at: number): string[] {
  const known = complete.get(node);
  if (known !== undefined && known.from <= at && at < known.to) return [];
  const era = { from: -Infinity, to: Infinity };
  const missing = new Set<number>();
  for (const way of PROBES)
    for (const near of probed(graph, node, way, at, era)) if (!whole.has(near)) missing.add(near);
  if (missing.size === 0) complete.set(node, era);
  return [...missing].map((near) => itemAt(graph.ids, near));
}

/** Marks these CIs as not loaded: they may have changed. */
export function invalidate({ graph, whole, complete }: GraphCache, ids: readonly string[]): void {
  for (const id of ids) whole.delete(graph.nodes.get(id) ?? -1);
  complete.clear();
}

/** Returns the node of a CI; a removed one retains its node and its end. */
const nodeOf = (graph: Graph, id: string): number => graph.nodes.get(id) ?? addNode(graph, id);

function dropEdges(graph: Graph, node: number): void {
  while (graph.headOut[node] !== -1) dropEdge(graph, int32At(graph.headOut, node));
  while (graph.headIn[node] !== -1) dropEdge(graph, int32At(graph.headIn, node));
}

/** Replaces a CI with all its relationships. Those to `loaded` CIs are there already. */
function putCi(graph: Graph, { id, ended, up, down }: LoadedCi, loaded: ReadonlySet<number>): number {
  const node = addNode(graph, id);
  if (ended !== null) graph.ended.set(node, ended);
  const add = ([other, type, critical, since, until]: LoadedEdge, isUp: boolean): void => {
    const end = nodeOf(graph, other);
    if (loaded.has(end)) return;
    const facts = { type, critical, since: since ?? -Infinity, until: until ?? Infinity };
    addEdge(graph, isUp ? node : end, isUp ? end : node, facts);
  };
  for (const edge of up) add(edge, true);
  for (const edge of down) add(edge, false);
  return node;
}

/** The CIs must be from one read. */
export function putCis({ graph, whole }: GraphCache, cis: readonly LoadedCi[]): void {
  for (const { id } of cis) dropEdges(graph, nodeOf(graph, id));
  const loaded = new Set<number>();
  for (const ci of cis) loaded.add(putCi(graph, ci, loaded));
  for (const node of loaded) whole.add(node);
}
