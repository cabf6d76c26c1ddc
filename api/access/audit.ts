import type { Context } from '#api/endpoint.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { actorOf } from './actor.ts';

export type AuditEntry = Pick<AuditRecord, 'action' | 'target' | 'before' | 'after'>;

/** Records who changed what, in the tenant acted on. `before` and `after` must be without secrets. */
export const audit = async (context: Context, entry: AuditEntry): Promise<void> => {
  const { tenant, caller, ports, address, department } = context;
  const id = ports.ids.ulid();
  const actor = actorOf(caller);
  const record: AuditRecord = { id, at: ports.clock.now(), actor, ...entry, address, department };
  await ports.records.put(tenant, ACCESS_KINDS.audit, id, record);
};
