/** Walks for the API, in memory. */

import { entryOf, itemAt } from '#domain/assert.ts';
import { notFound } from '#domain/fault.ts';
import type { ImpactOptions, NeighbourhoodOptions, PathOptions } from '#domain/ports/topology/graph-queries.ts';
import { PRESENT } from '#domain/topology/graph/edges.ts';
import { impactOf } from '#domain/topology/graph/impact.ts';
import { unnamedImpact } from '#domain/topology/graph/impact-by-rounds.ts';
import { edgesAmong, neighbourhoodOf } from '#domain/topology/graph/neighbourhood.ts';
import { wayBetween } from '#domain/topology/graph/way-between.ts';
import type { Ci, Impact, Neighbourhood } from '#domain/topology/topology.ts';
import { SHOWN_EDGES } from './as-of.ts';
import { readEdges } from './history.ts';
import { liveNode, type TenantTopology } from './memory.ts';
import type { Statements } from './rows.ts';

/** A fault when it is not there now. */
function nodeOf(topology: TenantTopology, ciId: string): number {
  const node = liveNode(topology, ciId);
  if (node === undefined) throw notFound('CI', ciId);
  return node;
}

function named<T extends { readonly ci: string }>(
  { graph, names, types }: TenantTopology,
  list: readonly T[],
): (T & Pick<Ci, 'name' | 'type'>)[] {
  return list.map((one) => {
    const node = entryOf(graph.nodes, one.ci);
    return { ...one, name: itemAt(names, node), type: itemAt(types, node) };
  });
}

/** Returns the current state. */
export function neighbourhood(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  options: NeighbourhoodOptions,
): Neighbourhood {
  const { graph } = topology;
  const start = nodeOf(topology, ciId);
  const { near, truncated } = neighbourhoodOf(graph, start, options, PRESENT);
  const nodes = [start, ...near.map(({ ci }) => entryOf(graph.nodes, ci))];
  const ends = edgesAmong(graph, nodes, { ...options, limit: SHOWN_EDGES }, PRESENT);
  return {
    nodes: named(topology, near),
    edges: readEdges(db, tenant, ends.slice(0, SHOWN_EDGES)),
    truncated: truncated || ends.length > SHOWN_EDGES,
  };
}

/** Returns the current path; null when there is none, or an end does not exist. */
export function path(
  topology: TenantTopology,
  from: string,
  to: string,
  options: PathOptions,
): readonly string[] | null {
  const ends = [liveNode(topology, from), liveNode(topology, to)] as const;
  if (ends[0] === undefined || ends[1] === undefined) return null;
  return wayBetween(topology.graph, ends[0], ends[1], { ...options, hops: options.maxHops }, PRESENT);
}

/** Returns the current impact. */
export function impact(
  topology: TenantTopology,
  ciIds: readonly string[],
  { limit, hops, types, down = [] }: ImpactOptions,
): Impact {
  const { graph, redundancy } = topology;
  const starts = ciIds.map((id) => nodeOf(topology, id));
  const numbers = types?.length ? new Set(types.flatMap((type) => graph.typeNumbers.get(type) ?? [])) : undefined;
  const query = { redundancy, limit, hops, at: PRESENT, types: numbers };
  const isDown = new Set(down.flatMap((id) => liveNode(topology, id) ?? []));
  const struck = unnamedImpact(graph, impactOf(graph, starts, { ...query, down: isDown }));
  return {
    impacted: named(topology, struck.impacted),
    protected: named(topology, struck.protected),
    truncated: struck.truncated,
    ...(struck.partnersDown.length > 0 && { partnersDown: named(topology, struck.partnersDown) }),
  };
}
