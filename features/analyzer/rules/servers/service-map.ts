import { roleWords, SUPPORT_ROLES, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Classified, ServerLink } from './server.ts';

interface TierOfService {
  readonly servers: readonly string[];
  readonly description: string;
}

/** A service as its servers show it; all of them by id. */
export interface ServiceMap {
  readonly tiers: Readonly<Record<Tier, TierOfService>>;
  readonly entryPoints: readonly string[];
  readonly coreSystems: readonly string[];
  readonly dependencies: readonly string[];
  readonly supportSystems: readonly string[];
  readonly unclassified: readonly string[];
}

/** Maximum number and minimum betweenness of core systems outside of the application tier. */
const CENTRAL = { most: 3, from: 0.1 } as const;
const NAMED = 3;

const idsOf = (servers: readonly Classified[]): string[] => servers.map(({ id }) => id);

/** `2 web servers and 1 load balancer: web-1, web-2 and lb-1` … */
function descriptionOf(servers: readonly Classified[]): string {
  if (servers.length === 0) return 'No servers in this tier.';
  const roles = [...Map.groupBy(servers, ({ role }) => role)].sort((a, b) => b[1].length - a[1].length);
  const counts = roles.map(([role, { length }]) => `${length} × ${roleWords(role)}`).join(', ');
  const names = servers.slice(0, NAMED).map(({ hostname }) => hostname);
  return `${counts}: ${names.join(', ')}${servers.length > NAMED ? ', …' : ''}`;
}

const tierOf = (servers: readonly Classified[]): TierOfService => ({
  servers: idsOf(servers),
  description: descriptionOf(servers),
});

const supports = ({ role }: Classified): boolean => role !== 'unclassified' && SUPPORT_ROLES.has(role);

/** Servers with callers among the others, and servers with external callers only. */
function callers(servers: readonly Classified[], links: readonly ServerLink[]) {
  const known = new Map(servers.map((server) => [server.id, server]));
  const [inside, outside, byService] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { source, target } of links) {
    if (target === null || source === target) continue;
    const caller = known.get(source ?? '');
    (caller === undefined ? outside : inside).add(target);
    if (caller?.tier === 'frontend' || caller?.tier === 'application') byService.add(target);
  }
  return { inside, outside, byService };
}

/** The most central servers, of those on a good part of all ways. */
const centralOf = (servers: readonly Classified[], centrality: (id: string) => number): string[] =>
  idsOf(servers.filter((server) => !supports(server) && centrality(server.id) >= CENTRAL.from))
    .sort((a, b) => centrality(b) - centrality(a))
    .slice(0, CENTRAL.most);

/** The place of each server in the service; `centrality` is its betweenness, 0 to 1. */
export function serviceMapOf(
  servers: readonly Classified[],
  links: readonly ServerLink[],
  centrality: (id: string) => number,
): ServiceMap {
  const { inside, outside, byService } = callers(servers, links);
  const own = (tier: Tier) => servers.filter((server) => server.tier === tier);
  const isEntry = ({ id, tier }: Classified): boolean => {
    const isFromOutsideOnly = outside.has(id) && !inside.has(id);
    return tier === 'frontend' || (isFromOutsideOnly && (tier === 'application' || tier === 'unclassified'));
  };
  const isNeeded = (server: Classified): boolean => {
    const serves = server.tier === 'data' || (server.tier === 'infrastructure' && !supports(server));
    return serves && (links.length === 0 || byService.has(server.id));
  };
  return {
    tiers: {
      frontend: tierOf(own('frontend')),
      application: tierOf(own('application')),
      data: tierOf(own('data')),
      infrastructure: tierOf(own('infrastructure')),
    },
    entryPoints: idsOf(servers.filter(isEntry)),
    coreSystems: [...new Set([...idsOf(own('application')), ...centralOf(servers, centrality)])],
    dependencies: idsOf(servers.filter(isNeeded)),
    supportSystems: idsOf(servers.filter(supports)),
    unclassified: idsOf(servers.filter(({ role }) => role === 'unclassified')),
  };
}
