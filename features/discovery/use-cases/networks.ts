import type { UseCaseContext } from '#application/access/context.ts';
import { slices } from '#domain/slices.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from './records.ts';

const AT_ONCE = 16;

/** The network records of CIs, by CI; those without one are left out. */
export async function networksOf(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Network>> {
  const networks = new Map<string, Network>();
  const read = async (id: string): Promise<void> => {
    const stored = await ports.records.get<NetworkRecord>(tenant, DISCOVERY_KINDS.network, id);
    if (stored !== null) networks.set(id, stored.body);
  };
  for (const some of slices(ids, AT_ONCE)) await Promise.all(some.map(read));
  return networks;
}
