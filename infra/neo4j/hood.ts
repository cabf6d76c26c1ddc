/** Neighbourhoods: the server finds the nearest CIs, and what lies between them is put together as in memory. */
import { notFound } from '#domain/fault.ts';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import { addEdge, PRESENT } from '#domain/topology/edges.ts';
import { addNode, emptyGraph, type Graph } from '#domain/topology/graph.ts';
import { areaAround } from '#domain/topology/hood.ts';
import type { Ci, Hood, Relationship } from '#domain/topology/topology.ts';
import type { Run } from './client.ts';
import { edgeCondition, edgeTypes, hopPattern, stepValues } from './hops.ts';
import { parsed, readCis } from './read.ts';

/** Relationships shown in one neighbourhood, and read for it. */
const SHOWN_EDGES = 5_000;
const READ_EDGES = 50_000;

type HoodOptions = Parameters<TopologyStore['neighbourhood']>[2];

/** One more than asked for, to tell that there are more. */
async function nearestIds(read: Run, tenant: string, ciId: string, options: HoodOptions): Promise<string[]> {
  const rows = await read<{ id: string }>(
    `MATCH (a:Ci {tenant: $tenant, id: $ciId}) MATCH ${hopPattern(options, options.hops)} WHERE b <> a
     WITH b.id AS id, min(size(r)) AS hops ORDER BY hops, id LIMIT $limit RETURN id`,
    { tenant, ciId, ...stepValues(options), limit: options.limit + 1 },
  );
  return rows.map(({ id }) => id);
}

interface EdgeBetween {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly record: string;
}

function edgesBetween(read: Run, tenant: string, ids: readonly string[], options: HoodOptions): Promise<EdgeBetween[]> {
  const condition = edgeCondition(options);
  return read<EdgeBetween>(
    `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})-[r:${edgeTypes(options)}]->()
     WHERE r.target IN $ids${condition === '' ? '' : ` AND ${condition}`}
     RETURN r.source AS source, r.target AS target, r.type AS type, r.record AS record LIMIT $limit`,
    { tenant, ids, ...stepValues(options), limit: READ_EDGES },
  );
}

function graphOf(ids: readonly string[], edges: readonly EdgeBetween[]): Graph {
  const graph = emptyGraph(ids.length, edges.length);
  for (const id of ids.toSorted()) addNode(graph, id);
  const ever = { critical: false, since: -Infinity, until: Infinity };
  for (const { source, target, type } of edges)
    addEdge(graph, graph.nodes.get(source)!, graph.nodes.get(target)!, { type, ...ever });
  return graph;
}

async function named(
  read: Run,
  tenant: string,
  near: Hood['nodes'] | ReturnType<typeof areaAround>['near'],
  asOf?: number,
) {
  const ids = near.map(({ ci }) => ci);
  const cis = new Map((await readCis(read, tenant, ids, asOf)).map((ci) => [ci.id, ci]));
  return near.map((one) => ({ ...one, name: cis.get(one.ci)?.name ?? '', type: cis.get(one.ci)?.type ?? '' }));
}

export async function neighbourhood(read: Run, tenant: string, ciId: string, options: HoodOptions): Promise<Hood> {
  const [[start], near] = await Promise.all([
    readCis(read, tenant, [ciId], options.asOf) as Promise<Ci[]>,
    nearestIds(read, tenant, ciId, options),
  ]);
  if (start === undefined) throw notFound('CI', ciId);
  const edges = await edgesBetween(read, tenant, [ciId, ...near], options);
  const graph = graphOf([ciId, ...near], edges);
  const area = areaAround(graph, graph.nodes.get(ciId)!, options, PRESENT);
  const nodes = await named(read, tenant, area.near, options.asOf);
  const shown = new Set([ciId, ...nodes.map(({ ci }) => ci)]);
  const among = edges.filter(({ source, target }) => shown.has(source) && shown.has(target));
  return {
    nodes,
    edges: among.slice(0, SHOWN_EDGES).map(({ record }) => parsed<Relationship>(record)),
    truncated: area.truncated || among.length > SHOWN_EDGES,
  };
}
