import { requirePermission } from '#application/access/require-permission.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { entryOf, itemAt } from '#domain/known.ts';
import { INFRASTRUCTURE_PORTS } from '#features/analyzer/rules/communities/links.ts';
import {
  connectedSigns,
  FOUND_FROM,
  type Sought,
  type SoughtSign,
  scoreOf,
  soughtOf,
  soughtSigns,
} from '#features/analyzer/rules/servers/sought.ts';
import type { AnalyzerContext } from '#features/analyzer/use-cases/context.ts';
import type { ConnectionGroup } from '#features/discovery/rules/network.ts';
import type { DiscoverAsked } from './asked.ts';
import { candidatesFor } from './candidates.ts';
import { connectionsOf, type ServerConnection } from './connections.ts';
import { type Machine, machines, seenServer } from './machines.ts';

const MOST_SERVERS = 500;
/** Addresses that found machines connect to and that are looked up, those with the most connections. */
const MOST_PEERS = 500;
/** A literal of fewer characters would match almost every name. */
const SHORTEST_LITERAL = 2;

/** A machine with what speaks for it. */
interface FoundServer {
  readonly machine: Machine;
  readonly score: number;
  readonly matched: readonly string[];
}
export interface DiscoveredServers {
  /** Those that were given first, then the surest. */
  readonly servers: readonly FoundServer[];
  readonly connections: readonly ServerConnection[];
  /** There may be more than was looked at, or is told. */
  readonly truncated: boolean;
}

interface Candidate {
  readonly machine: Machine;
  readonly signs: readonly SoughtSign[];
  readonly isGiven: boolean;
}

/** Throws Fault `invalid` for patterns that match almost everything, and for servers that are not there. */
async function requireSense({ tenant, ports }: AnalyzerContext, { seeds }: DiscoverAsked, { hosts }: Sought) {
  const wide = hosts.find(({ literal }) => literal.length < SHORTEST_LITERAL);
  if (wide !== undefined)
    throw invalid(
      'searchPatterns.hostnames',
      `expected ${SHORTEST_LITERAL} letters or more in a row; got "${wide.text}"`,
    );
  const known = new Set((await ports.topology.getCis(tenant, [...seeds])).map(({ id }) => id));
  const problems = seeds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `existingServerIds[${index}]`, reason: `no configuration item has the id ${id}` }],
  );
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
}

/** Machines for which something speaks by itself, and those that were given. */
async function ownCandidates(context: AnalyzerContext, asked: DiscoverAsked, sought: Sought, ids: readonly string[]) {
  const given = new Set(asked.seeds);
  const found = new Map<string, Candidate>();
  for await (const machine of machines(context, [...new Set([...asked.seeds, ...ids])], asked.timeRange)) {
    const { id } = machine.ci;
    const signs = soughtSigns(sought, seenServer(machine, asked.timeRange));
    if (given.has(id) || scoreOf(signs) >= FOUND_FROM) found.set(id, { machine, signs, isGiven: given.has(id) });
  }
  return found;
}

/** Shared targets of all machines, such as name servers, bind none together. */
const isTelling = ({ ports }: ConnectionGroup): boolean =>
  ports.length === 0 || ports.some((port) => !INFRASTRUCTURE_PORTS.has(port));

const addressesOf = (found: ReadonlyMap<string, Candidate>): ReadonlyMap<string, string> =>
  new Map([...found].toReversed().flatMap(([id, { machine }]) => machine.addresses.map((address) => [address, id])));

/** Connections to the found machines, by id. */
class Connected {
  readonly #with = new Map<string, Set<string>>();

  add(id: string, found: string): void {
    if (id === found) return;
    const known = this.#with.get(id);
    if (known === undefined) this.#with.set(id, new Set([found]));
    else known.add(found);
  }

  of(id: string): readonly string[] {
    return [...(this.#with.get(id) ?? [])];
  }
}

/** CIs at the addresses that found machines connect to, with the machines that do. */
async function peersOf({ tenant, ports }: AnalyzerContext, callers: ReadonlyMap<string, ReadonlySet<string>>) {
  const addresses = [...callers].sort((a, b) => b[1].size - a[1].size).slice(0, MOST_PEERS);
  const bindings = await ports.matcher.bind(
    tenant,
    addresses.map(([ipAddress]) => ({ ipAddress })),
  );
  return addresses.flatMap(([, from], i) => {
    const ci = itemAt(bindings, i).ci;
    return ci === null ? [] : [{ id: ci.id, from }];
  });
}

/** Adds machines that are connected to several of those that were found, and tells who is connected to whom. */
async function withPeers(
  context: AnalyzerContext,
  range: DiscoverAsked['timeRange'],
  found: Map<string, Candidate>,
): Promise<Connected> {
  const connected = new Connected();
  const byAddress = addressesOf(found);
  const callers = new Map<string, Set<string>>();
  const look = (id: string, machine: Machine, strange: (address: string) => void): void => {
    for (const group of machine.network.connections.filter(isTelling)) {
      const target = byAddress.get(group.targetIp);
      if (target === undefined) strange(group.targetIp);
      else {
        connected.add(id, target);
        if (found.has(id)) connected.add(target, id);
      }
    }
  };
  for (const [id, { machine }] of found)
    look(id, machine, (address) => callers.set(address, (callers.get(address) ?? new Set()).add(id)));
  const peers = await peersOf(context, callers);
  for (const { id, from } of peers) for (const caller of from) connected.add(id, caller);
  const strange = [...new Set(peers.map(({ id }) => id))].filter((id) => !found.has(id));
  const added: [string, Candidate][] = [];
  for await (const machine of machines(context, strange, range)) {
    look(machine.ci.id, machine, () => undefined);
    added.push([machine.ci.id, { machine, signs: [], isGiven: false }]);
  }
  for (const [id, candidate] of added) found.set(id, candidate);
  return connected;
}

function judged(found: ReadonlyMap<string, Candidate>, connected: Connected): FoundServer[] {
  const servers = [...found].flatMap(([id, { machine, signs, isGiven }]): (FoundServer & { isGiven: boolean })[] => {
    const others = connected.of(id).map((other) => entryOf(found, other).machine.hostname);
    const all = [...signs, ...connectedSigns(others)];
    const score = isGiven ? 1 : scoreOf(all);
    if (score < FOUND_FROM) return [];
    return [{ machine, isGiven, score, matched: [...(isGiven ? ['was given'] : []), ...all.map(({ text }) => text)] }];
  });
  return servers.sort(
    (a, b) =>
      Number(b.isGiven) - Number(a.isGiven) || b.score - a.score || (a.machine.ci.id < b.machine.ci.id ? -1 : 1),
  );
}

/** The servers that what is looked for runs on, and who connects to whom. Rules answer all of it; nothing is stored. Throws Fault `invalid`. */
export async function discoverServers(context: AnalyzerContext, asked: DiscoverAsked): Promise<DiscoveredServers> {
  requirePermission(context, 'cmdb.read');
  const sought = soughtOf(asked);
  await requireSense(context, asked, sought);
  const candidates = await candidatesFor(context, sought);
  const found = await ownCandidates(context, asked, sought, candidates.ids);
  const connected = await withPeers(context, asked.timeRange, found);
  const all = judged(found, connected);
  const servers = all.slice(0, MOST_SERVERS);
  const links = await connectionsOf(
    context,
    servers.map(({ machine }) => machine),
    asked.includeAll,
  );
  return {
    servers,
    connections: links.connections,
    truncated: candidates.truncated || all.length > MOST_SERVERS || links.truncated,
  };
}
