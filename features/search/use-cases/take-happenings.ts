import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Happening } from '#domain/ports/sink.ts';
import { slices } from '#domain/slices.ts';
import { indexEvents } from './index-events.ts';

/** Events read at once. */
const AT_ONCE = 200;

/** Makes new and resolved events fit to be searched. */
export const takeEvents = async (ports: Ports, batch: readonly Happening[]): Promise<void> => {
  for (const [tenant, own] of Map.groupBy(batch, (one) => one.tenant)) {
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const some of slices(ids, AT_ONCE)) await indexEvents(ports, tenant, await ports.events.getMany(tenant, some));
  }
};

/** Leaves word of groups that have changed; the job that makes documents anew does the rest. */
export const takeGroups = async (ports: Ports, batch: readonly Happening[]): Promise<void> => {
  for (const [tenant, own] of Map.groupBy(batch, (one) => one.tenant)) {
    const refs = [...new Set(own.map(({ id }) => id))].map((id) => ({ kind: 'incident', id }) as const);
    const { kind, id, body } = searchDue(ports, tenant, refs);
    await ports.records.put(SYSTEM_TENANT, kind, id, body);
  }
};
