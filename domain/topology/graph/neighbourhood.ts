/** The neighborhood of a CI, for the API. */

import { int32At, lastItem } from '#domain/assert.ts';
import type { NearCi } from '#domain/topology/near.ts';
import type { Direction } from '#domain/topology/topology.ts';
import { nearest } from './arrival-topology.ts';
import { type Era, isOfType, isValid, typeOf } from './edges.ts';
import { type Graph, idOf } from './graph.ts';
import { freshStamp, type WalkBounds, walk } from './walk.ts';

export interface NeighbourhoodBounds {
  readonly hops: number;
  readonly direction: Direction;
  /** Empty or absent: any. */
  readonly types?: readonly string[];
  readonly limit: number;
}

export interface NearestCis {
  /** Nearest first, without the start. */
  readonly near: readonly NearCi[];
  readonly truncated: boolean;
}

/** The numbers of the allowed types; null for any. */
export function allowed(graph: Graph, types: readonly string[] | undefined): Uint8Array | null {
  if (types === undefined || types.length === 0) return null;
  const numbers = new Uint8Array(graph.types.length + 1);
  for (const type of types) {
    const number = graph.typeNumbers.get(type);
    if (number !== undefined) numbers[number] = 1;
  }
  return numbers;
}

const always = (): Era => ({ from: -Infinity, to: Infinity });

export function neighbourhoodOf(graph: Graph, node: number, bounds: NeighbourhoodBounds, at: number): NearestCis {
  const way: WalkBounds = {
    hops: bounds.hops,
    direction: bounds.direction,
    mask: 0,
    types: allowed(graph, bounds.types),
    keep: bounds.limit,
    count: bounds.limit + 1,
  };
  const within = walk(graph, node, way, at, always());
  return { near: nearest(graph, within, bounds.limit), truncated: lastItem(within) > bounds.limit };
}

type EdgeEnds = readonly [source: string, target: string, type: string];

/** Edges of the allowed types between two of the nodes; at most `limit` + 1, so that the caller sees that there are more. */
export function edgesAmong(
  graph: Graph,
  nodes: readonly number[],
  bounds: Pick<NeighbourhoodBounds, 'types' | 'limit'>,
  at: number,
): EdgeEnds[] {
  const types = allowed(graph, bounds.types);
  const stamp = freshStamp(graph);
  const era = always();
  const found: EdgeEnds[] = [];
  for (const node of nodes) graph.mark[node] = stamp;
  for (const node of nodes)
    for (
      let edge = int32At(graph.headOut, node);
      edge !== -1 && found.length <= bounds.limit;
      edge = int32At(graph.nextOut, edge)
    ) {
      const target = int32At(graph.target, edge);
      if (graph.mark[target] === stamp && isOfType(graph, edge, types) && isValid(graph, edge, at, era))
        found.push([idOf(graph, node), idOf(graph, target), typeOf(graph, edge)]);
    }
  return found;
}
