import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** True if the tenant is deleted or being deleted: background jobs skip it. */
export const isBeingDeleted = async (records: RecordStore, tenant: string): Promise<boolean> => {
  const stored = await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant);
  return stored !== null && stateOf(stored.body) !== 'active';
};
