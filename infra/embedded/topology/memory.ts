/** The topology of one tenant in memory: what walks and binding need, and nothing else. Changed after commits only. */
import { entryOf, float64At } from '#domain/assert.ts';
import { addToDirectory, type Directory, dropFromDirectory, emptyDirectory } from '#domain/topology/binding.ts';
import { addEdge, dropEdge, type EdgeFacts, endEdge, liveEdge } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph, type Graph } from '#domain/topology/graph/graph.ts';
import type { Lookup } from '#domain/topology/lookup.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import type { Redundancy } from '#domain/topology/topology.ts';
import type { AroundCache } from './cache.ts';

/** Ended relationships held in memory per tenant; walks further back read the file. */
export const HISTORY_IN_MEMORY = 200_000;

export interface TenantTopology {
  readonly graph: Graph;
  readonly directory: Directory;
  /** Names by node. */
  readonly names: string[];
  readonly types: string[];
  /** Type names are few: all nodes share one text per type. */
  readonly typeTexts: Map<string, string>;
  readonly cache: AroundCache;
  /** Maintenance of the few living CIs with such data, by node. */
  readonly maintenance: Map<number, CiMaintenance>;
  /** Redundancy of the living edges that have one, by slot. */
  readonly redundancy: Map<number, Redundancy>;
  /** Ended edges, oldest first. */
  ended: number[];
  /** Time before which memory is incomplete. */
  forgotten: number;
  /** CIs of today. */
  count: number;
}

export const emptyTenant = (cache: AroundCache, nodes?: number, edges?: number): TenantTopology => ({
  graph: emptyGraph(nodes, edges),
  directory: emptyDirectory(),
  names: [],
  types: [],
  typeTexts: new Map(),
  cache,
  maintenance: new Map(),
  redundancy: new Map(),
  ended: [],
  forgotten: -Infinity,
  count: 0,
});

const sharedType = ({ typeTexts }: TenantTopology, type: string): string => {
  const known = typeTexts.get(type);
  if (known === undefined) typeTexts.set(type, type);
  return known ?? type;
};

export interface NodeFacts {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly lookup: Lookup;
  readonly maintenance: CiMaintenance | null;
}

/** The node of a CI that exists now. */
export const liveNode = (topology: TenantTopology, id: string): number | undefined => {
  const node = topology.graph.nodes.get(id);
  return node === undefined || topology.graph.ended.has(node) ? undefined : node;
};

export function rememberCi(topology: TenantTopology, ci: NodeFacts, before: Lookup | null): void {
  if (liveNode(topology, ci.id) === undefined) topology.count += 1;
  const node = addNode(topology.graph, ci.id);
  topology.names[node] = ci.name;
  topology.types[node] = sharedType(topology, ci.type);
  if (ci.maintenance === null) topology.maintenance.delete(node);
  else topology.maintenance.set(node, ci.maintenance);
  if (before !== null) dropFromDirectory(topology.directory, node, before);
  addToDirectory(topology.directory, node, ci.lookup);
}

export function forgetCi(topology: TenantTopology, id: string, before: Lookup, at: number): void {
  const node = liveNode(topology, id);
  if (node === undefined) return;
  dropFromDirectory(topology.directory, node, before);
  topology.graph.ended.set(node, at);
  topology.maintenance.delete(node);
  topology.count -= 1;
}

export interface EndsAndType {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly critical: boolean;
  readonly redundancy?: Redundancy | null;
}

/** A relationship as it is stored; memory has no proposed ones. */
export interface StoredEnds extends EndsAndType {
  readonly isProposed: boolean;
}

/** False when an end is not in memory. */
export function rememberEdge(
  topology: TenantTopology,
  edge: EndsAndType,
  times: Pick<EdgeFacts, 'since' | 'until'>,
): boolean {
  const { graph } = topology;
  const source = graph.nodes.get(edge.source);
  const target = graph.nodes.get(edge.target);
  if (source === undefined || target === undefined) return false;
  const slot = addEdge(graph, source, target, { type: edge.type, critical: edge.critical, ...times });
  if (times.until !== Infinity) topology.ended.push(slot);
  else if (edge.redundancy) topology.redundancy.set(slot, edge.redundancy);
  return true;
}

export function endRelationship(topology: TenantTopology, edge: EndsAndType, at: number): void {
  const { graph } = topology;
  const slot = liveEdge(graph, entryOf(graph.nodes, edge.source), entryOf(graph.nodes, edge.target), edge.type);
  if (slot === -1) return;
  endEdge(graph, slot, at);
  topology.redundancy.delete(slot);
  topology.ended.push(slot);
}

/** Drops the oldest tenth of the past in one go when there is too much of it. */
export function forgetOldest(topology: TenantTopology, limit: number): void {
  if (topology.ended.length <= limit) return;
  const surplus = topology.ended.length - Math.floor(limit * 0.9);
  for (const slot of topology.ended.slice(0, surplus)) {
    topology.forgotten = Math.max(topology.forgotten, float64At(topology.graph.until, slot));
    dropEdge(topology.graph, slot);
  }
  topology.ended = topology.ended.slice(surplus);
}
