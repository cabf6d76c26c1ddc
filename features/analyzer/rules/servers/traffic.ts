import { softwareOnPort } from '#features/analyzer/rules/catalogue/look-up.ts';
import { ROLES, type ServerRole, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Server, ServerLink } from './server.ts';

/** Of all that connects to or from one server, as far as it tells of its role. */
export interface Traffic {
  /** Ports on which others connect to it, with how many do. */
  readonly calledOn: ReadonlyMap<number, number>;
  /** Tiers of what it connects to, by the port. */
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

/** Chance of each role, as far as the port alone tells. Runtimes count as application servers, agents for nothing. */
export function rolesOnPort(port: number): ReadonlyMap<ServerRole, number> {
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
export function trafficOf(servers: readonly Server[], links: readonly ServerLink[]): (id: string) => Traffic {
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
