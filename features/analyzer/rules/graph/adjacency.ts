import { itemAt, uint32At } from '#domain/assert.ts';

/** A simple graph without loops; nodes are numbers from 0. Neighbours of node `n` are `targets[offsets[n]]` up to `targets[offsets[n + 1] - 1]`. */
export interface Adjacency {
  readonly size: number;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
}

/** The undirected graph of these pairs; loops and repeats are dropped. */
export function adjacencyOf(size: number, pairs: Iterable<readonly [number, number]>): Adjacency {
  const neighbours: Set<number>[] = Array.from({ length: size }, () => new Set());
  for (const [one, other] of pairs) {
    if (one === other) continue;
    itemAt(neighbours, one).add(other);
    itemAt(neighbours, other).add(one);
  }
  const offsets = new Uint32Array(size + 1);
  for (let node = 0; node < size; node++) offsets[node + 1] = uint32At(offsets, node) + itemAt(neighbours, node).size;
  const targets = new Uint32Array(uint32At(offsets, size));
  neighbours.forEach((those, node) => {
    targets.set([...those], uint32At(offsets, node));
  });
  return { size, offsets, targets };
}

export const degreeOf = ({ offsets }: Adjacency, node: number): number =>
  uint32At(offsets, node + 1) - uint32At(offsets, node);
