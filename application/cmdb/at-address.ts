import type { UseCaseContext } from '#application/access/context.ts';
import { mainAddresses } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';

/** Maximum of CIs per address. */
const LIMIT = 200;
export const NEWEST = { sort: 'created_at', order: 'desc', limit: LIMIT } as const;

/** CIs that have an address in its canonical form: those whose `ip_address` it is first, then the newest. */
export async function cisAt({ tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>, ip: string): Promise<Ci[]> {
  const { items } = await ports.topology.findCis(tenant, { ip }, NEWEST);
  const isMain = (ci: Ci): boolean => mainAddresses(ci).some(({ address }) => address === ip);
  const main = items.filter(isMain);
  return [...main, ...items.filter((ci) => !main.includes(ci))];
}
