import type { UseCaseContext } from '#application/access/context.ts';
import { invalid } from '#domain/fault.ts';
import { firstItem, lastItem } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import { slices } from '#domain/slices.ts';
import type { ConnectionGroup, Network } from '#features/discovery/rules/network.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import type { PortConnection } from '#features/proposals/rules/infer.ts';
import { networksOf } from './network-knowledge.ts';

/** CIs whose records are read when none is named, in the order of ids, and what is taken of all of them. */
const MOST_RECORDS = 2_000;
const MOST_CONNECTIONS = 20_000;
const PAGE = 100;
/** Addresses looked up in one call. */
const PER_CALL = 5_000;
/** A record does not say how a connection spoke. */
const PROTOCOL = 'tcp';

type Asking = Pick<UseCaseContext, 'tenant' | 'ports'>;

/** Rows of network records that say nothing of two CIs. */
export interface UnusedSightings {
  /** An address that no CI has, or several have. */
  readonly unresolved: number;
  readonly self: number;
  /** No port was seen. */
  readonly withoutPort: number;
}

export interface SeenConnections {
  readonly connections: readonly PortConnection[];
  /** By CI, of all that were read. */
  readonly networks: ReadonlyMap<string, Network>;
  readonly ignored: UnusedSightings;
  /** There are more records, or more connections in them. */
  readonly truncated: boolean;
}

/** Of the CIs that are named; throws Fault `invalid` for one that is none. */
async function named(asking: Asking, ciIds: readonly string[]) {
  const { tenant, ports } = asking;
  const found = await ports.topology.getCis(tenant, ciIds);
  const known = new Set(found.flatMap(({ id, formerly = [] }) => [id, ...formerly]));
  const unknown = ciIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalid(`ciIds[${unknown}]`, `no CI has the id ${ciIds[unknown]}`);
  const ids = [...new Set(found.map(({ id }) => id))];
  return { networks: await networksOf(asking, ids), truncated: false };
}

/** Of all CIs, as far as they are looked at. */
async function all({ tenant, ports }: Asking) {
  const networks = new Map<string, Network>();
  let seen = 0;
  for (let after: string | undefined; ; ) {
    const options: Parameters<typeof ports.records.list>[2] = { limit: PAGE, ...(after !== undefined && { after }) };
    const page = await ports.records.list<NetworkRecord>(tenant, DISCOVERY_KINDS.network, options);
    for (const { id, body } of page) {
      networks.set(id, body);
      seen += body.connections.length;
    }
    if (page.length < PAGE) return { networks, truncated: false };
    if (networks.size >= MOST_RECORDS || seen >= MOST_CONNECTIONS) return { networks, truncated: true };
    after = lastItem(page).id;
  }
}

async function ownersOf({ tenant, ports }: Asking, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const some of slices(addresses, PER_CALL)) {
    const bindings = await ports.matcher.bind(
      tenant,
      some.map((ipAddress) => ({ ipAddress })),
    );
    for (const [address, { ci }] of paired(some, bindings)) if (ci !== null) owners.set(address, ci.id);
  }
  return owners;
}

/** The count of all ports together, spread over them. */
const lines = ({ ports, count }: ConnectionGroup): { readonly port: number; readonly frequency: number }[] =>
  ports.map((port, i) => ({
    port,
    frequency: Math.floor(count / ports.length) + (i < count % ports.length ? 1 : 0),
  }));

/** Processes of one CI may talk to the same port. */
const summed = (connections: readonly PortConnection[]): PortConnection[] =>
  [...Map.groupBy(connections, ({ source, target, port }) => `${source} ${target} ${port}`).values()].map((same) => ({
    ...firstItem(same),
    frequency: same.reduce((sum, { frequency }) => sum + frequency, 0),
  }));

/** The connections between CIs that scans have seen; without `ciIds` of the first CIs that have any. Throws Fault `invalid`. */
export async function seenConnections(asking: Asking, ciIds: readonly string[] | null): Promise<SeenConnections> {
  const { networks, truncated } = await (ciIds === null ? all(asking) : named(asking, ciIds));
  const sightings = [...networks].flatMap(([source, { connections }]) =>
    connections.map((group) => ({ source, group })),
  );
  const read = sightings.slice(0, MOST_CONNECTIONS);
  const owners = await ownersOf(asking, [...new Set(read.map(({ group }) => group.targetIp))]);
  const ignored = { unresolved: 0, self: 0, withoutPort: 0 };
  const connections: PortConnection[] = [];
  for (const { source, group } of read) {
    const target = owners.get(group.targetIp);
    if (target === undefined) ignored.unresolved += 1;
    else if (target === source) ignored.self += 1;
    else if (group.ports.length === 0) ignored.withoutPort += 1;
    else for (const line of lines(group)) connections.push({ source, target, protocol: PROTOCOL, ...line });
  }
  return {
    connections: summed(connections),
    networks,
    ignored,
    truncated: truncated || sightings.length > read.length,
  };
}
