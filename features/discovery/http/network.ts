import { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { cisAt } from '#application/cmdb/at-address.ts';
import { invalid, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import type { Binding } from '#domain/topology/binding.ts';
import { zip } from '#domain/zip.ts';
import { type Listener, listenerOn, type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import {
  connectionView,
  ListeningProcessView,
  listenerView,
  ProcessConnections,
} from '#features/discovery/schemas/discovery-view.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';

/** Throws Fault `not-found` for a CI that is not there. */
async function networkOf({ topology, records }: Ports, tenant: string, ci: string): Promise<Network> {
  const [found] = await topology.getCis(tenant, [ci]);
  if (found === undefined) throw notFound('Configuration item', ci);
  return (await records.get<NetworkRecord>(tenant, DISCOVERY_KINDS.network, found.id))?.body ?? NO_NETWORK;
}

interface Connections {
  readonly network: Network;
  /** The CIs that the target addresses belong to. */
  readonly targets: ReadonlyMap<string, Binding['ci']>;
}

/** Addresses of several CIs that are looked into; beyond, they have no target. */
const MAX_SHARED = 100;

/** Returns the CI that a lookup by address shows, for an address of several CIs. */
async function sharedTargets(context: Context, addresses: readonly string[]): Promise<Connections['targets']> {
  const found = new Map<string, Binding['ci']>();
  for (const address of addresses.slice(0, MAX_SHARED)) {
    const [ci] = await cisAt(context, canonicalAddress(address) ?? address);
    if (ci !== undefined) found.set(address, { id: ci.id, name: ci.name, type: ci.type });
  }
  return found;
}

async function targetsOf(context: Context, { connections }: Network): Promise<Connections['targets']> {
  const addresses = [...new Set(connections.map(({ targetIp }) => targetIp))];
  const queries = addresses.map((ipAddress) => ({ ipAddress }));
  const bindings = await context.ports.matcher.bind(context.tenant, queries);
  const bound = zip(addresses, bindings);
  const known = new Map(bound.map(([address, { ci }]) => [address, ci]));
  const shared = bound.flatMap(([address, { ambiguous }]) => (ambiguous ? [address] : []));
  return new Map([...known, ...(await sharedTargets(context, shared))]);
}

export const processConnections = endpoint<string, Connections>({
  id: 'discovery.process-connections',
  summary: 'List process connections of a CI',
  tag: 'Discovery',
  permission: 'cmdb.read',
  mounts: on.platform.get('/ci/{ciId}/process-connections', {
    params: z.object({ ciId: z.string() }),
    reply: wrapped(ProcessConnections),
    read: ({ params }) => params.ciId,
    present: ({ network, targets }) => ({
      body: { groups: network.connections.map((group) => connectionView(group, targets.get(group.targetIp) ?? null)) },
    }),
  }),
  async handle(ci, context) {
    const network = await networkOf(context.ports, context.tenant, ci);
    return { network, targets: await targetsOf(context, network) };
  },
});

const Port = wholeNumber(1, 65_535);
/** A port that there is not is a mistake, not a page that is missing. Throws Fault `invalid`. */
const readPort = (text: string): number => {
  const port = Port.safeParse(text);
  if (!port.success) throw invalid('port', 'expected a whole number from 1 to 65535');
  return port.data;
};

export const listeningProcess = endpoint<{ readonly ci: string; readonly port: number }, Listener | null>({
  id: 'discovery.listening-process',
  summary: 'Get the listening process of a port',
  tag: 'Discovery',
  permission: 'cmdb.read',
  mounts: on.platform.get('/ci/{ciId}/listening-process/{port}', {
    params: z.object({ ciId: z.string(), port: z.string().meta({ type: 'integer', minimum: 1, maximum: 65_535 }) }),
    reply: wrapped(ListeningProcessView),
    read: ({ params }) => ({ ci: params.ciId, port: readPort(params.port) }),
    present: (listener) => ({ body: listenerView(listener) }),
  }),
  handle: async ({ ci, port }, { tenant, ports }) => listenerOn(await networkOf(ports, tenant, ci), port),
});
