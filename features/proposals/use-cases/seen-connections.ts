import type { TenantContext } from '#application/access/context.ts';
import { firstItem, lastItem } from '#domain/assert.ts';
import { invalid } from '#domain/fault.ts';
import { slices } from '#domain/slices.ts';
import { zip } from '#domain/zip.ts';
import type { ConnectionGroup, Network } from '#features/discovery/rules/network.ts';
import { networksOf } from '#features/discovery/use-cases/networks.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import type { PortConnection } from '#features/proposals/rules/infer.ts';

/** Limits without named CIs: records read, in the order of IDs, and connections used. */
const MAX_RECORDS = 2_000;
const MAX_CONNECTIONS = 20_000;
const PAGE = 100;
/** Addresses looked up in one call. */
const PER_CALL = 5_000;
/** Records contain no protocol. */
const PROTOCOL = 'tcp';

/** Rows of network records without information on two CIs. */
export interface UnusedSightings {
  /** An address that no CI has, or several have. */
  readonly unresolved: number;
  readonly self: number;
  /** No port was seen. */
  readonly withoutPort: number;
}

export interface SeenConnections {
  readonly connections: readonly PortConnection[];
  /** Networks of all read CIs, by CI. */
  readonly networks: ReadonlyMap<string, Network>;
  readonly ignored: UnusedSightings;
  /** There are more records, or more connections in them. */
  readonly truncated: boolean;
}

/** Returns the named CIs; throws Fault `invalid` for an unknown one. */
async function named(asking: TenantContext, ciIds: readonly string[]) {
  const { tenant, ports } = asking;
  const found = await ports.topology.getCis(tenant, ciIds);
  const known = new Set(found.flatMap(({ id, formerly = [] }) => [id, ...formerly]));
  const unknown = ciIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalid(`ciIds[${unknown}]`, `no CI with ID ${ciIds[unknown]}`);
  const ids = [...new Set(found.map(({ id }) => id))];
  return { networks: await networksOf(asking, ids), truncated: false };
}

/** Returns all CIs within the limit. */
async function all({ tenant, ports }: TenantContext) {
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
    if (networks.size >= MAX_RECORDS || seen >= MAX_CONNECTIONS) return { networks, truncated: true };
    after = lastItem(page).id;
  }
}

async function ownersOf(
  { tenant, ports }: TenantContext,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const some of slices(addresses, PER_CALL)) {
    const bindings = await ports.matcher.bind(
      tenant,
      some.map((ipAddress) => ({ ipAddress })),
    );
    for (const [address, { ci }] of zip(some, bindings)) if (ci !== null) owners.set(address, ci.id);
  }
  return owners;
}

/** The count of all ports together, spread over them. */
const lines = ({ ports, count }: ConnectionGroup): { readonly port: number; readonly frequency: number }[] =>
  ports.map((port, i) => ({ port, frequency: Math.floor(count / ports.length) + (i < count % ports.length ? 1 : 0) }));

/** Processes of one CI may talk to the same port. */
const summed = (connections: readonly PortConnection[]): PortConnection[] =>
  [...Map.groupBy(connections, ({ source, target, port }) => `${source} ${target} ${port}`).values()].map((same) => ({
    ...firstItem(same),
    frequency: same.reduce((sum, { frequency }) => sum + frequency, 0),
  }));

/** The connections between CIs that scans have seen; without `ciIds` of the first CIs that have any. Throws Fault `invalid`. */
export async function seenConnections(
  asking: TenantContext,
  ciIds: readonly string[] | null,
): Promise<SeenConnections> {
  const { networks, truncated } = await (ciIds === null ? all(asking) : named(asking, ciIds));
  const sightings = [...networks].flatMap(([source, { connections }]) =>
    connections.map((group) => ({ source, group })),
  );
  const read = sightings.slice(0, MAX_CONNECTIONS);
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
