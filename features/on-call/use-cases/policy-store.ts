import type { TenantContext } from '#application/access/context.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { ON_CALL_KINDS, type OnCallPolicy } from '#features/on-call/rules/on-call.ts';

export const policiesOf = ({ ports, tenant }: TenantContext): Promise<OnCallPolicy[]> =>
  everyRecord<OnCallPolicy>(ports.records, tenant, ON_CALL_KINDS.policy);
