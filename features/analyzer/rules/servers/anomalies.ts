import { entryOf, itemAt } from '#domain/known.ts';
import { type ServerRole, SUPPORT_ROLES } from '#features/analyzer/rules/catalogue/roles.ts';
import type { MappedServer, Structure } from './structure.ts';

/** Something that does not look as it does elsewhere. */
export interface Anomaly {
  readonly kind: 'unclassified' | 'isolated' | 'reversed';
  readonly servers: readonly MappedServer[];
  /** Without the names of the servers. */
  readonly what: string;
}

const are = (servers: readonly MappedServer[], one: string, several: string): string =>
  servers.length === 1 ? one : several;

function unclassified({ servers }: Structure): Anomaly[] {
  const open = servers.filter(({ tier }) => tier === 'unclassified');
  if (open.length === 0) return [];
  const what = are(open, 'has a role that is not clear', 'have roles that are not clear');
  return [{ kind: 'unclassified', servers: open, what }];
}

/** Only where there are connections at all. */
function isolated({ servers, links }: Structure): Anomaly[] {
  const ends = new Set(links.flatMap(({ source, target }) => (source === target ? [] : [source, target])));
  const alone = links.length === 0 ? [] : servers.filter(({ id }) => !ends.has(id));
  if (alone.length === 0) return [];
  return [{ kind: 'isolated', servers: alone, what: `${are(alone, 'has', 'have')} no connection to any other server` }];
}

/** Data asks nobody, but for what stands beside it. */
function reversed({ servers, graph }: Structure): Anomaly[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const found = new Map<string, Anomaly>();
  for (const [from, to] of graph.pairs) {
    const [source, target] = [entryOf(byId, itemAt(graph.ids, from)), entryOf(byId, itemAt(graph.ids, to))];
    if (source.tier !== 'data' || (target.tier !== 'frontend' && target.tier !== 'application')) continue;
    const what = `holds data and connects to ${target.hostname} of the ${target.tier} tier, against the usual direction`;
    if (!found.has(source.id)) found.set(source.id, { kind: 'reversed', servers: [source], what });
  }
  return [...found.values()];
}

export const anomaliesOf = (structure: Structure): Anomaly[] => [
  ...unclassified(structure),
  ...isolated(structure),
  ...reversed(structure),
];

const BOTTLENECK = { betweenness: 0.3, callers: 3, share: 0.5 } as const;

export interface Bottleneck {
  readonly server: MappedServer;
  /** Servers that connect to it. */
  readonly callers: number;
  readonly betweenness: number;
}

/** Servers of the service that most of the others go through, or that half of them ask. */
export function bottlenecksOf({ servers, graph, centrality }: Structure): Bottleneck[] {
  const callers = new Map<string, number>();
  for (const [, to] of graph.pairs) callers.set(itemAt(graph.ids, to), (callers.get(itemAt(graph.ids, to)) ?? 0) + 1);
  return servers
    .filter(({ role }) => !SUPPORT_ROLES.has(role as ServerRole))
    .map((server) => ({ server, callers: callers.get(server.id) ?? 0, betweenness: centrality(server.id) }))
    .filter(({ callers: count, betweenness }) => {
      const isAsked = count >= BOTTLENECK.callers && count >= BOTTLENECK.share * (servers.length - 1);
      return betweenness >= BOTTLENECK.betweenness || isAsked;
    })
    .sort((a, b) => b.betweenness - a.betweenness || b.callers - a.callers);
}
