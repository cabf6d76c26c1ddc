/** Walks for the API and for correlation: in memory where memory knows the time asked for, else in the file. */
import { notFound } from '#domain/fault.ts';
import type { ArrivalTopology, TopologyStore } from '#domain/ports/topology-store.ts';
import { around, CHAIN_HOPS, NEAR_HOPS, UPSTREAM_HOPS } from '#domain/topology/around.ts';
import { PRESENT } from '#domain/topology/edges.ts';
import type { Graph } from '#domain/topology/graph.ts';
import { areaAround, edgesAmong, wayBetween } from '#domain/topology/hood.ts';
import type { Ci, Hood } from '#domain/topology/topology.ts';
import { readCis, readCisAsOf } from './topology-get.ts';
import { pastAround, readEdges, readEdgesAsOf } from './topology-history.ts';
import type { TenantTopology } from './topology-memory.ts';
import type { Statements } from './topology-rows.ts';

/** Relationships shown in one neighbourhood. */
const SHOWN_EDGES = 5_000;

/** A removed CI is known for times before its removal. */
function nodeAt(topology: TenantTopology, ciId: string, at: number): number | undefined {
  const node = topology.graph.nodes.get(ciId);
  return node === undefined || at >= (topology.graph.ended.get(node) ?? Infinity) ? undefined : node;
}

function forgottenAround(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  at: number,
): ArrivalTopology {
  const layers = [
    { direction: 'both', hops: Math.max(NEAR_HOPS, CHAIN_HOPS) },
    { direction: 'up', hops: UPSTREAM_HOPS - NEAR_HOPS },
  ] as const;
  const graph = pastAround(db, { tenant, asOf: at, literal: false, strict: false }, ciId, layers);
  return around(graph, graph.nodes.get(ciId)!, PRESENT, topology.count, { from: -Infinity, to: Infinity });
}

/** The topology around a CI as of an event's time (decision 3); undefined when there is no such CI. */
export function aroundAt(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  at: number,
): ArrivalTopology | undefined {
  const node = nodeAt(topology, ciId, at);
  if (node === undefined) return undefined;
  const known = topology.cache.get(node, at);
  if (known !== undefined) return known;
  if (at < topology.forgotten) return forgottenAround(db, topology, tenant, ciId, at);
  const era = { from: topology.forgotten, to: topology.graph.ended.get(node) ?? Infinity };
  const found = around(topology.graph, node, at, topology.count, era);
  topology.cache.put(node, era, found);
  return found;
}

type HoodOptions = Parameters<TopologyStore['neighbourhood']>[2];
type PathOptions = Parameters<TopologyStore['path']>[3];

/** The times at which memory shows what there was, taken literally. */
const isPresent = (topology: TenantTopology, asOf: number | undefined): boolean =>
  asOf === undefined || asOf >= topology.changedAt;

/** The CI as it was; a fault when it was not. */
function startOf(db: Statements, tenant: string, ciId: string, asOf: number | undefined): Ci {
  const [ci] = asOf === undefined ? readCis(db, tenant, [ciId]) : readCisAsOf(db, tenant, [ciId], asOf);
  if (ci === undefined) throw notFound('CI', ciId);
  return ci;
}

function hoodIn(
  db: Statements,
  topology: TenantTopology,
  graph: Graph,
  tenant: string,
  ciId: string,
  options: HoodOptions,
): Hood {
  const start = graph.nodes.get(ciId)!;
  const { near, truncated } = areaAround(graph, start, options, PRESENT);
  const nodes = [start, ...near.map(({ ci }) => graph.nodes.get(ci)!)];
  const ends = edgesAmong(graph, nodes, { ...options, limit: SHOWN_EDGES }, PRESENT);
  const shown = ends.slice(0, SHOWN_EDGES);
  const { asOf } = options;
  const edges = asOf === undefined ? readEdges(db, tenant, shown) : readEdgesAsOf(db, tenant, shown, asOf);
  return { nodes: named(db, topology, tenant, near, asOf), edges, truncated: truncated || ends.length > SHOWN_EDGES };
}

function named(
  db: Statements,
  { graph, names, types }: TenantTopology,
  tenant: string,
  near: ReturnType<typeof areaAround>['near'],
  asOf: number | undefined,
): Hood['nodes'] {
  if (asOf === undefined)
    return near.map((one) => ({
      ...one,
      name: names[graph.nodes.get(one.ci)!]!,
      type: types[graph.nodes.get(one.ci)!]!,
    }));
  const cis = new Map(
    readCisAsOf(
      db,
      tenant,
      near.map(({ ci }) => ci),
      asOf,
    ).map((ci) => [ci.id, ci]),
  );
  return near.map((one) => ({ ...one, name: cis.get(one.ci)?.name ?? '', type: cis.get(one.ci)?.type ?? '' }));
}

export function neighbourhood(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  ciId: string,
  options: HoodOptions,
): Hood {
  const { asOf, hops, direction } = options;
  startOf(db, tenant, ciId, asOf);
  if (asOf === undefined || isPresent(topology, asOf))
    return hoodIn(db, topology, topology.graph, tenant, ciId, options);
  const layers = [
    { direction, hops },
    { direction: 'both', hops: 1 },
  ] as const;
  const past = pastAround(db, { tenant, asOf, literal: true, strict: true }, ciId, layers);
  return hoodIn(db, topology, past, tenant, ciId, options);
}

export function path(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  from: string,
  to: string,
  options: PathOptions,
): readonly string[] | null {
  const { asOf, direction, maxHops: hops } = options;
  const ends = asOf === undefined ? readCis(db, tenant, [from, to]) : readCisAsOf(db, tenant, [from, to], asOf);
  if (ends.length < 2) return null;
  const graph =
    asOf === undefined || isPresent(topology, asOf)
      ? topology.graph
      : pastAround(db, { tenant, asOf, literal: true, strict: true }, from, [{ direction, hops }]);
  const target = graph.nodes.get(to);
  if (target === undefined) return null;
  return wayBetween(graph, graph.nodes.get(from)!, target, { ...options, hops }, PRESENT);
}
