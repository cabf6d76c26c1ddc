import type { UseCaseContext } from '#application/access/context.ts';
import { itemAt } from '#domain/known.ts';
import { type ConnectionGroup, listenerOn } from '#features/discovery/rules/network.ts';
import type { Machine } from './machines.ts';

const MOST_CONNECTIONS = 10_000;
/** Addresses of what was not found that are looked up; beyond, they have no name. */
const MOST_LOOKED_UP = 5_000;

/** Targets of a process of a server. */
export interface ServerConnection {
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
  const addresses = [...all].filter((address) => !known.has(address)).slice(0, MOST_LOOKED_UP);
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

/** Connections among the servers, with `includeAll` also those that lead elsewhere. */
export async function connectionsOf(
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
      if (connections.length > MOST_CONNECTIONS)
        return { connections: connections.slice(0, MOST_CONNECTIONS), truncated: true };
    }
  return { connections, truncated: false };
}
