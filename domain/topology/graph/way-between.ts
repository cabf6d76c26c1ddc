/**
 * Paths between two CIs, searched from both ends at once: in a large infrastructure a walk from one end visits nearly
 * everything.
 */

import { entryOf, int32At } from '#domain/assert.ts';
import type { Direction } from '#domain/topology/topology.ts';
import { type Era, isOfType, isValid } from './edges.ts';
import { type Graph, idOf } from './graph.ts';
import { allowed, type NeighbourhoodBounds } from './neighbourhood.ts';

interface Way {
  readonly graph: Graph;
  readonly types: Uint8Array | null;
  readonly at: number;
  readonly era: Era;
}

/** Nodes reached from one end, each with the one before it. */
interface Side {
  readonly direction: Direction;
  readonly seen: Map<number, number>;
  layer: number[];
}

const OPPOSITE = { up: 'down', down: 'up', both: 'both' } as const;
const sideFrom = (node: number, direction: Direction): Side => ({
  direction,
  seen: new Map([[node, node]]),
  layer: [node],
});

const fits = ({ graph, types, at, era }: Way, edge: number): boolean =>
  isOfType(graph, edge, types) && isValid(graph, edge, at, era);

function neighboursOf(way: Way, node: number, direction: Direction): number[] {
  const { graph } = way;
  const found: number[] = [];
  if (direction !== 'down')
    for (let edge = int32At(graph.headOut, node); edge !== -1; edge = int32At(graph.nextOut, edge))
      if (fits(way, edge)) found.push(int32At(graph.target, edge));
  if (direction !== 'up')
    for (let edge = int32At(graph.headIn, node); edge !== -1; edge = int32At(graph.nextIn, edge))
      if (fits(way, edge)) found.push(int32At(graph.source, edge));
  return found;
}

/** Advances by one hop, in the order of ids, so that the path is the same in every run. */
function advance(way: Way, side: Side): void {
  const next: number[] = [];
  for (const node of side.layer)
    for (const other of neighboursOf(way, node, side.direction)) {
      if (side.seen.has(other)) continue;
      side.seen.set(other, node);
      next.push(other);
    }
  side.layer = next.sort((a, b) => (idOf(way.graph, a) < idOf(way.graph, b) ? -1 : 1));
}

/** Returns the path from a node back to the end that reached it. */
function trail(side: Side, from: number): number[] {
  const nodes = [from];
  for (let node = from; side.seen.get(node) !== node; ) {
    node = entryOf(side.seen, node);
    nodes.push(node);
  }
  return nodes;
}

/** Returns a shortest path with both ends, or null when there is none within `hops`. */
export function wayBetween(
  graph: Graph,
  from: number,
  to: number,
  bounds: Omit<NeighbourhoodBounds, 'limit'>,
  at: number,
): string[] | null {
  const way: Way = { graph, types: allowed(graph, bounds.types), at, era: { from: -Infinity, to: Infinity } };
  const near = sideFrom(from, bounds.direction);
  const far = sideFrom(to, OPPOSITE[bounds.direction]);
  let meeting = from === to ? from : undefined;
  for (let hop = 0; hop < bounds.hops && meeting === undefined; hop++) {
    const [side, other] = near.layer.length <= far.layer.length ? [near, far] : [far, near];
    advance(way, side);
    if (side.layer.length === 0) return null;
    meeting = side.layer.find((node) => other.seen.has(node));
  }
  if (meeting === undefined) return null;
  const nodes = [...trail(near, meeting).reverse(), ...trail(far, meeting).slice(1)];
  return nodes.map((node) => idOf(graph, node));
}
