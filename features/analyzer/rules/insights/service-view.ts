import { entryOf, itemAt } from '#domain/assert.ts';
import type { Service } from '#domain/services/service.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type ServerRole, SUPPORT_ROLES } from '#features/analyzer/rules/catalogue/roles.ts';
import { type Risk, risksOf, type ServerFacts } from '#features/analyzer/rules/servers/risks.ts';
import type { MappedServer, Structure } from '#features/analyzer/rules/servers/structure.ts';
import type { NamedServer } from './server-item.ts';

/** Something that does not look as it does elsewhere. */
interface Anomaly {
  readonly kind: 'unclassified' | 'isolated' | 'reversed';
  readonly servers: readonly MappedServer[];
  /** Text without the names of the servers. */
  readonly what: string;
}

const are = (servers: readonly MappedServer[], one: string, several: string): string =>
  servers.length === 1 ? one : several;

function unclassified({ servers }: Structure): Anomaly[] {
  const open = servers.filter(({ tier }) => tier === 'unclassified');
  if (open.length === 0) return [];
  const what = are(open, 'has an unclear role', 'have unclear roles');
  return [{ kind: 'unclassified', servers: open, what }];
}

/** Only where there are connections at all. */
function isolated({ servers, links }: Structure): Anomaly[] {
  const ends = new Set(links.flatMap(({ source, target }) => (source === target ? [] : [source, target])));
  const alone = links.length === 0 ? [] : servers.filter(({ id }) => !ends.has(id));
  if (alone.length === 0) return [];
  return [{ kind: 'isolated', servers: alone, what: `${are(alone, 'has', 'have')} no connection to any other server` }];
}

/** A data tier calls no other tier, except for adjacent support servers. */
function reversed({ servers, graph }: Structure): Anomaly[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const found = new Map<string, Anomaly>();
  for (const [from, to] of graph.pairs) {
    const [source, target] = [entryOf(byId, itemAt(graph.ids, from)), entryOf(byId, itemAt(graph.ids, to))];
    if (source.tier !== 'data' || (target.tier !== 'frontend' && target.tier !== 'application')) continue;
    const what = `holds data and connects to ${target.hostname} of the ${target.tier} tier, against the normal direction`;
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

interface Bottleneck {
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

/** The impact of the servers beyond themselves. */
export interface ServiceImpact {
  /** Business services of the CMDB that stand on them. */
  readonly services: readonly Service[];
  /** CIs that are none of them, the nearest first. */
  readonly below: readonly NamedCi[];
  readonly truncated: boolean;
}

/** Input of the rules that describe a service. */
export interface ServiceView {
  readonly structure: Structure;
  readonly risks: readonly Risk[];
  readonly anomalies: readonly Anomaly[];
  readonly bottlenecks: readonly Bottleneck[];
  readonly impact: ServiceImpact;
  readonly namedOf: (id: string) => NamedServer;
  readonly description: string | null;
}

type ServiceBasis = Pick<ServiceView, 'structure' | 'impact' | 'namedOf' | 'description'>;

export const serviceView = (given: ServiceBasis, facts: ServerFacts): ServiceView => ({
  ...given,
  risks: risksOf(given.structure, facts),
  anomalies: anomaliesOf(given.structure),
  bottlenecks: bottlenecksOf(given.structure),
});
