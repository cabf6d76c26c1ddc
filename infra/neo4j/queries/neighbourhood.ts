/** Neighborhoods: the server finds the nearest CIs and their relationships, and the domain builds the graph. */

import { entryOf } from '#domain/assert.ts';
import { notFound } from '#domain/fault.ts';
import type { NeighbourhoodOptions } from '#domain/ports/topology/graph-queries.ts';
import { addEdge, PRESENT } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph, type Graph } from '#domain/topology/graph/graph.ts';
import { neighbourhoodOf } from '#domain/topology/graph/neighbourhood.ts';
import type { Neighbourhood, Relationship } from '#domain/topology/topology.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed, readCis } from '#infra/neo4j/client/read.ts';
import { edgeCondition, edgeTypes, hopPattern, stepValues } from './hops.ts';

/** Maximum of relationships shown in one neighborhood, and read for it. */
const SHOWN_EDGES = 5_000;
const READ_EDGES = 50_000;

interface NearestCi {
  readonly id: string;
  readonly name: string | null;
  readonly type: string | null;
}

/** Returns one more than requested, to detect that there are more. Names are the current ones. */
const nearestCis = (read: Run, tenant: string, ciId: string, options: NeighbourhoodOptions): Promise<NearestCi[]> =>
  read<NearestCi>(
    `MATCH (a:Ci {tenant: $tenant, id: $ciId}) MATCH ${hopPattern(options, options.hops)} WHERE b <> a
     WITH b, min(size(r)) AS hops WITH b, hops, b.id AS id ORDER BY hops, id LIMIT $limit
     RETURN id, b.name AS name, b.type AS type`,
    { tenant, ciId, ...stepValues(options), limit: options.limit + 1 },
  );

interface EdgeBetween {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly record: string;
}

function edgesBetween(
  read: Run,
  tenant: string,
  ids: readonly string[],
  options: NeighbourhoodOptions,
): Promise<EdgeBetween[]> {
  return read<EdgeBetween>(
    `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})-[r:${edgeTypes(options)}]->()
     WHERE r.target IN $ids AND ${edgeCondition(options)}
     RETURN r.source AS source, r.target AS target, r.type AS type, r.record AS record LIMIT $limit`,
    { tenant, ids, ...stepValues(options), limit: READ_EDGES },
  );
}

function graphOf(ids: readonly string[], edges: readonly EdgeBetween[]): Graph {
  const graph = emptyGraph(ids.length, edges.length);
  for (const id of ids.toSorted()) addNode(graph, id);
  const ever = { critical: false, since: -Infinity, until: Infinity };
  for (const { source, target, type } of edges)
    addEdge(graph, entryOf(graph.nodes, source), entryOf(graph.nodes, target), { type, ...ever });
  return graph;
}

/** Returns the names at that time. */
const namedAt = async (
  read: Run,
  tenant: string,
  nearest: readonly NearestCi[],
  asOf: number | undefined,
): Promise<readonly NearestCi[]> => {
  if (asOf === undefined) return nearest;
  const ids = nearest.map(({ id }) => id);
  return readCis(read, tenant, ids, asOf);
};

export async function neighbourhood(
  read: Run,
  tenant: string,
  ciId: string,
  options: NeighbourhoodOptions,
): Promise<Neighbourhood> {
  const [[start], nearest] = await Promise.all([
    readCis(read, tenant, [ciId], options.asOf),
    nearestCis(read, tenant, ciId, options),
  ]);
  if (start === undefined) throw notFound('CI', ciId);
  const ids = [ciId, ...nearest.map(({ id }) => id)];
  const [edges, names] = await Promise.all([
    edgesBetween(read, tenant, ids, options),
    namedAt(read, tenant, nearest, options.asOf),
  ]);
  const graph = graphOf(ids, edges);
  const area = neighbourhoodOf(graph, entryOf(graph.nodes, ciId), options, PRESENT);
  const known = new Map(names.map((one) => [one.id, one]));
  const nodes = area.near.map((one) => {
    const named = known.get(one.ci);
    return { ...one, name: named?.name ?? '', type: named?.type ?? '' };
  });
  const shown = new Set([ciId, ...area.near.map(({ ci }) => ci)]);
  const among = edges.filter(({ source, target }) => shown.has(source) && shown.has(target));
  return {
    nodes,
    edges: among.slice(0, SHOWN_EDGES).map(({ record }) => parsed<Relationship>(record)),
    truncated: area.truncated || among.length > SHOWN_EDGES,
  };
}
