import { firstItem } from '#domain/assert.ts';
import { rounded } from '#domain/numbers.ts';
import { softwareNamed, softwareOnPort, softwareSeen } from '#features/analyzer/rules/catalogue/look-up.ts';
import { ROLES, roleWords, type ServerRole, TIERS, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Software } from '#features/analyzer/rules/catalogue/software.ts';
import { roleWordsIn } from './role-words.ts';
import { CLASSIFIED_FROM, type Classified, type RunningProcess, type Server, type ServerLink } from './server.ts';

/** Traffic of one server that indicates its role. */
interface Traffic {
  /** Ports on which others connect to it, with how many do. */
  readonly calledOn: ReadonlyMap<number, number>;
  /** Tiers of its targets, by port. */
  readonly calls: ReadonlySet<Tier>;
  /** Others connect to it, and all of them are outside. */
  readonly isCalledFromOutsideOnly: boolean;
  /** Targets by the agent that it asks there. */
  readonly agents: ReadonlyMap<string, number>;
}

const NO_TRAFFIC: Traffic = {
  calledOn: new Map(),
  calls: new Set(),
  isCalledFromOutsideOnly: false,
  agents: new Map(),
};

/** Chance of each role by port alone. Runtimes count as application servers; agents do not count. */
function rolesOnPort(port: number): ReadonlyMap<ServerRole, number> {
  const shares = new Map<ServerRole, number>();
  const software = softwareOnPort(port);
  for (const { role } of software) {
    const counted = role === 'runtime' ? 'application-server' : role;
    if (counted !== 'agent') shares.set(counted, (shares.get(counted) ?? 0) + 1 / software.length);
  }
  return shares;
}

/** The tier that the port most probably belongs to; null when it is not known, or belongs to agents. */
export function tierOfPort(port: number): Tier | null {
  const shares = new Map<Tier, number>();
  for (const [role, share] of rolesOnPort(port)) shares.set(ROLES[role], (shares.get(ROLES[role]) ?? 0) + share);
  const [best] = [...shares].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= 0.5 ? best[0] : null;
}

interface Collected {
  readonly callers: Map<number, Set<string | null>>;
  readonly calls: Set<Tier>;
  readonly agents: Map<string, Set<string | null>>;
  inside: number;
  outside: number;
}

const collected = (): Collected => ({ callers: new Map(), calls: new Set(), agents: new Map(), inside: 0, outside: 0 });

const addTo = <K>(sets: Map<K, Set<string | null>>, key: K, value: string | null): void => {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
};

function addCall(from: Collected, target: string | null, port: number): void {
  const software = softwareOnPort(port);
  const [first] = software;
  if (first !== undefined && software.every(({ role }) => role === 'agent')) addTo(from.agents, first.id, target);
  const tier = tierOfPort(port);
  if (tier !== null) from.calls.add(tier);
}

const sizes = <K>(sets: ReadonlyMap<K, ReadonlySet<string | null>>): ReadonlyMap<K, number> =>
  new Map([...sets].map(([key, values]) => [key, values.size]));

/** The evidence of the links about each server; in time linear in both. */
function trafficOf(servers: readonly Server[], links: readonly ServerLink[]): (id: string) => Traffic {
  const all = new Map(servers.map(({ id }) => [id, collected()]));
  for (const { source, target, port } of links) {
    if (source !== null && source === target) continue;
    const [from, to] = [all.get(source ?? ''), all.get(target ?? '')];
    if (from !== undefined && port !== null) addCall(from, target, port);
    if (to === undefined) continue;
    if (port !== null) addTo(to.callers, port, source);
    if (from === undefined) to.outside += 1;
    else to.inside += 1;
  }
  return (id) => {
    const found = all.get(id);
    if (found === undefined) return NO_TRAFFIC;
    const { callers, calls, agents, inside, outside } = found;
    const isCalledFromOutsideOnly = outside > 0 && inside === 0;
    return { calledOn: sizes(callers), calls, isCalledFromOutsideOnly, agents: sizes(agents) };
  };
}

/** Something that speaks for a role, or against it; `weight` in units of log-odds. */
interface Sign {
  readonly role: ServerRole;
  readonly weight: number;
  readonly reason: string;
}

/** The largest weight of a sign of each kind; of several of one kind for the same role the heaviest counts. */
const WEIGHTS = { process: 2, runtime: 1, port: 1, installed: 1, word: 1, type: 1, traffic: 1 } as const;

/** Signs of software, shared out among the roles that it may have. */
function signsOf(found: readonly Software[], weight: number, reason: string): Sign[] {
  const roles = found.flatMap(({ role }) => (role === 'agent' ? [] : [role]));
  return [...new Set(roles)].map((role) => {
    const share = roles.filter((one) => one === role).length / found.length;
    const isRuntime = role === 'runtime';
    const most = isRuntime ? Math.min(weight, WEIGHTS.runtime) : weight;
    return { role: isRuntime ? 'application-server' : role, weight: most * share, reason };
  });
}

function processSigns({ name, port }: RunningProcess): Sign[] {
  const { found, isByPort } = softwareSeen({ process: name, port });
  const [only] = found.length === 1 ? found : [];
  const what = only === undefined ? '' : ` (${only.name})`;
  const where = port === null ? '' : ` on port ${port}`;
  const reason = name === null ? `listens${where}${what}` : `runs ${name}${where}${what}`;
  return signsOf(found, isByPort ? WEIGHTS.port : WEIGHTS.process, reason);
}

const softwareSigns = (name: string): Sign[] => {
  const software = softwareNamed(name);
  return software === null ? [] : signsOf([software], WEIGHTS.installed, `has ${software.name} installed`);
};

const wordSigns = (text: string, weight: number, where: string): Sign[] => {
  const all = roleWordsIn(text);
  return all.map(({ role, word }) => ({ role, weight: weight / all.length, reason: `${where} contains “${word}”` }));
};

/** The host name without its domain; an address has no words. */
const ownName = (hostname: string): string => (/^[\d.:]+$/.test(hostname) ? '' : firstItem(hostname.split('.')));

/** Minimum number of machines with the same agent target that form an environment. */
const MANY = 5;
/** Use by the callers of an agent. */
const CALLERS: Readonly<Record<string, ServerRole>> = {
  'node-exporter': 'monitoring',
  'zabbix-agent': 'monitoring',
  nrpe: 'monitoring',
  'snmp-agent': 'monitoring',
  'bacula-client': 'backup',
  openssh: 'delivery',
  winrm: 'delivery',
};

function agentSigns({ agents }: Traffic): Sign[] {
  return [...agents].flatMap(([agent, targets]) => {
    const role = CALLERS[agent];
    if (role === undefined || targets < MANY) return [];
    return [{ role, weight: WEIGHTS.traffic, reason: `connects to agents on ${targets} hosts` }];
  });
}

function callSigns({ calls, calledOn, isCalledFromOutsideOnly }: Traffic): Sign[] {
  const signs: Sign[] = [];
  const reason = (tier: Tier): string => `connects to ports of the ${tier} tier`;
  if (calls.has('data')) signs.push({ role: 'application-server', weight: WEIGHTS.traffic, reason: reason('data') });
  if (calls.has('application') && !calls.has('data'))
    signs.push({ role: 'web-server', weight: WEIGHTS.traffic, reason: reason('application') });
  if (isCalledFromOutsideOnly && (calledOn.has(443) || calledOn.has(80)))
    signs.push({ role: 'web-server', weight: WEIGHTS.traffic, reason: 'is accessed only from outside, on a web port' });
  return signs;
}

function calledSigns({ calledOn }: Traffic): Sign[] {
  return [...calledOn].flatMap(([port, callers]) => {
    const by = callers === 1 ? 'one host connects' : `${callers} hosts connect`;
    return [...rolesOnPort(port)].map(([role, share]) => ({
      role,
      weight: WEIGHTS.traffic * share,
      reason: `${by} to it on port ${port}`,
    }));
  });
}

const isData = (role: ServerRole): boolean => ROLES[role] === 'data';

/** A server that asks for data and is asked for none holds a store for itself at most. */
function againstData(traffic: Traffic, signs: readonly Sign[]): Sign[] {
  if (!traffic.calls.has('data')) return [];
  if ([...traffic.calledOn.keys()].some((port) => [...rolesOnPort(port).keys()].some(isData))) return [];
  const roles = new Set(signs.map(({ role }) => role).filter(isData));
  return [...roles].map((role) => ({
    role,
    weight: -WEIGHTS.traffic,
    reason: `connects to data stores of other servers, and none connects to its ${roleWords(role)}`,
  }));
}

/** The weightiest for each role. */
function strongest(signs: readonly Sign[]): Sign[] {
  const best = new Map<ServerRole, Sign>();
  for (const sign of signs) if (sign.weight > (best.get(sign.role)?.weight ?? 0)) best.set(sign.role, sign);
  return [...best.values()];
}

/** All that speaks for and against roles of a server: one sign of each kind and role. */
function signsFor({ hostname, type, software, processes }: Server, traffic: Traffic): Sign[] {
  const signs = [
    ...strongest([...processes.flatMap(processSigns), ...software.flatMap(softwareSigns)]),
    ...strongest(wordSigns(ownName(hostname), WEIGHTS.word, 'its name')),
    ...strongest(type === null ? [] : wordSigns(type, WEIGHTS.type, 'its type')),
    ...strongest([...callSigns(traffic), ...calledSigns(traffic), ...agentSigns(traffic)]),
  ];
  return [...signs, ...againstData(traffic, signs)];
}

const MAX_REASONS = 4;

/** Odds of each role against none of them: e^w − 1 with the sum w of its signs, so that a faint sign reduces no other role. */
function chances(signs: readonly Sign[]): ReadonlyMap<ServerRole, number> {
  const weights = new Map<ServerRole, number>();
  for (const { role, weight } of signs) weights.set(role, (weights.get(role) ?? 0) + weight);
  const odds = [...weights].map(([role, weight]) => [role, Math.max(0, Math.expm1(weight))] as const);
  const sum = odds.reduce((total, [, one]) => total + one, 1);
  return new Map(odds.map(([role, one]) => [role, one / sum]));
}

/** The most probable tier and its most probable role; roles of one tier speak for it together. */
function bestOf(byRole: ReadonlyMap<ServerRole, number>): { role: ServerRole; tier: Tier; chance: number } | null {
  const tiers = TIERS.map((tier) => {
    const own = [...byRole].filter(([role]) => ROLES[role] === tier);
    const [first] = own.sort((a, b) => b[1] - a[1]);
    return { tier, role: first?.[0] ?? null, chance: own.reduce((sum, [, chance]) => sum + chance, 0) };
  });
  const best = tiers.reduce((one, other) => (other.chance > one.chance ? other : one));
  return best.role === null ? null : { role: best.role, tier: best.tier, chance: best.chance };
}

function reasonsOf(signs: readonly Sign[], tier: Tier): string[] {
  const own = signs.filter(({ role, weight }) => ROLES[role] === tier && weight > 0);
  const sorted = own.sort((a, b) => b.weight - a.weight);
  return [...new Set(sorted.map(({ reason }) => reason))].slice(0, MAX_REASONS);
}

/** Classifies servers by software, names and connections; linear time. */
export function classify(servers: readonly Server[], links: readonly ServerLink[]): Classified[] {
  const traffic = trafficOf(servers, links);
  return servers.map((server): Classified => {
    const { id, hostname } = server;
    const signs = signsFor(server, traffic(id));
    const best = bestOf(chances(signs));
    const confidence = rounded(best?.chance ?? 0);
    const reasons = best === null ? [] : reasonsOf(signs, best.tier);
    if (best === null || confidence < CLASSIFIED_FROM)
      return { id, hostname, role: 'unclassified', tier: 'unclassified', confidence, reasons };
    return { id, hostname, role: best.role, tier: best.tier, confidence, reasons };
  });
}
