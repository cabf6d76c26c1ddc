import { askerOf, auditedAs } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { leaving, stateOf } from '#domain/access/tenant-state.ts';
import { isOvertaken } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { assertTenantActive, assertTenantNotNeeded, findTenant, shownTenant } from './tenants.ts';

/** Writes the audit entry to another tenant, since the deleted one stores nothing. */
const auditOf = (context: UseCaseContext, before: TenantRecord) => {
  const { caller, tenant, ports } = context;
  const keptIn = tenant === before.id ? caller.tenant : tenant;
  const target = { kind: 'tenant', id: before.id };
  const entry = { action: 'tenant.deleted', target, before: shownTenant(before), after: null };
  return auditedAs(ports, keptIn, askerOf(context), entry);
};

/**
 * Refuses every credential of the tenant from now on; its data is deleted in the background, and a running deletion
 * continues. Throws Fault `conflict` for the caller's own tenant, the first one and a deleted one.
 */
export const deleteTenant = async (context: UseCaseContext, id: string): Promise<TenantRecord> => {
  const { records, memory, clock } = context.ports;
  const { body: before, revision } = await findTenant(context, id);
  if (stateOf(before) === 'deleting') return before;
  assertTenantActive(before);
  await assertTenantNotNeeded(context, id, 'deleted');
  const after = leaving(before, clock.now());
  const options = { expected: revision, sideRecords: [auditOf(context, before)] };
  try {
    await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, id, after, options);
  } catch (error) {
    // Another caller changed it meanwhile.
    if (isOvertaken(error)) return deleteTenant(context, id);
    throw error;
  }
  memory.callers.clear();
  return after;
};
