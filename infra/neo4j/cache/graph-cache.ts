/** The part of a tenant's topology that was asked for lately, in memory: a CI is on it with all its relationships or waits for them. */

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
import { type Way, walk } from '#domain/topology/graph/walk.ts';
import type { DrawnCi, DrawnEdge } from './load-cis.ts';

export interface Atlas {
  readonly graph: Graph;
  /** Nodes whose relationships are all known. */
  readonly whole: Set<number>;
  /** Nodes whose surroundings are all known, with the times for which that is so. */
  readonly surveyed: Map<number, Era>;
  /** No relationship that ended before is known. */
  readonly floor: number;
}

export const emptyAtlas = (floor: number): Atlas => ({
  graph: emptyGraph(),
  whole: new Set(),
  surveyed: new Map(),
  floor,
});

/** Nodes and edges; 100 to 200 bytes each. */
export const weightOf = ({ graph }: Atlas): number => graph.ids.length + graph.edgeSlots;

/** What the walks of `around` go through: the last hop of each needs no relationships beyond it. */
const PROBES: readonly Way[] = [
  { hops: NEAR_HOPS - 1, direction: 'both', mask: 0, types: null, keep: NEAR_LIMIT, count: REACH_BOUND },
  { hops: UPSTREAM_HOPS - 1, direction: 'up', mask: CAUSE, types: null, keep: UPSTREAM_LIMIT, count: UPSTREAM_LIMIT },
  { hops: CHAIN_HOPS - 1, direction: 'up', mask: DEPENDENCY, types: null, keep: UPSTREAM_LIMIT, count: REACH_BOUND },
  { hops: CHAIN_HOPS - 1, direction: 'down', mask: DEPENDENCY, types: null, keep: 0, count: REACH_BOUND },
];

/** Layers in which a walk stops counting are not gone through, but for the nearest. */
function* probed(graph: Graph, node: number, way: Way, at: number, era: Era): Generator<number> {
  const within = walk(graph, node, way, at, era);
  const last = Math.max(within.findLast((count) => count < way.count) ?? 0, Math.min(way.keep, within.at(-1)!));
  for (let i = 0; i <= last; i++) yield graph.queue[i]!;
}

/** Ids of the CIs around that still wait for their relationships; none when `around` can be answered. */
export function missingAround({ graph, whole, surveyed }: Atlas, node: number, at: number): string[] {
  const known = surveyed.get(node);
  if (known !== undefined && known.from <= at && at < known.to) return [];
  const era = { from: -Infinity, to: Infinity };
  const missing = new Set<number>();
  for (const way of PROBES)
    for (const near of probed(graph, node, way, at, era)) if (!whole.has(near)) missing.add(near);
  if (missing.size === 0) surveyed.set(node, era);
  return [...missing].map((near) => graph.ids[near]!);
}

/** What was known of these CIs may have changed. */
export function doubt({ graph, whole, surveyed }: Atlas, ids: readonly string[]): void {
  for (const id of ids) whole.delete(graph.nodes.get(id) ?? -1);
  surveyed.clear();
}

/** A removed CI keeps its node and its end. */
const nodeOf = (graph: Graph, id: string): number => graph.nodes.get(id) ?? addNode(graph, id);

function dropEdges(graph: Graph, node: number): void {
  while (graph.headOut[node] !== -1) dropEdge(graph, graph.headOut[node]!);
  while (graph.headIn[node] !== -1) dropEdge(graph, graph.headIn[node]!);
}

/** Puts a CI with all its relationships on the atlas, in place of what was known. Those to `drawn` CIs are there already. */
function draw(graph: Graph, { id, ended, up, down }: DrawnCi, drawn: ReadonlySet<number>): number {
  const node = addNode(graph, id);
  if (ended !== null) graph.ended.set(node, ended);
  const add = ([other, type, critical, since, until]: DrawnEdge, isUp: boolean): void => {
    const end = nodeOf(graph, other);
    if (drawn.has(end)) return;
    const facts = { type, critical, since: since ?? -Infinity, until: until ?? Infinity };
    addEdge(graph, isUp ? node : end, isUp ? end : node, facts);
  };
  for (const edge of up) add(edge, true);
  for (const edge of down) add(edge, false);
  return node;
}

/** All of them were read at one time. */
export function drawAll({ graph, whole }: Atlas, cis: readonly DrawnCi[]): void {
  for (const { id } of cis) dropEdges(graph, nodeOf(graph, id));
  const drawn = new Set<number>();
  for (const ci of cis) drawn.add(draw(graph, ci, drawn));
  for (const node of drawn) whole.add(node);
}
