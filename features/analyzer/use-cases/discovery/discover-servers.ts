import type { TenantContext, UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { edgesAround } from '#application/services/edges.ts';
import { entryOf, itemAt } from '#domain/assert.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { INFRASTRUCTURE_PORTS } from '#features/analyzer/rules/communities/links.ts';
import { belonging, type MachineLink } from '#features/analyzer/rules/servers/anchored.ts';
import type { Glob } from '#features/analyzer/rules/servers/glob.ts';
import {
  connectedSigns,
  FOUND_FROM,
  type MatchedSign,
  matchedSigns,
  type SearchCriteria,
  scoreOf,
  searchCriteriaOf,
} from '#features/analyzer/rules/servers/search-criteria.ts';
import type { AnalyzerContext } from '#features/analyzer/use-cases/context.ts';
import { type ConnectionGroup, listenerOn } from '#features/discovery/rules/network.ts';
import { portKeyword, processKeyword, softwareKeyword } from '#features/search/rules/keywords.ts';
import { indexDue } from '#features/search/use-cases/index-due.ts';
import type { DiscoverAsked } from './asked.ts';
import { type Machine, machines, seenServer } from './machines.ts';

const MAX_CONNECTIONS = 10_000;
/** Maximum number of addresses of unknown CIs looked up; others have no name. */
const MAX_LOOKED_UP = 5_000;

/** Targets of a process of a server. */
interface ServerConnection {
  /** Ids of CIs; null where none has the address. */
  readonly source: string;
  readonly target: string | null;
  readonly sourceHostname: string;
  /** The address where no CI has it. */
  readonly targetHostname: string;
  readonly process: string;
  readonly port: number | null;
  /** Null when the target was not seen to listen. */
  readonly protocol: string | null;
  readonly frequency: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

interface End {
  readonly id: string | null;
  readonly name: string;
  readonly machine: Machine | null;
}

const endsAmong = (servers: readonly Machine[]): Map<string, End> =>
  new Map(
    servers
      .toReversed()
      .flatMap((machine) =>
        machine.addresses.map((address) => [address, { id: machine.ci.id, name: machine.hostname, machine }] as const),
      ),
  );

/** The ends of connections that lead elsewhere, with their names where CIs have the addresses. */
async function endsElsewhere(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  servers: readonly Machine[],
  known: ReadonlyMap<string, End>,
): Promise<Map<string, End>> {
  const all = new Set(servers.flatMap(({ network }) => network.connections.map(({ targetIp }) => targetIp)));
  const addresses = [...all].filter((address) => !known.has(address)).slice(0, MAX_LOOKED_UP);
  const bindings = await ports.matcher.bind(
    tenant,
    addresses.map((ipAddress) => ({ ipAddress })),
  );
  return new Map(
    addresses.map((address, i) => {
      const { ci } = itemAt(bindings, i);
      return [address, { id: ci?.id ?? null, name: ci?.name ?? address, machine: null }];
    }),
  );
}

/** One line for each port; what was counted for all of them together is shared out. */
function linesOf(source: Machine, group: ConnectionGroup, { id, name, machine }: End): ServerConnection[] {
  const ports = group.ports.length === 0 ? [null] : group.ports;
  return ports.map((port) => ({
    source: source.ci.id,
    target: id,
    sourceHostname: source.hostname,
    targetHostname: name,
    process: group.process,
    port,
    protocol: port === null || machine === null ? null : (listenerOn(machine.network, port)?.protocol ?? null),
    frequency: Math.max(1, Math.round(group.count / ports.length)),
    firstSeen: group.firstSeen,
    lastSeen: group.lastSeen,
  }));
}

/** Connections among the servers; with `includeAll`, also external ones. */
async function connectionsOf(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  servers: readonly Machine[],
  includeAll: boolean,
): Promise<{ readonly connections: readonly ServerConnection[]; readonly truncated: boolean }> {
  const among = endsAmong(servers);
  const elsewhere = includeAll ? await endsElsewhere(asking, servers, among) : new Map<string, End>();
  const connections: ServerConnection[] = [];
  for (const source of servers)
    for (const group of source.network.connections) {
      const { targetIp } = group;
      const end = among.get(targetIp) ?? elsewhere.get(targetIp);
      const isOwn = end?.id === source.ci.id;
      if (isOwn || (end === undefined && !includeAll)) continue;
      connections.push(...linesOf(source, group, end ?? { id: null, name: targetIp, machine: null }));
      if (connections.length > MAX_CONNECTIONS)
        return { connections: connections.slice(0, MAX_CONNECTIONS), truncated: true };
    }
  return { connections, truncated: false };
}

/** Limits per search method, and in all. */
const MAX_FOUND = 1_000;
const MOST = 2_000;
const PAGE = 500;
/** Limits of one search. */
const MAX_WORDS = 200;
const MAX_KEYWORDS = 500;
/** Maximum time to index recent changes before the search, ms. */
const PATIENCE_MS = 2_000;

const CIS = ['ci'] as const;

interface Candidates {
  readonly ids: readonly string[];
  /** There may be more. */
  readonly truncated: boolean;
}

const softwareNames = ({ software }: SearchCriteria): string[] => [
  ...new Set(software.flatMap(({ name, known }) => [name, ...(known?.names ?? []), ...(known?.processes ?? [])])),
];

async function byKeywords({ ports, tenant }: TenantContext, sought: SearchCriteria): Promise<string[]> {
  const processes = [...sought.processes, ...sought.software.flatMap(({ known }) => known?.processes ?? [])];
  const keywords = [
    ...processes.map(processKeyword),
    ...softwareNames(sought).map(softwareKeyword),
    ...[...sought.ports].map(portKeyword),
  ];
  if (keywords.length === 0) return [];
  const asked = { keywords: [...new Set(keywords)].slice(0, MAX_KEYWORDS), kinds: CIS, limit: MAX_FOUND };
  return (await ports.searchIndex.tagged(tenant, asked)).map(({ document }) => document.id);
}

/** `PostgreSQL 14.2` and `postgres: writer` have the name among other words. */
async function byWords({ ports, tenant }: TenantContext, sought: SearchCriteria): Promise<string[]> {
  const words = [...new Set([...sought.processes, ...softwareNames(sought)])].slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const hits = await ports.searchIndex.search(tenant, { words, kinds: CIS, limit: MAX_FOUND });
  return hits.map(({ document }) => document.id);
}

async function byHost({ ports, tenant }: TenantContext, { literal }: Glob): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (ids.length < MAX_FOUND && cursor !== null) {
    const page = await ports.topology.findCis(
      tenant,
      { search: literal },
      { sort: 'name', order: 'asc', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

/** Merges the lists in turn, so that no search method fills all the room. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const ids = new Set<string>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let place = 0; place < longest; place++)
    for (const list of lists) {
      const id = list[place];
      if (id !== undefined) ids.add(id);
    }
  return [...ids];
}

/** Returns candidate CIs; the rules decide. */
async function candidatesFor(asking: TenantContext, sought: SearchCriteria): Promise<Candidates> {
  const { ports } = asking;
  const until = ports.clock.now() + PATIENCE_MS;
  await indexDue(ports, () => ports.clock.now() > until);
  const found = [await byKeywords(asking, sought), await byWords(asking, sought)];
  for (const host of sought.hosts) found.push(await byHost(asking, host));
  const ids = inTurns(found);
  return { ids: ids.slice(0, MOST), truncated: ids.length > MOST || found.some((one) => one.length >= MAX_FOUND) };
}

const MAX_SERVERS = 500;
/** Addresses that found machines connect to and that are looked up, those with the most connections. */
const MAX_PEERS = 500;
/** A literal of fewer characters would match almost every name. */
const SHORTEST_LITERAL = 2;

/** A machine with its evidence. */
interface FoundServer {
  readonly machine: Machine;
  readonly score: number;
  readonly matched: readonly string[];
}
export interface DiscoveredServers {
  /** Given servers first, then by confidence. */
  readonly servers: readonly FoundServer[];
  readonly connections: readonly ServerConnection[];
  /** True if more may exist than were read or are returned. */
  readonly truncated: boolean;
}

interface ServerCandidate {
  readonly machine: Machine;
  readonly signs: readonly MatchedSign[];
  readonly isGiven: boolean;
  /** A machine that is named leads to it. */
  readonly belongs?: boolean;
}

/** Throws Fault `invalid` for patterns that match almost everything, and for servers that are not there. */
async function requireSense({ tenant, ports }: AnalyzerContext, { seeds }: DiscoverAsked, { hosts }: SearchCriteria) {
  const wide = hosts.find(({ literal }) => literal.length < SHORTEST_LITERAL);
  if (wide !== undefined)
    throw invalid(
      'searchPatterns.hostnames',
      `expected ${SHORTEST_LITERAL} letters or more in a row; got "${wide.text}"`,
    );
  const known = new Set((await ports.topology.getCis(tenant, [...seeds])).map(({ id }) => id));
  const problems = seeds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `existingServerIds[${index}]`, reason: `no CI with ID ${id}` }],
  );
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
}

async function ownCandidates(
  context: AnalyzerContext,
  asked: DiscoverAsked,
  sought: SearchCriteria,
  ids: readonly string[],
) {
  const given = new Set(asked.seeds);
  const found = new Map<string, ServerCandidate>();
  const weak = new Map<string, ServerCandidate>();
  for await (const machine of machines(context, [...new Set([...asked.seeds, ...ids])], asked.timeRange)) {
    const { id } = machine.ci;
    const signs = matchedSigns(sought, seenServer(machine, asked.timeRange));
    if (given.has(id) || scoreOf(signs) >= FOUND_FROM) found.set(id, { machine, signs, isGiven: given.has(id) });
    else if (signs.length > 0) weak.set(id, { machine, signs, isGiven: false });
  }
  return { found, weak };
}

/** Shared targets of all machines, such as name servers, bind none together. */
const isTelling = ({ ports }: ConnectionGroup): boolean =>
  ports.length === 0 || ports.some((port) => !INFRASTRUCTURE_PORTS.has(port));

const addressesOf = (found: ReadonlyMap<string, ServerCandidate>): ReadonlyMap<string, string> =>
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
  const addresses = [...callers].sort((a, b) => b[1].size - a[1].size).slice(0, MAX_PEERS);
  const bindings = await ports.matcher.bind(
    tenant,
    addresses.map(([ipAddress]) => ({ ipAddress })),
  );
  return addresses.flatMap(([, from], i) => {
    const ci = itemAt(bindings, i).ci;
    return ci === null ? [] : [{ id: ci.id, from }];
  });
}

/** Adds machines connected to several found ones, and returns the connections. */
async function withPeers(
  context: AnalyzerContext,
  range: DiscoverAsked['timeRange'],
  found: Map<string, ServerCandidate>,
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
  const added: [string, ServerCandidate][] = [];
  for await (const machine of machines(context, strange, range)) {
    look(machine.ci.id, machine, () => undefined);
    added.push([machine.ci.id, { machine, signs: [], isGiven: false }]);
  }
  for (const [id, candidate] of added) found.set(id, candidate);
  return connected;
}

/** Named anchors of which the dependencies are read. */
const MAX_ANCHORS = 50;
const ANCHOR_HOPS = 3;

/** Connections that scans saw, and dependencies of the CMDB. */
async function linksAround(
  { tenant, ports }: AnalyzerContext,
  all: ReadonlyMap<string, ServerCandidate>,
  anchors: readonly string[],
): Promise<MachineLink[]> {
  const byAddress = addressesOf(all);
  const seen = [...all].flatMap(([source, { machine }]) =>
    machine.network.connections.filter(isTelling).flatMap(({ targetIp }) => {
      const target = byAddress.get(targetIp);
      return target === undefined ? [] : [{ source, target }];
    }),
  );
  const near = { direction: 'up', hops: ANCHOR_HOPS, over: 'dependency' } as const;
  return [...seen, ...(await edgesAround({ graph: ports.graph }, tenant, anchors.slice(0, MAX_ANCHORS), near))];
}

async function anchored(
  context: AnalyzerContext,
  { hosts }: SearchCriteria,
  { found, weak }: Awaited<ReturnType<typeof ownCandidates>>,
): Promise<Map<string, ServerCandidate>> {
  const all = new Map([...weak, ...found]);
  const isAnchor = ({ machine: { hostname, ci }, isGiven }: ServerCandidate): boolean =>
    isGiven || hosts.some((glob) => glob.matches(hostname) || glob.matches(ci.name));
  const anchors = [...found].flatMap(([id, candidate]) => (isAnchor(candidate) ? [id] : []));
  if (anchors.length === 0) return found;
  const sought = [...all].map(([id, candidate]) => ({
    id,
    name: candidate.machine.hostname,
    isAnchor: isAnchor(candidate),
    hasSign: candidate.signs.length > 0,
  }));
  const own = belonging(sought, await linksAround(context, all, anchors));
  if (own === null) return found;
  return new Map(
    [...all].flatMap(([id, candidate]) => (own.has(id) ? [[id, { ...candidate, belongs: true }] as const] : [])),
  );
}

function judged(found: ReadonlyMap<string, ServerCandidate>, connected: Connected): FoundServer[] {
  const servers = [...found].flatMap(([id, candidate]): (FoundServer & { isGiven: boolean })[] => {
    const { machine, signs, isGiven, belongs = false } = candidate;
    const others = connected.of(id).map((other) => entryOf(found, other).machine.hostname);
    const all = [...signs, ...connectedSigns(others)];
    const score = isGiven ? 1 : scoreOf(all);
    if (score < FOUND_FROM && !belongs) return [];
    const given = isGiven ? ['provided in the request'] : [];
    return [{ machine, isGiven, score, matched: [...given, ...all.map(({ text }) => text)] }];
  });
  return servers.sort(
    (a, b) =>
      Number(b.isGiven) - Number(a.isGiven) || b.score - a.score || (a.machine.ci.id < b.machine.ci.id ? -1 : 1),
  );
}

/** The servers that what is looked for runs on, and who connects to whom. Rules answer all of it; nothing is stored. Throws Fault `invalid`. */
export async function discoverServers(context: AnalyzerContext, asked: DiscoverAsked): Promise<DiscoveredServers> {
  requirePermission(context, 'cmdb.read');
  const sought = searchCriteriaOf(asked);
  await requireSense(context, asked, sought);
  const candidates = await candidatesFor(context, sought);
  const own = await ownCandidates(context, asked, sought, candidates.ids);
  const found = await anchored(context, sought, own);
  const isAnchored = [...found.values()].some(({ belongs }) => belongs);
  const named = new Set(found.keys());
  const connected = await withPeers(context, asked.timeRange, found);
  const all = judged(found, connected).filter(({ machine }) => !isAnchored || named.has(machine.ci.id));
  const servers = all.slice(0, MAX_SERVERS);
  const links = await connectionsOf(
    context,
    servers.map(({ machine }) => machine),
    asked.includeAll,
  );
  return {
    servers,
    connections: links.connections,
    truncated: candidates.truncated || all.length > MAX_SERVERS || links.truncated,
  };
}
