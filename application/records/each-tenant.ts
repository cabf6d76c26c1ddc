import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { everyRecord } from './list-records.ts';

export interface EachTenant {
  /** No further tenant gets its turn. */
  readonly isStopping: () => boolean;
  /** Returns the sentence about this number of failures. */
  readonly failed: (count: number) => string;
}

/** Does the work for each active tenant, one after the other. Throws when a tenant failed, after all others had their turn. */
export const eachActiveTenant = async (
  records: RecordStore,
  { isStopping, failed }: EachTenant,
  work: (tenant: string) => Promise<void>,
): Promise<void> => {
  const errors: unknown[] = [];
  for (const tenant of await everyRecord<TenantRecord>(records, SYSTEM_TENANT, ACCESS_KINDS.tenant)) {
    if (tenant.disabled || stateOf(tenant) !== 'active') continue;
    if (isStopping()) return;
    await work(tenant.id).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(failed(errors.length), { cause: errors[0] });
};
