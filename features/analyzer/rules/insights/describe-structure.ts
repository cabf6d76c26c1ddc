import { firstItem } from '#domain/assert.ts';
import { capital } from '#domain/text.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import { roleWords, TIERS, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { MappedServer, Structure } from '#features/analyzer/rules/servers/structure.ts';
import type { ServiceView } from './service-view.ts';

const NAMED = 3;
const MAX_DEPENDENCIES = 50;

export const names = (servers: readonly { readonly hostname: string }[]): string =>
  enumeration(
    servers.map(({ hostname }) => hostname),
    NAMED,
  );

const inTier = ({ servers }: Structure, tier: Tier): MappedServer[] => servers.filter((one) => one.tier === tier);

/** `3 × web server, 1 × load balancer` */
const rolesOf = (servers: readonly MappedServer[]): string =>
  [...Map.groupBy(servers, ({ role }) => role)]
    .map(([role, { length }]) => `${length} × ${roleWords(role)}`)
    .join(', ');

/** `The service has 5 servers: 3 in the frontend tier (…) …, connected by 5 pairs.` */
export function architectureOf(structure: Structure): string {
  const { serverCount, connectionCount } = structure.metrics;
  const tiers = TIERS.map((tier) => [tier, inTier(structure, tier)] as const).filter(([, own]) => own.length > 0);
  const told = tiers.map(([tier, own]) => `${own.length} in the ${tier} tier (${rolesOf(own)})`);
  const where = told.length === 0 ? 'none with a clear tier' : told.join(', ');
  return `The service has ${counted(serverCount, 'server')}: ${where}; ${counted(connectionCount, 'pair')} of them connected.`;
}

/** The meaning of no finding: where no connection is known, nothing was looked at. */
function noPointOf({ metrics: { connectionCount, serverCount }, graph }: Structure): string {
  if (connectionCount === 0) return 'single points of failure are unknown: no connections between the servers';
  const connected = new Set(graph.pairs.flat()).size;
  const among =
    connected < serverCount ? ` among the ${connected} of ${serverCount} servers with known connections` : '';
  return `no single point of failure was found${among}`;
}

/** Lists tiers on a single server, and tiers on several. */
export function redundancyOf({ structure, risks }: ServiceView): string {
  const single = TIERS.flatMap((tier) => {
    const own = inTier(structure, tier);
    return own.length === 1 ? [`${tier} (${firstItem(own).hostname})`] : [];
  });
  const several = TIERS.filter((tier) => inTier(structure, tier).length > 1);
  const points = risks.filter(({ kind }) => kind === 'single_point' || kind === 'single_data_node');
  const parts = [
    ...(several.length === 0 ? [] : [`More than one server in: ${several.join(', ')}`]),
    ...(single.length === 0 ? [] : [`a single server in: ${single.join(', ')}`]),
    points.length === 0
      ? noPointOf(structure)
      : `no redundancy for ${names(points.map(({ servers }) => firstItem(servers)))}`,
  ];
  const text = parts.join('; ');
  return `${capital(text)}.`;
}

/** The growth of each tier. */
export function scalabilityOf(structure: Structure): string {
  const told = TIERS.flatMap((tier) => {
    const own = inTier(structure, tier);
    if (own.length === 0 || tier === 'infrastructure') return [];
    return own.length === 1
      ? [`the ${tier} tier is ${firstItem(own).hostname} alone and scales only vertically`]
      : [`the ${tier} tier is spread over ${own.length} servers`];
  });
  if (told.length === 0) return 'Scalability unknown: no server has a clear tier.';
  const text = told.join('; ');
  return `${capital(text)}. Load data is not available.`;
}

/** `app-1 depends on db-1 (database, port 5432)`, from the tiers above to those below. */
export function dependenciesOf({ servers, links }: Structure): string[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const rank = ({ tier }: MappedServer): number => (tier === 'unclassified' ? -1 : TIERS.indexOf(tier));
  const ports = new Map<string, { from: MappedServer; to: MappedServer; ports: Set<number> }>();
  for (const { source, target, port } of links) {
    const [from, to] = [byId.get(source ?? ''), byId.get(target ?? '')];
    if (from === undefined || to === undefined || rank(from) < 0 || rank(to) <= rank(from)) continue;
    const known = ports.get(`${source} ${target}`) ?? { from, to, ports: new Set() };
    if (port !== null) known.ports.add(port);
    ports.set(`${source} ${target}`, known);
  }
  return [...ports.values()].slice(0, MAX_DEPENDENCIES).map(({ from, to, ports: on }) => {
    const some = [...on].sort((a, b) => a - b).slice(0, NAMED);
    const where = some.length === 0 ? '' : `, port ${some.join(', ')}`;
    return `${from.hostname} depends on ${to.hostname} (${roleWords(to.role)}${where})`;
  });
}
