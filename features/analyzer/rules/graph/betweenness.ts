import { float64At, int32At, uint32At } from '#domain/assert.ts';
import type { Adjacency } from './adjacency.ts';

/** A graph with more nodes uses only some of them as starts. */
export const EXACT_UP_TO = 2_000;
export const PIVOTS = 64;

/** Buffers of one start; reused for the next. */
class Sweep {
  readonly #graph: Adjacency;
  readonly #distance: Int32Array;
  readonly #paths: Float64Array;
  readonly #dependency: Float64Array;
  /** Nodes in the order of distance. */
  readonly #order: Uint32Array;

  constructor(graph: Adjacency) {
    this.#graph = graph;
    this.#distance = new Int32Array(graph.size).fill(-1);
    this.#paths = new Float64Array(graph.size);
    this.#dependency = new Float64Array(graph.size);
    this.#order = new Uint32Array(graph.size);
  }

  /** Adds to `sums` the share of the shortest paths from `start` that pass each node. */
  add(start: number, sums: Float64Array): void {
    const reached = this.#outwards(start);
    for (let i = reached - 1; i > 0; i--) this.#inwards(uint32At(this.#order, i), sums);
    this.#forget(reached);
  }

  /** Counts shortest paths; how many nodes were reached. */
  #outwards(start: number): number {
    const { offsets, targets } = this.#graph;
    const [distance, paths, order] = [this.#distance, this.#paths, this.#order];
    let reached = 1;
    order[0] = start;
    distance[start] = 0;
    paths[start] = 1;
    for (let at = 0; at < reached; at++) {
      const node = uint32At(order, at);
      const next = int32At(distance, node) + 1;
      for (let i = uint32At(offsets, node); i < uint32At(offsets, node + 1); i++) {
        const target = uint32At(targets, i);
        if (distance[target] === -1) {
          distance[target] = next;
          order[reached++] = target;
        }
        if (distance[target] === next) paths[target] = float64At(paths, target) + float64At(paths, node);
      }
    }
    return reached;
  }

  /** Hands on to the nodes before it what depends on a node; all behind it have been here. */
  #inwards(node: number, sums: Float64Array): void {
    const { offsets, targets } = this.#graph;
    const [distance, paths, dependency] = [this.#distance, this.#paths, this.#dependency];
    const share = (1 + float64At(dependency, node)) / float64At(paths, node);
    for (let i = uint32At(offsets, node); i < uint32At(offsets, node + 1); i++) {
      const before = uint32At(targets, i);
      if (distance[before] === int32At(distance, node) - 1)
        dependency[before] = float64At(dependency, before) + float64At(paths, before) * share;
    }
    sums[node] = float64At(sums, node) + float64At(dependency, node);
  }

  #forget(reached: number): void {
    for (let i = 0; i < reached; i++) {
      const node = uint32At(this.#order, i);
      this.#distance[node] = -1;
      this.#paths[node] = 0;
      this.#dependency[node] = 0;
    }
  }
}

/** All nodes, or some at even distances. */
const startsOf = (size: number): number[] => {
  const count = size > EXACT_UP_TO ? PIVOTS : size;
  return Array.from({ length: count }, (_, i) => Math.floor((i * size) / count));
};

/**
 * Betweenness of every node of an undirected graph, 0 to 1 (Brandes): the share of shortest paths between two others that pass it. Beyond
 * 2,000 nodes estimated from 64 starts. Yields after each start.
 */
export function* betweenness(graph: Adjacency): Generator<undefined, Float64Array> {
  const { size } = graph;
  const sums = new Float64Array(size);
  const sweep = new Sweep(graph);
  const starts = startsOf(size);
  for (const start of starts) {
    sweep.add(start, sums);
    yield;
  }
  const pairs = (size - 1) * (size - 2);
  if (pairs <= 0) return sums;
  const scale = size / starts.length / pairs;
  return sums.map((sum) => Math.min(1, sum * scale));
}
