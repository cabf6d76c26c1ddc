import { entryOf, itemAt } from '#domain/assert.ts';
import type { ServerLink } from './server.ts';
import type { MappedServer, Structure } from './structure.ts';

/** Ports of protocols that are not encrypted, as they are usually set up. */
const CLEAR_TEXT: ReadonlyMap<number, string> = new Map([
  [21, 'FTP'],
  [23, 'Telnet'],
  [80, 'HTTP'],
  [110, 'POP3'],
  [143, 'IMAP'],
  [161, 'SNMP'],
  [389, 'LDAP'],
  [512, 'rexec'],
  [513, 'rlogin'],
  [514, 'syslog or rsh'],
  [1883, 'MQTT'],
  [5672, 'AMQP'],
  [8009, 'AJP'],
  [8080, 'HTTP'],
  [11211, 'Memcached'],
]);

export const RISK_KINDS = [
  'single_data_node',
  'single_point',
  'open_events',
  'frontend_to_data',
  'data_from_outside',
  'mixed_environments',
  'clear_text',
] as const;
export type RiskKind = (typeof RISK_KINDS)[number];
export const RISK_SEVERITIES = ['high', 'medium', 'low'] as const;

/** Knowledge about servers beside the map. */
export interface ServerFacts {
  /** `production` or `test`; null: not known. */
  environment(id: string): string | null;
  /** True if the CMDB has a redundant CI for it. */
  isRedundant(id: string): boolean;
  /** Open critical and major events; null: the caller may not read events. */
  severeEvents(id: string): number | null;
}

export interface Risk {
  readonly kind: RiskKind;
  readonly severity: (typeof RISK_SEVERITIES)[number];
  /** Servers that it is about, the first of them above all. */
  readonly servers: readonly MappedServer[];
  /** Text without the names. */
  readonly what: string;
  readonly recommendation: string;
  readonly certainty: 'fact' | 'likely' | 'possible';
}

/** Maximum number of risks shown per type. */
const MAX_OF_A_KIND = 5;

function neighboursIn({ graph }: Structure): (id: string) => ReadonlySet<string> {
  const neighbours = new Map<string, Set<string>>(graph.ids.map((id) => [id, new Set()]));
  for (const [from, to] of graph.pairs) {
    const [one, other] = [itemAt(graph.ids, from), itemAt(graph.ids, to)];
    entryOf(neighbours, one).add(other);
    entryOf(neighbours, other).add(one);
  }
  return (id) => entryOf(neighbours, id);
}

/** Another server of the same role and tier shares a neighbour with it. */
const hasPeer = (
  server: MappedServer,
  servers: readonly MappedServer[],
  neighboursOf: (id: string) => ReadonlySet<string>,
): boolean =>
  servers.some(
    ({ id, role, tier }) =>
      id !== server.id &&
      role === server.role &&
      role !== 'unclassified' &&
      tier === server.tier &&
      [...neighboursOf(id)].some((one) => neighboursOf(server.id).has(one)),
  );

function singlePoints(structure: Structure, facts: ServerFacts): Risk[] {
  const { servers, joints, centrality } = structure;
  const neighboursOf = neighboursIn(structure);
  const alone = servers
    .filter((server) => joints.has(server.id) && !facts.isRedundant(server.id))
    .filter((server) => !hasPeer(server, servers, neighboursOf))
    .sort((a, b) => centrality(b.id) - centrality(a.id));
  return alone.slice(0, MAX_OF_A_KIND).map((server) => ({
    kind: 'single_point',
    severity: 'high',
    servers: [server],
    certainty: 'likely',
    what: 'is a single point of failure: without it, parts of the service are disconnected',
    recommendation: 'Add a redundant instance, or add it to an existing redundancy group',
  }));
}

function singleDataNode({ servers, links }: Structure, facts: ServerFacts): Risk[] {
  const [only, ...others] = servers.filter(({ tier }) => tier === 'data');
  if (only === undefined || others.length > 0 || facts.isRedundant(only.id)) return [];
  if (!links.some(({ target, source }) => target === only.id && source !== only.id)) return [];
  return [
    {
      kind: 'single_data_node',
      severity: 'high',
      servers: [only],
      certainty: 'likely',
      what: 'is the only data server: losing it stops the service and may lose data',
      recommendation: 'Add a replica for failover, and test restoring from backup',
    },
  ];
}

const openEvents = ({ servers }: Structure, { severeEvents }: ServerFacts): Risk[] =>
  servers
    .map((server) => ({ server, open: severeEvents(server.id) ?? 0 }))
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open)
    .slice(0, MAX_OF_A_KIND)
    .map(({ server, open }) => ({
      kind: 'open_events',
      severity: 'high',
      servers: [server],
      certainty: 'fact',
      what: `has ${open} open ${open === 1 ? 'event' : 'events'} of severity critical or major`,
      recommendation: 'Resolve its open events first',
    }));

interface ServerPair {
  readonly from: MappedServer;
  readonly to: MappedServer;
  readonly port: number | null;
}

/** Links between two servers, each once per port. */
function pairsOf({ servers, links }: Structure): ServerPair[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const found = new Map<string, ServerPair>();
  for (const { source, target, port } of links) {
    const [from, to] = [byId.get(source ?? ''), byId.get(target ?? '')];
    if (from !== undefined && to !== undefined && from !== to)
      found.set(`${source} ${target} ${port}`, { from, to, port });
  }
  return [...found.values()];
}

/** Each pair once, whatever the ports. */
const oncePerPair = (pairs: readonly ServerPair[]): ServerPair[] => [
  ...new Map(pairs.map((pair) => [`${pair.from.id} ${pair.to.id}`, pair])).values(),
];

const frontendToData = (pairs: readonly ServerPair[]): Risk[] =>
  oncePerPair(pairs.filter(({ from, to }) => from.tier === 'frontend' && to.tier === 'data'))
    .slice(0, MAX_OF_A_KIND)
    .map(({ from, to }) => ({
      kind: 'frontend_to_data',
      severity: 'medium',
      servers: [from, to],
      certainty: 'fact',
      what: `connects to ${to.hostname} directly, bypassing the application tier`,
      recommendation: 'Restrict data access to the application tier and block this path in the firewall',
    }));

function mixedEnvironments(pairs: readonly ServerPair[], { environment }: ServerFacts): Risk[] {
  const mixed = oncePerPair(pairs).filter(({ from, to }) => {
    const [one, other] = [environment(from.id), environment(to.id)];
    return one !== null && other !== null && one !== other;
  });
  return mixed.slice(0, MAX_OF_A_KIND).map(({ from, to }) => ({
    kind: 'mixed_environments',
    severity: 'medium',
    servers: [from, to],
    certainty: 'likely',
    what: `(${environment(from.id)}) connects to ${to.hostname} (${environment(to.id)})`,
    recommendation: 'Separate production and test',
  }));
}

function clearText(pairs: readonly ServerPair[]): Risk[] {
  const clear = pairs.flatMap(({ port, ...ends }) =>
    port !== null && CLEAR_TEXT.has(port) ? [{ port, ...ends }] : [],
  );
  const ports = Map.groupBy(clear, ({ port }) => port);
  return [...ports].slice(0, MAX_OF_A_KIND).map(([port, those]) => {
    const servers = [...new Set(those.map(({ to }) => to))];
    const asked = servers.length === 1 ? 'is accessed' : 'are accessed';
    const what = `${asked} on port ${port}, which is ${CLEAR_TEXT.get(port)} and usually not encrypted`;
    const recommendation = `Use the encrypted form of ${CLEAR_TEXT.get(port)}`;
    return { kind: 'clear_text', severity: 'low', servers, what, recommendation, certainty: 'possible' };
  });
}

function dataFromOutside({ servers, links }: Structure): Risk[] {
  const own = new Set(servers.map(({ id }) => id));
  const isOutside = ({ source }: ServerLink): boolean => source === null || !own.has(source);
  const asked = new Set(links.filter(isOutside).map(({ target }) => target));
  return servers
    .filter(({ id, tier }) => tier === 'data' && asked.has(id))
    .slice(0, MAX_OF_A_KIND)
    .map((server) => ({
      kind: 'data_from_outside',
      severity: 'medium',
      servers: [server],
      certainty: 'likely',
      what: 'holds data and is accessed from outside the service',
      recommendation: 'Identify them: they belong to the service or depend on it',
    }));
}

/** Weaknesses of a service as it is built, the worst first. */
export function risksOf(structure: Structure, facts: ServerFacts): Risk[] {
  const pairs = pairsOf(structure);
  const data = singleDataNode(structure, facts);
  const points = singlePoints(structure, facts).filter(({ servers: [one] }) => data[0]?.servers[0] !== one);
  return [
    ...data,
    ...points,
    ...openEvents(structure, facts),
    ...frontendToData(pairs),
    ...dataFromOutside(structure),
    ...mixedEnvironments(pairs, facts),
    ...clearText(pairs),
  ];
}
