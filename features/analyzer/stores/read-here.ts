import type { Ports } from '#domain/ports/ports.ts';
import type { EstateList } from '#features/analyzer/rules/communities/estate-intake.ts';
import type { RowsRead } from '#features/analyzer/rules/estate-messages.ts';
import type { Searched } from '#features/analyzer/rules/service-searches.ts';
import type { Network } from '#features/discovery/rules/network.ts';

/** Some are large, most are small. */
const NETWORKS_AT_ONCE = 10;

/** Reads the lists of an estate through the ports. */
export const readHere =
  ({ estate, records }: Pick<Ports, 'estate' | 'records'>, { tenant, networks }: Searched) =>
  async (list: EstateList, cursor?: string): Promise<RowsRead> => {
    if (list === 'cis') {
      const { items, nextCursor } = await estate.cis(tenant, cursor);
      return { list, rows: items, nextCursor };
    }
    if (list === 'links') {
      const { items, nextCursor } = await estate.links(tenant, cursor);
      return { list, rows: items, nextCursor };
    }
    const options = { limit: NETWORKS_AT_ONCE, ...(cursor !== undefined && { after: cursor }) };
    const page = await records.list<Network>(tenant, networks, options);
    const nextCursor = page.length < NETWORKS_AT_ONCE ? null : (page.at(-1)?.id ?? null);
    return { list, rows: page.map(({ id, body }) => [id, body]), nextCursor };
  };
