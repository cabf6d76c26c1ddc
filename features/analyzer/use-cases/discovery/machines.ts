import type { UseCaseContext } from '#application/access/context.ts';
import { slices } from '#domain/slices.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { SeenServer } from '#features/analyzer/rules/servers/search-criteria.ts';
import { type ConnectionGroup, type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import { networksOf } from '#features/discovery/use-cases/networks.ts';
import { type InstalledSoftware, installedOn, openPorts } from '#features/search/rules/ci-document.ts';
import type { DiscoverAsked } from './asked.ts';

/** Read at once. */
const AT_ONCE = 100;
const OS_KEYS = ['os', 'operating_system', 'operatingSystem', 'os_name'];

/** A CI with its scan data of the time range. */
export interface Machine {
  readonly ci: Ci;
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly software: readonly InstalledSoftware[];
  readonly network: Network;
}

type DiscoveryRange = DiscoverAsked['timeRange'];

const within = (range: DiscoveryRange, at: number): boolean => range === null || (at >= range.from && at <= range.to);

const cut = ({ connections, listeners }: Network, range: DiscoveryRange): Network => ({
  connections: connections.filter(({ lastSeen }) => within(range, lastSeen)),
  listeners: listeners.filter(({ seenAt }) => within(range, seenAt)),
});

/** Programs of a machine: listening ones, then those only seen to connect. */
export function processesOf({ network: { listeners, connections } }: Machine) {
  const listening = listeners.map(({ name, port, seenAt }) => ({
    name,
    port: port as number | null,
    lastSeen: seenAt,
  }));
  const names = new Set(listening.map(({ name }) => name));
  const others = new Map<string, ConnectionGroup>();
  for (const group of connections)
    if (!names.has(group.process) && group.lastSeen > (others.get(group.process)?.lastSeen ?? -1))
      others.set(group.process, group);
  const connecting = [...others.values()].map(({ process, lastSeen }) => ({ name: process, port: null, lastSeen }));
  return [...listening, ...connecting];
}

/** A machine in the form of the rules. Ports in its fields have no time, so a range excludes them. */
export const seenServer = (machine: Machine, range: DiscoveryRange): SeenServer => {
  const { hostname, fqdn } = lookupOf(machine.ci);
  const names = [machine.ci.name, hostname, fqdn].filter((name) => name !== null);
  return {
    names,
    software: machine.software.map(({ name }) => name),
    processes: processesOf(machine),
    ports: [...machine.network.listeners.map(({ port }) => port), ...(range === null ? openPorts(machine.ci) : [])],
  };
};

const machineOf = (ci: Ci, network: Network): Machine => {
  const { hostname, addresses } = lookupOf(ci);
  return { ci, hostname: hostname ?? ci.name, addresses, software: installedOn(ci), network };
};

export const operatingSystemOf = ({ ci: { attributes, customFields } }: Machine): string | null => {
  const values = OS_KEYS.flatMap((key) => [attributes[key], customFields[key]]);
  return (values.find((value) => typeof value === 'string' && value !== '') as string | undefined) ?? null;
};

/** Reads CIs with their networks in parts, so that only matches stay in memory. */
export async function* machines(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ids: readonly string[],
  range: DiscoveryRange,
): AsyncGenerator<Machine> {
  for (const some of slices(ids, AT_ONCE)) {
    const cis = await asking.ports.topology.getCis(asking.tenant, some);
    const networks = await networksOf(
      asking,
      cis.map(({ id }) => id),
    );
    for (const ci of cis) yield machineOf(ci, cut(networks.get(ci.id) ?? NO_NETWORK, range));
  }
}
