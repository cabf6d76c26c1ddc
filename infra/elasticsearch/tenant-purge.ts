import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { Family } from './cluster/names.ts';
import { term } from './cluster/query.ts';
import type { Store } from './cluster/store.ts';
import { settleRecords } from './documents/owed-records.ts';
import { removeWhere } from './prune.ts';

/** Where each family names the tenant. The last pages of journals have no such field: each goes with the owner's next page. */
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
    await settleRecords(store);
    for (const [family, field] of Object.entries(FIELDS) as [Family, string][]) {
      if (isStopping()) return false;
      await store.indices.refresh(family);
      await removeWhere(store, family, term(field, tenant), isStopping);
    }
    return !isStopping();
  },
});
