import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { Family } from './cluster/names.ts';
import { term } from './cluster/query.ts';
import type { Store } from './cluster/store.ts';
import { flushSideRecords } from './documents/pending-side-records.ts';
import { removeWhere } from './prune.ts';

/**
 * Tenant field of each family. The last pages of journals have no such field: each is replaced by the owner's next
 * page.
 */
const FIELDS: Readonly<Record<Exclude<Family, 'journal'>, string>> = {
  events: 'event.tenant',
  enriched: 'enriched.arrival.tenant',
  rearrivals: 'enriched.arrival.tenant',
  decisions: 'decision.tenant',
  groups: 'group.tenant',
  grouprows: 'group.tenant',
  recoveries: 'recovery.tenant',
  deliveries: 'delivery.tenant',
  records: 'tenant',
  search: 'tenant',
};

/** Deletes the documents of a tenant from every index, one family after the other. */
export const openTenantPurge = (store: Store): TenantPurge => ({
  async purge(tenant, isStopping = () => false) {
    // They may belong to another tenant.
    await flushSideRecords(store);
    for (const [family, field] of Object.entries(FIELDS) as [Family, string][]) {
      if (isStopping()) return false;
      await store.indices.refresh(family);
      await removeWhere(store, family, term(field, tenant), isStopping);
    }
    return !isStopping();
  },
});
