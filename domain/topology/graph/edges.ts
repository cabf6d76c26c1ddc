/** The edges of a graph, with the times for which they are valid. */

import { byteAt, float64At, int32At, itemAt } from '#domain/assert.ts';
import { CAUSE_TYPES, CONTAINS, DEPENDENCY_TYPES, PART_TYPES } from '#domain/topology/topology.ts';
import { doubled, type Graph } from './graph.ts';

/** Flags of an edge. A timed edge is not valid at all times: `since` and `until` limit it. */
export const CRITICAL = 1;
export const DEPENDENCY = 2;
export const CAUSE = 4;
const TIMED = 8;
/** The source is a part of the target; and vice versa. */
export const PART = 16;
export const WHOLE = 32;

/** No event happens later: walks at this time see the present. */
export const PRESENT = Number.MAX_VALUE;

export interface EdgeFacts {
  readonly type: string;
  readonly critical: boolean;
  /** -Infinity for a first version. */
  readonly since: number;
  /** Infinity while it lives. */
  readonly until: number;
}

function growEdges(graph: Graph): void {
  graph.source = doubled(graph.source);
  graph.target = doubled(graph.target);
  graph.nextOut = doubled(graph.nextOut);
  graph.nextIn = doubled(graph.nextIn);
  graph.type = doubled(graph.type);
  graph.flags = doubled(graph.flags);
  graph.since = doubled(graph.since);
  graph.until = doubled(graph.until);
}

const flagsOf = (type: string): number =>
  ((DEPENDENCY_TYPES as readonly string[]).includes(type) ? DEPENDENCY : 0) |
  ((CAUSE_TYPES as readonly string[]).includes(type) ? CAUSE : 0) |
  ((PART_TYPES as readonly string[]).includes(type) ? PART : 0) |
  (type === CONTAINS ? WHOLE : 0);

function typeNumber(graph: Graph, type: string): number {
  const known = graph.typeNumbers.get(type);
  if (known !== undefined) return known;
  graph.types.push(type);
  graph.typeFlags.push(flagsOf(type));
  graph.typeNumbers.set(type, graph.types.length - 1);
  return graph.types.length - 1;
}

function slot(graph: Graph): number {
  const free = graph.free;
  if (free !== -1) {
    graph.free = int32At(graph.nextOut, free);
    return free;
  }
  if (graph.edgeSlots === graph.source.length) growEdges(graph);
  return graph.edgeSlots++;
}

export function addEdge(graph: Graph, source: number, target: number, facts: EdgeFacts): number {
  const edge = slot(graph);
  const type = typeNumber(graph, facts.type);
  const timed = facts.since !== -Infinity || facts.until !== Infinity;
  graph.source[edge] = source;
  graph.target[edge] = target;
  graph.type[edge] = type;
  graph.flags[edge] = itemAt(graph.typeFlags, type) | (facts.critical ? CRITICAL : 0) | (timed ? TIMED : 0);
  graph.since[edge] = facts.since;
  graph.until[edge] = facts.until;
  graph.nextOut[edge] = int32At(graph.headOut, source);
  graph.headOut[source] = edge;
  graph.nextIn[edge] = int32At(graph.headIn, target);
  graph.headIn[target] = edge;
  return edge;
}

/** The edge of today between two nodes, or -1. */
export function liveEdge(graph: Graph, source: number, target: number, type: string): number {
  const number = graph.typeNumbers.get(type);
  for (let edge = int32At(graph.headOut, source); edge !== -1; edge = int32At(graph.nextOut, edge))
    if (graph.target[edge] === target && graph.type[edge] === number && graph.until[edge] === Infinity) return edge;
  return -1;
}

/** Ends the edge at `at`; from then on it is history. */
export function endEdge(graph: Graph, edge: number, at: number): void {
  graph.until[edge] = at;
  graph.flags[edge] = byteAt(graph.flags, edge) | TIMED;
}

function unlink(head: Int32Array, next: Int32Array, node: number, edge: number): void {
  if (head[node] === edge) {
    head[node] = int32At(next, edge);
    return;
  }
  let before = int32At(head, node);
  while (next[before] !== edge) before = int32At(next, before);
  next[before] = int32At(next, edge);
}

/** Forgets the edge and its past. */
export function dropEdge(graph: Graph, edge: number): void {
  unlink(graph.headOut, graph.nextOut, int32At(graph.source, edge), edge);
  unlink(graph.headIn, graph.nextIn, int32At(graph.target, edge), edge);
  graph.nextOut[edge] = graph.free;
  graph.free = edge;
}

/** True if an edge of this type is among the types with a 1 at its number; null for any. */
export const typeOf = ({ types, type }: Graph, edge: number): string => types[type[edge]!]!;

export const isOfType = ({ type }: Graph, edge: number, types: Uint8Array | null): boolean =>
  types === null || types[type[edge]!] === 1;

/** The range of times, around the time of the walk, over which everything visited stays the same. */
export interface Era {
  from: number;
  to: number;
}

/** True if a walk may use the edge; narrows the era accordingly. */
export function isValid(graph: Graph, edge: number, at: number, era: Era): boolean {
  if ((byteAt(graph.flags, edge) & TIMED) === 0) return true;
  const since = float64At(graph.since, edge);
  const until = float64At(graph.until, edge);
  narrow(era, since, at);
  narrow(era, until, at);
  return since <= at && at < until;
}

function narrow(era: Era, change: number, at: number): void {
  if (change > at) era.to = Math.min(era.to, change);
  else era.from = Math.max(era.from, change);
}

/** Live edges of a CI, both directions counted. */
export function countEdges(graph: Graph, node: number): number {
  let count = 0;
  for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
    if (graph.until[edge] === Infinity) count++;
  for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
    if (graph.until[edge] === Infinity) count++;
  return count;
}
