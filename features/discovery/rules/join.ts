/** Joins the records of one machine in a scan. */
import type { MatchKey } from '#domain/topology/match.ts';
import type { Host, SeenListener } from './host.ts';
import { conflictOf, type Identity, identityOfHost } from './identity.ts';
import { machineKeys } from './machine.ts';
import type { SeenMachine } from './match.ts';

type Interfaces = NonNullable<Host['interfaces']>;
type Interface = Interfaces[number];

const MAX_INTERFACES = 256;
const MAX_PORTS = 65_535;
const MAX_ENTRIES = 10_000;

const union = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined, keyOf: (item: T) => unknown) => {
  if (one === undefined || other === undefined) return one ?? other;
  const all = new Map<unknown, T>();
  for (const item of [...one, ...other]) if (!all.has(keyOf(item))) all.set(keyOf(item), item);
  return [...all.values()];
};

const interfaceKey = ({ name, mac_address }: Interface): string => `${mac_address?.toLowerCase() ?? ''} ${name ?? ''}`;
/** Joins the addresses of both records per card. */
function unitedInterfaces(all: readonly Interface[]): Interfaces {
  const united = new Map<string, Interface>();
  for (const one of all) {
    const before = united.get(interfaceKey(one));
    const addresses = [...new Set([...(before?.ip_addresses ?? []), ...(one.ip_addresses ?? [])])];
    united.set(interfaceKey(one), { ...before, ...one, ...(addresses.length > 0 && { ip_addresses: addresses }) });
  }
  return [...united.values()].slice(0, MAX_INTERFACES);
}

/** The place in the network that a record names, as an interface: the CI has room for one main address. */
const placeOf = ({ ipAddress, macAddress }: Host): Interface => ({
  ...(macAddress !== undefined && { mac_address: macAddress }),
  ...(ipAddress !== undefined && { ip_addresses: [ipAddress] }),
});
const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase();

function interfacesOf(first: Host, second: Host): Interfaces | undefined {
  const said = [...(first.interfaces ?? []), ...(second.interfaces ?? [])];
  const hasTwo = isOther(first.ipAddress, second.ipAddress) || isOther(first.macAddress, second.macAddress);
  const places = hasTwo ? [placeOf(first), placeOf(second)] : [];
  const known = new Set(said.flatMap(({ ip_addresses = [] }) => ip_addresses));
  const further = places.filter(({ ip_addresses = [] }) => !ip_addresses.every((address) => known.has(address)));
  const all = unitedInterfaces([...said, ...further]);
  return all.length === 0 ? undefined : all;
}

const listenerKey = ({ protocol, port, pid, name }: SeenListener): string => `${protocol} ${port} ${pid} ${name}`;

/** Joins two hosts: lists add up, the later value wins, and the first address stays the main one. */
export function joined(first: Host, second: Host): Host {
  const interfaces = interfacesOf(first, second);
  const openPorts = union(first.openPorts, second.openPorts, (port) => port);
  const listeners = union(first.listeners, second.listeners, listenerKey);
  const connections = union(first.connections, second.connections, (one) => JSON.stringify(one));
  const ipAddress = first.ipAddress ?? second.ipAddress;
  const macAddress = first.macAddress ?? second.macAddress;
  return {
    ...first,
    ...second,
    ...(ipAddress !== undefined && { ipAddress }),
    ...(macAddress !== undefined && { macAddress }),
    ...(interfaces && { interfaces }),
    ...(openPorts && { openPorts: openPorts.slice(0, MAX_PORTS) }),
    ...(listeners && { listeners: listeners.slice(0, MAX_ENTRIES) }),
    ...(connections && { connections: connections.slice(0, MAX_ENTRIES) }),
    ...((first.attributes ?? second.attributes) && { attributes: { ...first.attributes, ...second.attributes } }),
  };
}

/** Names alone join nothing: two machines of one scan may have the same. */
const JOINING: readonly MatchKey[] = ['external_key', 'serial_number', 'mac_address', 'ip_address'];

interface JoinDraft<T> {
  readonly items: T[];
  host: Host;
  identity: Identity;
}
/** Records of one machine, with their joined data. */
export interface JoinedMachine<T> extends SeenMachine {
  readonly items: readonly [T, ...T[]];
}

/** Records by machine, in the order in which each first appears. */
export function joinMachines<T extends SeenMachine>(records: readonly T[]): JoinedMachine<T>[] {
  const drafts: JoinDraft<T>[] = [];
  const byText = new Map<string, JoinDraft<T>>();
  for (const record of records) {
    const identity = identityOfHost(record.host, record.machine);
    const texts = JOINING.flatMap((key) =>
      record.machine[key].map((one) => [key, `${key} ${one.toLowerCase()}`] as const),
    );
    const meant = texts.flatMap(([key, one]) => {
      const draft = byText.get(one);
      return draft !== undefined && conflictOf(identity, draft.identity, key) === null ? [draft] : [];
    })[0];
    const draft = meant ?? { items: [], host: record.host, identity };
    if (meant === undefined) drafts.push(draft);
    else {
      draft.host = joined(draft.host, record.host);
      draft.identity = identityOfHost(draft.host);
    }
    draft.items.push(record);
    for (const [, one] of texts) if (!byText.has(one)) byText.set(one, draft);
  }
  return drafts.map(({ items, host }) => ({ items: items as [T, ...T[]], host, machine: machineKeys(host) }));
}

/** A name shared by this number of machines is not a key. */
const SHARED_BY = 3;

/** The name stays as a remark, and no longer as a key. */
const withoutName = ({ hostname, fqdn, ...host }: Host): Host => ({
  ...host,
  attributes: { dns_name: fqdn ?? hostname, ...host.attributes },
});

/** Machines of a scan without names that at least three of them have at different addresses: reverse names of a whole network. */
export function withoutSharedNames<T>(machines: readonly JoinedMachine<T>[]): JoinedMachine<T>[] {
  const isNamedOnly = ({ machine }: SeenMachine): boolean =>
    machine.serial_number.length === 0 && machine.external_key.length === 0 && machine.ip_address.length > 0;
  const holders = new Map<string, Set<string>>();
  for (const one of machines.filter(isNamedOnly))
    for (const name of one.machine.hostname) {
      const addresses = holders.get(name) ?? new Set();
      holders.set(name, addresses.add(one.machine.ip_address.join(' ')));
    }
  const isShared = (name: string): boolean => (holders.get(name)?.size ?? 0) >= SHARED_BY;
  return machines.map((one) => {
    const names = one.machine.hostname;
    if (names.length === 0 || !isNamedOnly(one) || !names.every(isShared)) return one;
    const host = withoutName(one.host);
    return { ...one, host, machine: machineKeys(host) };
  });
}
