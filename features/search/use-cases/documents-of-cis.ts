import { firstItem, lastItem } from '#domain/assert.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { slices } from '#domain/slices.ts';
import { type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import { ciDocument } from '#features/search/rules/ci-document.ts';

/** Records read at once where one list may have them all, and by id where it has not. */
const LISTED = 500;
const AT_ONCE = 20;

const before = (id: string): string => id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) - 1);

/** Reads network records of CIs: CIs created together are adjacent, so one list finds most. */
async function networksOf({ records }: Ports, tenant: string, ids: readonly string[]): Promise<Map<string, Network>> {
  const sorted = [...ids].sort();
  const [first, last] = [firstItem(sorted), lastItem(sorted)];
  const kind = DISCOVERY_KINDS.network;
  const page = await records.list<NetworkRecord>(tenant, kind, { after: before(first), limit: LISTED });
  const found = new Map<string, Network>(page.map(({ id, body }) => [id, body]));
  const end = page.length < LISTED ? last : lastItem(page).id;
  const left = sorted.filter((id) => id > end);
  for (const some of slices(left, AT_ONCE)) {
    const read = await Promise.all(some.map((id) => records.get<NetworkRecord>(tenant, kind, id)));
    for (const one of read) if (one !== null) found.set(one.id, one.body);
  }
  return found;
}

/** Returns the documents of existing CIs. */
export async function documentsOfCis(ports: Ports, tenant: string, ids: readonly string[]): Promise<SearchDocument[]> {
  const cis = await ports.topology.getCis(tenant, ids);
  if (cis.length === 0) return [];
  const networks = await networksOf(
    ports,
    tenant,
    cis.map(({ id }) => id),
  );
  return cis.map((ci) => ciDocument(ci, networks.get(ci.id) ?? NO_NETWORK));
}
