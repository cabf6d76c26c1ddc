import { itemAt } from '#domain/assert.ts';
import { TIERS, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import { articulationPoints } from '#features/analyzer/rules/graph/articulation.ts';
import type { ServerLink } from './server.ts';
import { ownLinks, type ServiceGraph, serviceGraph } from './service-graph.ts';

/** A server as its map shows it; roles that the analyzer does not know stay as they are called. */
export interface MappedServer {
  readonly id: string;
  readonly hostname: string;
  readonly role: string;
  readonly tier: Tier | 'unclassified';
}

interface CriticalNode extends MappedServer {
  /** Servers that it is connected to, counted once for each direction. */
  readonly connectionCount: number;
  /** 0 to 1, three digits. */
  readonly betweenness: number;
}

interface StructureMetrics {
  readonly serverCount: number;
  /** Servers that connect to another one, as pairs. */
  readonly connectionCount: number;
  /** Share of all pairs in both directions, 0 to 1. */
  readonly connectionDensity: number;
  readonly tierDistribution: Readonly<Record<Tier | 'unclassified', number>>;
  /** The most central first. */
  readonly criticalNodes: readonly CriticalNode[];
}

const MAX_CRITICAL = 5;

/** All that is known of how servers hang together. */
export interface Structure {
  readonly servers: readonly MappedServer[];
  readonly links: readonly ServerLink[];
  /** Graph of the links within the service, without its support systems. */
  readonly graph: ServiceGraph;
  /** Servers without which others are cut off from each other. */
  readonly joints: ReadonlySet<string>;
  readonly centrality: (id: string) => number;
  readonly metrics: StructureMetrics;
}

const atPlaces = (value: number, digits: number): number => Number(value.toFixed(digits));

function degrees({ ids, pairs }: ServiceGraph): (id: string) => number {
  const counts = new Map<string, number>();
  for (const pair of pairs)
    for (const place of pair) counts.set(itemAt(ids, place), (counts.get(itemAt(ids, place)) ?? 0) + 1);
  return (id) => counts.get(id) ?? 0;
}

function criticalNodes(servers: readonly MappedServer[], graph: ServiceGraph, centrality: (id: string) => number) {
  const degreeOf = degrees(graph);
  return servers
    .map(({ id, hostname, role, tier }): CriticalNode => {
      const [connectionCount, betweenness] = [degreeOf(id), atPlaces(centrality(id), 3)];
      return { id, hostname, role, tier, connectionCount, betweenness };
    })
    .filter(({ betweenness }) => betweenness > 0)
    .sort((a, b) => b.betweenness - a.betweenness || b.connectionCount - a.connectionCount)
    .slice(0, MAX_CRITICAL);
}

const idsOf = (servers: readonly MappedServer[]): string[] => servers.map(({ id }) => id);

/** The graph of which `structureOf` wants the betweenness. */
export const ownGraph = (servers: readonly MappedServer[], links: readonly ServerLink[]): ServiceGraph =>
  serviceGraph(idsOf(servers), ownLinks(servers, links));

/** The structure of a service; `centrality` is the betweenness in its own graph. */
export function structureOf(
  servers: readonly MappedServer[],
  links: readonly ServerLink[],
  centrality: (id: string) => number,
): Structure {
  const graph = ownGraph(servers, links);
  const all = serviceGraph(idsOf(servers), links);
  const [n, edges] = [servers.length, all.pairs.length];
  const count = (tier: MappedServer['tier']): number => servers.filter((server) => server.tier === tier).length;
  const tiers = [...TIERS, 'unclassified'] as const;
  return {
    servers,
    links,
    graph,
    centrality,
    joints: new Set([...articulationPoints(graph.undirected)].map((place) => itemAt(graph.ids, place))),
    metrics: {
      serverCount: n,
      connectionCount: edges,
      connectionDensity: n < 2 ? 0 : atPlaces(edges / (n * (n - 1)), 4),
      tierDistribution: Object.fromEntries(
        tiers.map((tier) => [tier, count(tier)]),
      ) as StructureMetrics['tierDistribution'],
      criticalNodes: criticalNodes(servers, all, centrality),
    },
  };
}
