import type { TenantRecord } from './records.ts';

/** `deleting`: no access, data is being deleted. `deleted`: only the record remains, which reserves the name. */
export const TENANT_STATES = ['active', 'deleting', 'deleted'] as const;
export type TenantState = (typeof TENANT_STATES)[number];

export const stateOf = ({ state }: Pick<TenantRecord, 'state'>): TenantState => state ?? 'active';

/** The tenant from `at` (ms) on: every credential is refused at once. */
export const leaving = (tenant: TenantRecord, at: number): TenantRecord => ({
  ...tenant,
  disabled: true,
  state: 'deleting',
  stateSince: at,
  updatedAt: at,
});

/** Reserves the name until `until` (ms). Its display name was data of the tenant too. */
export const tombstone = ({ id, createdAt }: TenantRecord, at: number, until: number): TenantRecord => ({
  id,
  name: id,
  disabled: true,
  createdAt,
  updatedAt: at,
  state: 'deleted',
  stateSince: at,
  takenUntil: until,
});
