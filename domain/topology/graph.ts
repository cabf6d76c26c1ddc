/** CIs and relationships of one tenant as integers, with the edges of the past that walks still need. */
import { CAUSE_TYPES, DEPENDENCY_TYPES } from './topology.ts';

/** Flags of an edge. A timed edge is not valid at all times: `since` and `until` say when. */
export const CRITICAL = 1;
export const DEPENDENCY = 2;
export const CAUSE = 4;
const TIMED = 8;

/** No event happens later: walks at this time see the present. */
export const PRESENT = Number.MAX_VALUE;

/** Struct of arrays: node n has edges `headOut[n]`, `nextOut[…]` …, ended by -1. About 45 bytes an edge. */
export interface Graph {
  readonly ids: string[];
  readonly nodes: Map<string, number>;
  /** When a removed CI ended; it keeps its node, because its past stays. */
  readonly ended: Map<number, number>;
  /** Ids ascend with node numbers, so that numbers can be compared in their place. */
  sorted: boolean;
  readonly types: string[];
  readonly typeNumbers: Map<string, number>;
  readonly typeFlags: number[];
  edgeSlots: number;
  /** First free slot of a chain over `nextOut`, or -1. */
  free: number;
  headOut: Int32Array;
  headIn: Int32Array;
  source: Int32Array;
  target: Int32Array;
  nextOut: Int32Array;
  nextIn: Int32Array;
  type: Uint16Array;
  flags: Uint8Array;
  since: Float64Array;
  until: Float64Array;
  /** Scratch of the walks, one entry per node. */
  mark: Int32Array;
  via: Int32Array;
  queue: Int32Array;
  hops: Uint8Array;
  stamp: number;
}

export interface EdgeFacts {
  readonly type: string;
  readonly critical: boolean;
  /** -Infinity for a first version. */
  readonly since: number;
  /** Infinity while it lives. */
  readonly until: number;
}

const FIRST_NODES = 16;

export const emptyGraph = (nodes = FIRST_NODES, edges = FIRST_NODES): Graph => ({
  ids: [],
  nodes: new Map(),
  ended: new Map(),
  sorted: true,
  types: [],
  typeNumbers: new Map(),
  typeFlags: [],
  edgeSlots: 0,
  free: -1,
  headOut: new Int32Array(nodes),
  headIn: new Int32Array(nodes),
  source: new Int32Array(edges),
  target: new Int32Array(edges),
  nextOut: new Int32Array(edges),
  nextIn: new Int32Array(edges),
  type: new Uint16Array(edges),
  flags: new Uint8Array(edges),
  since: new Float64Array(edges),
  until: new Float64Array(edges),
  mark: new Int32Array(nodes),
  via: new Int32Array(nodes),
  queue: new Int32Array(nodes),
  hops: new Uint8Array(nodes),
  stamp: 0,
});

/** A copy of twice the length. Buffers of their own kind, so that every walk sees one shape. */
const doubled = <A extends Int32Array | Uint16Array | Uint8Array | Float64Array>(array: A): A => {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(FIRST_NODES, array.length * 2));
  larger.set(array);
  return larger;
};

function growNodes(graph: Graph): void {
  graph.headOut = doubled(graph.headOut);
  graph.headIn = doubled(graph.headIn);
  graph.mark = doubled(graph.mark);
  graph.via = doubled(graph.via);
  graph.queue = doubled(graph.queue);
  graph.hops = doubled(graph.hops);
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

/** The node of a CI, made when it is new; an ended one lives again. */
export function addNode(graph: Graph, id: string): number {
  const known = graph.nodes.get(id);
  if (known !== undefined) {
    graph.ended.delete(known);
    return known;
  }
  const node = graph.ids.length;
  if (node === graph.headOut.length) growNodes(graph);
  if (node > 0 && id < graph.ids[node - 1]!) graph.sorted = false;
  graph.headOut[node] = -1;
  graph.headIn[node] = -1;
  graph.ids.push(id);
  graph.nodes.set(id, node);
  return node;
}

const flagsOf = (type: string): number =>
  ((DEPENDENCY_TYPES as readonly string[]).includes(type) ? DEPENDENCY : 0) |
  ((CAUSE_TYPES as readonly string[]).includes(type) ? CAUSE : 0);

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
    graph.free = graph.nextOut[free]!;
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
  graph.flags[edge] = graph.typeFlags[type]! | (facts.critical ? CRITICAL : 0) | (timed ? TIMED : 0);
  graph.since[edge] = facts.since;
  graph.until[edge] = facts.until;
  graph.nextOut[edge] = graph.headOut[source]!;
  graph.headOut[source] = edge;
  graph.nextIn[edge] = graph.headIn[target]!;
  graph.headIn[target] = edge;
  return edge;
}

/** The edge of today between two nodes, or -1. */
export function liveEdge(graph: Graph, source: number, target: number, type: string): number {
  const number = graph.typeNumbers.get(type);
  for (let edge = graph.headOut[source]!; edge !== -1; edge = graph.nextOut[edge]!)
    if (graph.target[edge] === target && graph.type[edge] === number && graph.until[edge] === Infinity) return edge;
  return -1;
}

/** From `at` on the edge is history. */
export function endEdge(graph: Graph, edge: number, at: number): void {
  graph.until[edge] = at;
  graph.flags[edge] = graph.flags[edge]! | TIMED;
}

function unlink(head: Int32Array, next: Int32Array, node: number, edge: number): void {
  if (head[node] === edge) {
    head[node] = next[edge]!;
    return;
  }
  let before = head[node]!;
  while (next[before] !== edge) before = next[before]!;
  next[before] = next[edge]!;
}

/** Forgets the edge and its past. */
export function dropEdge(graph: Graph, edge: number): void {
  unlink(graph.headOut, graph.nextOut, graph.source[edge]!, edge);
  unlink(graph.headIn, graph.nextIn, graph.target[edge]!, edge);
  graph.nextOut[edge] = graph.free;
  graph.free = edge;
}

/** The span of times, around the time walked at, over which everything that was looked at stays the same. */
export interface Era {
  from: number;
  to: number;
}

/** Whether a walk may use the edge; narrows the era by what it sees. */
export function isValid(graph: Graph, edge: number, at: number, era: Era): boolean {
  if ((graph.flags[edge]! & TIMED) === 0) return true;
  const since = graph.since[edge]!;
  const until = graph.until[edge]!;
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
  for (let edge = graph.headOut[node]!; edge !== -1; edge = graph.nextOut[edge]!)
    if (graph.until[edge] === Infinity) count++;
  for (let edge = graph.headIn[node]!; edge !== -1; edge = graph.nextIn[edge]!)
    if (graph.until[edge] === Infinity) count++;
  return count;
}
