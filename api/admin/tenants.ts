import { audited } from '#api/access/audit.ts';
import { forgetCallers } from '#api/access/caller-cache.ts';
import type { Context } from '#api/endpoint.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

export interface TenantChange {
  readonly id: string;
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
}

const shown = ({ id, name, disabled }: TenantRecord) => ({ id, name, disabled });

export const findTenant = async ({ ports }: Context, id: string): Promise<StoredRecord<TenantRecord>> => {
  const stored = await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id);
  if (stored === null) throw notFound('Tenant', id);
  return stored;
};

const isPrecondition = (error: unknown): boolean => error instanceof Fault && error.kind === 'precondition';

export const createTenant = async (
  context: Context,
  { id, name = id }: { readonly id: string; readonly name?: string | undefined },
): Promise<TenantRecord> => {
  const { records, clock } = context.ports;
  const at = clock.now();
  const tenant: TenantRecord = { id, name, disabled: false, createdAt: at, updatedAt: at };
  const target = { kind: 'tenant', id };
  const entry = audited(context, { action: 'tenant.created', target, before: null, after: shown(tenant) });
  try {
    await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, id, tenant, { expected: 0, along: [entry] });
  } catch (error) {
    if (!isPrecondition(error)) throw error;
    throw new Fault('conflict', `The tenant ${id} exists already`, [{ field: 'id', reason: 'is taken' }]);
  }
  return tenant;
};

/** Disabling refuses every credential of the tenant; nobody does that to his own. */
export const changeTenant = async (context: Context, change: TenantChange): Promise<TenantRecord> => {
  const { caller, ports } = context;
  const { body: before, revision } = await findTenant(context, change.id);
  if (change.disabled === true && before.id === caller.tenant)
    throw new Fault('conflict', 'Your own tenant cannot be disabled');
  const { name = before.name, disabled = before.disabled } = change;
  const after: TenantRecord = { ...before, name, disabled, updatedAt: ports.clock.now() };
  const target = { kind: 'tenant', id: before.id };
  const entry = audited(context, { action: 'tenant.updated', target, before: shown(before), after: shown(after) });
  await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, before.id, after, { expected: revision, along: [entry] });
  forgetCallers(ports.records);
  return after;
};
