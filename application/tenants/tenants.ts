import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { ACCESS_KINDS, INSTANCE_ID, type InstanceRecord, type TenantRecord } from '#domain/access/records.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { Fault, isOvertaken, notFound } from '#domain/fault.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { iso } from '#schemas/http/time.ts';

export interface TenantChange {
  readonly id: string;
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** A tenant as it may be audited. */
export const shownTenant = ({ id, name, disabled }: TenantRecord) => ({ id, name, disabled });

export const findTenant = async ({ ports }: UseCaseContext, id: string): Promise<StoredRecord<TenantRecord>> => {
  const stored = await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id);
  if (stored === null) throw notFound('Tenant', id);
  return stored;
};

/** Null for an active tenant. */
const leftBecause = (tenant: TenantRecord): string | null => {
  const { id, takenUntil = 0 } = tenant;
  const state = stateOf(tenant);
  if (state === 'deleting') return `Tenant ${id} is being deleted`;
  if (state === 'deleted') return `Tenant ${id} was deleted. The name can be reused from ${iso(takenUntil)}`;
  return null;
};

/** Throws Fault `conflict` unless the tenant is active. */
export const assertTenantActive = (tenant: TenantRecord): void => {
  const because = leftBecause(tenant);
  if (because !== null) throw new Fault('conflict', because);
};

/** Returns the reason why a name is not free. */
const taken = async ({ ports }: UseCaseContext, id: string): Promise<Fault> => {
  const stored = await ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id);
  const because = stored && leftBecause(stored.body);
  return new Fault('conflict', because ?? `Tenant ${id} already exists`, [{ field: 'id', reason: 'already in use' }]);
};

export const createTenant = async (
  context: UseCaseContext,
  { id, name = id }: { readonly id: string; readonly name?: string | undefined },
): Promise<TenantRecord> => {
  const { records, clock } = context.ports;
  const at = clock.now();
  const tenant: TenantRecord = { id, name, disabled: false, createdAt: at, updatedAt: at };
  const target = { kind: 'tenant', id };
  const entry = audited(context, { action: 'tenant.created', target, before: null, after: shownTenant(tenant) });
  try {
    await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, id, tenant, { expected: 0, sideRecords: [entry] });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    throw await taken(context, id);
  }
  return tenant;
};

/** Throws Fault `conflict` for the caller's own tenant, and for the first one, which has the administrator that a start makes. */
export const assertTenantNotNeeded = async (
  { caller, ports }: UseCaseContext,
  id: string,
  what: 'deleted' | 'disabled',
): Promise<void> => {
  if (id === caller.tenant)
    throw new Fault('conflict', `You can't ${what === 'deleted' ? 'delete' : 'disable'} your own tenant`);
  const instance = await ports.records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  if (instance?.body.tenant !== id) return;
  const advice = `start the service with another FAULTLINE_TENANT first`;
  throw new Fault('conflict', `Tenant ${id} is the first tenant and can't be ${what}: ${advice}`);
};

const changed = async (context: UseCaseContext, change: TenantChange): Promise<TenantRecord> => {
  const { ports } = context;
  const { body: before, revision } = await findTenant(context, change.id);
  assertTenantActive(before);
  if (change.disabled === true) await assertTenantNotNeeded(context, before.id, 'disabled');
  const { name = before.name, disabled = before.disabled } = change;
  const after: TenantRecord = { ...before, name, disabled, updatedAt: ports.clock.now() };
  const target = { kind: 'tenant', id: before.id };
  const entry = audited(context, {
    action: 'tenant.updated',
    target,
    before: shownTenant(before),
    after: shownTenant(after),
  });
  await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, before.id, after, {
    expected: revision,
    sideRecords: [entry],
  });
  ports.memory.callers.clear();
  return after;
};

/** Disabling refuses every credential of the tenant. */
export const changeTenant = (context: UseCaseContext, change: TenantChange): Promise<TenantRecord> =>
  inTurn(context.ports, { of: ['tenant', SYSTEM_TENANT, change.id], ifMatch: null }, () => changed(context, change));
