/** Breadth-first walks over a graph of CIs; they allocate next to nothing. */

import { byteAt, int32At } from '#domain/assert.ts';
import type { Direction } from '#domain/topology/topology.ts';
import { type Era, isOfType, isValid } from './edges.ts';
import { type Graph, idOf } from './graph.ts';

export interface WalkBounds {
  readonly hops: number;
  /** `up` leads from source to target, `down` from target to source. */
  readonly direction: Direction;
  /** Flags that an edge must have; 0 for any edge. */
  readonly mask: number;
  /** Type numbers that an edge may have, one entry per number; null for any. */
  readonly types: Uint8Array | null;
  /** Number of nearest nodes to find exactly, ties by id; those beyond are only counted. */
  readonly keep: number;
  /** Counting stops here. */
  readonly count: number;
}

const LAST_STAMP = 2 ** 31 - 1;

/** A value that no node is marked with. */
export function freshStamp(graph: Graph): number {
  if (graph.stamp === LAST_STAMP) {
    graph.mark.fill(0);
    graph.stamp = 0;
  }
  graph.stamp += 1;
  return graph.stamp;
}

/** Adds what `next` is over one edge to the queue, when it is new. */
function take(graph: Graph, node: number, next: number, tail: number): number {
  if (graph.mark[next] === graph.stamp) return tail;
  graph.mark[next] = graph.stamp;
  graph.via[next] = node;
  graph.queue[tail] = next;
  return tail + 1;
}

const fits = (graph: Graph, edge: number, way: WalkBounds, at: number, era: Era): boolean =>
  (byteAt(graph.flags, edge) & way.mask) === way.mask &&
  isOfType(graph, edge, way.types) &&
  isValid(graph, edge, at, era);

function expand(graph: Graph, node: number, way: WalkBounds, at: number, era: Era, start: number): number {
  let tail = start;
  if (way.direction !== 'down')
    for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
      if (fits(graph, edge, way, at, era)) tail = take(graph, node, int32At(graph.target, edge), tail);
  if (way.direction !== 'up')
    for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
      if (fits(graph, edge, way, at, era)) tail = take(graph, node, int32At(graph.source, edge), tail);
  return tail;
}

const FEW = 24;

function sortFew(queue: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = int32At(queue, i);
    let j = i - 1;
    for (; j >= from && int32At(queue, j) > value; j--) queue[j + 1] = int32At(queue, j);
    queue[j + 1] = value;
  }
}

const isAscending = (queue: Int32Array, from: number, to: number): boolean => {
  for (let i = from + 1; i < to; i++) if (int32At(queue, i - 1) > int32At(queue, i)) return false;
  return true;
};

/** Hoare's selection: moves the `count` smallest of the part to its front, in linear time. */
function selectSmallest(queue: Int32Array, from: number, to: number, count: number): void {
  let left = from;
  let right = to - 1;
  const last = from + count - 1;
  while (left < right) {
    const pivot = int32At(queue, (left + right) >> 1);
    let i = left;
    let j = right;
    while (i <= j) {
      while (int32At(queue, i) < pivot) i++;
      while (int32At(queue, j) > pivot) j--;
      if (i > j) break;
      const swap = int32At(queue, i);
      queue[i++] = int32At(queue, j);
      queue[j--] = swap;
    }
    if (last <= j) right = j;
    else if (last >= i) left = i;
    else return;
  }
}

/**
 * Sorts the first `wanted` of a layer by id; of a hub's layer, only those. Numbers represent ids as long as they ascend
 * together, and neighbors mostly arrive in order already.
 */
export function sortById(graph: Graph, from: number, end: number, wanted: number): void {
  const to = Math.min(end, from + wanted);
  const { queue } = graph;
  if (!graph.sorted) {
    queue.subarray(from, end).sort((a, b) => (idOf(graph, a) < idOf(graph, b) ? -1 : 1));
    return;
  }
  if (isAscending(queue, from, end)) return;
  if (to < end) selectSmallest(queue, from, end, wanted);
  if (to - from <= FEW) sortFew(queue, from, to);
  else queue.subarray(from, to).sort();
}

/**
 * Walks from `start`; returns the number of nodes within h hops, for h = 0 … hops, without the start. `graph.queue[1
 * …]` has the nodes, `graph.via` the node before each. Both are valid until the next walk.
 */
export function walk(graph: Graph, start: number, way: WalkBounds, at: number, era: Era): number[] {
  const within = [0];
  graph.mark[start] = freshStamp(graph);
  graph.queue[0] = start;
  let from = 0;
  let tail = 1;
  for (let hop = 1; hop <= way.hops; hop++) {
    const to = tail;
    const exact = to - 1 < way.keep;
    for (let i = from; i < to && (exact || tail - 1 < way.count); i++)
      tail = expand(graph, int32At(graph.queue, i), way, at, era, tail);
    if (exact) sortById(graph, to, tail, way.keep - (to - 1));
    within.push(tail - 1);
    from = to;
  }
  return within;
}
