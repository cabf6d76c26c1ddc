/** Listening ports and connections of a machine, as scanners saw them; bounded per CI. Times are epoch ms. */
import type { Host, SeenConnection, SeenListener } from './host.ts';

/** All connections of one process to one address. */
export interface ConnectionGroup {
  readonly process: string;
  readonly targetIp: string;
  /** Number in the newest scan. */
  readonly count: number;
  readonly ports: readonly number[];
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Time of the newest scan with it. */
  readonly seenAt: number;
}

export interface Listener extends SeenListener {
  readonly scanner: string;
  readonly seenAt: number;
}

export interface Network {
  readonly connections: readonly ConnectionGroup[];
  readonly listeners: readonly Listener[];
}
export const NO_NETWORK: Network = { connections: [], listeners: [] };

export const MAX_CONNECTIONS = 1_000;
const MAX_LISTENERS = 1_000;
const MAX_PORTS = 64;

const keyOf = ({ process, targetIp }: Pick<ConnectionGroup, 'process' | 'targetIp'>): string =>
  `${targetIp} ${process.toLowerCase()}`;

const portsOf = (...lists: readonly (readonly number[])[]): number[] =>
  [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, MAX_PORTS);

const span = (one: Pick<ConnectionGroup, 'firstSeen' | 'lastSeen'>, other: typeof one) => ({
  firstSeen: Math.min(one.firstSeen, other.firstSeen),
  lastSeen: Math.max(one.lastSeen, other.lastSeen),
});

/** An entry without a time was seen when the scan was made. */
const groupOf = ({ port, firstSeen, lastSeen, ...one }: SeenConnection, seenAt: number): ConnectionGroup => {
  const last = lastSeen ?? Math.max(firstSeen ?? seenAt, seenAt);
  const first = Math.min(firstSeen ?? last, last);
  return { ...one, ports: port === null ? [] : [port], firstSeen: first, lastSeen: last, seenAt };
};

const sum = (one: ConnectionGroup, other: ConnectionGroup): ConnectionGroup => ({
  ...one,
  count: one.count + other.count,
  ports: portsOf(one.ports, other.ports),
  ...span(one, other),
});

/** Totals of one scan. */
function grouped(seen: readonly SeenConnection[], seenAt: number): ConnectionGroup[] {
  const groups = new Map<string, ConnectionGroup>();
  for (const connection of seen) {
    const group = groupOf(connection, seenAt);
    const known = groups.get(keyOf(group));
    groups.set(keyOf(group), known === undefined ? group : sum(known, group));
  }
  return [...groups.values()];
}

/** The newer scan counts; ports and times are those of both. */
const united = (known: ConnectionGroup, seen: ConnectionGroup): ConnectionGroup => ({
  ...(seen.seenAt >= known.seenAt ? seen : known),
  process: known.process,
  ports: portsOf(known.ports, seen.ports),
  ...span(known, seen),
});

/** The latest first; beyond the bound the longest unseen are forgotten. */
const latest = (groups: Iterable<ConnectionGroup>): ConnectionGroup[] =>
  [...groups].sort((a, b) => b.lastSeen - a.lastSeen || (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, MAX_CONNECTIONS);

function connectionsWith(known: Network['connections'], seen: readonly ConnectionGroup[]): ConnectionGroup[] {
  const groups = new Map(known.map((group) => [keyOf(group), group]));
  for (const group of seen) {
    const before = groups.get(keyOf(group));
    groups.set(keyOf(group), before === undefined ? group : united(before, group));
  }
  return latest(groups.values());
}

const isSameListener = (one: SeenListener, other: SeenListener): boolean =>
  one.port === other.port && one.protocol === other.protocol && one.name === other.name;

/** A scan that names listeners names all that its scanner sees: what it saw before and no more is over. Records of one moment add up. */
function listenersWith(known: Network['listeners'], seen: readonly SeenListener[], scanner: string, seenAt: number) {
  const own = known.filter((one) => one.scanner === scanner);
  if (own.some((one) => one.seenAt > seenAt)) return known;
  const others = known.filter((one) => one.scanner !== scanner);
  const now = seen.map((one) => ({ ...one, scanner, seenAt }));
  const ofNow = own.filter((one) => one.seenAt === seenAt && !seen.some((other) => isSameListener(one, other)));
  return [...now, ...ofNow, ...others].sort((a, b) => a.port - b.port || b.seenAt - a.seenAt).slice(0, MAX_LISTENERS);
}

/** Returns the network of a CI with the data of a scan; parts absent from the scan stay. */
export const withSeen = (
  known: Network,
  { connections, listeners }: Pick<Host, 'connections' | 'listeners'>,
  { scanner, seenAt }: { readonly scanner: string; readonly seenAt: number },
): Network => ({
  connections: connections ? connectionsWith(known.connections, grouped(connections, seenAt)) : known.connections,
  listeners: listeners ? listenersWith(known.listeners, listeners, scanner, seenAt) : known.listeners,
});

/** The listener on the port: the newest sighting, TCP before others. */
export const listenerOn = ({ listeners }: Network, port: number): Listener | null => {
  const found = listeners.filter((one) => one.port === port);
  const rank = ({ protocol }: Listener): number => (protocol === 'tcp' ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || b.seenAt - a.seenAt)[0] ?? null;
};

/** The network records of two CIs as one. */
export const unitedNetwork = (one: Network, other: Network): Network => ({
  connections: connectionsWith(one.connections, other.connections),
  listeners: [...one.listeners, ...other.listeners]
    .sort((a, b) => a.port - b.port || b.seenAt - a.seenAt)
    .slice(0, MAX_LISTENERS),
});

/** Programs that were seen to listen or to connect, each once. */
export const processesIn = ({ listeners, connections }: Network): string[] => [
  ...new Set([...listeners.map(({ name }) => name), ...connections.map(({ process }) => process)]),
];

/** Search names of a machine: its listening ports and its programs. */
const namesIn = (network: Network): string =>
  [...network.listeners.map(({ port }) => String(port)), ...processesIn(network)].sort().join('\n');

/** True if a CI has the same search names in its network as before. */
export const sameNames = (before: Network, after: Network): boolean => namesIn(before) === namesIn(after);
