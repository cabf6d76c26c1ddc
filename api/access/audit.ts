import type { Context } from '#api/endpoint.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { actorOf } from './actor.ts';

export type AuditEntry = Pick<AuditRecord, 'action' | 'target' | 'before' | 'after'>;

/** Who asked for it, and from where. */
export type Asker = Pick<AuditRecord, 'actor' | 'address' | 'department'>;
export const askerOf = ({ caller, address, department }: Context): Asker => ({
  actor: actorOf(caller),
  address,
  department,
});

/** As `audit`, for what is done after the request. */
export const auditAs = async (ports: Ports, tenant: string, asker: Asker, entry: AuditEntry): Promise<void> => {
  const id = ports.ids.ulid();
  const { actor, address, department } = asker;
  const record: AuditRecord = { id, at: ports.clock.now(), actor, ...entry, address, department };
  const expiresAt = record.at + ports.historyMs;
  await ports.records.put(tenant, ACCESS_KINDS.audit, id, record, { expiresAt });
};

/** Records who changed what, in the tenant acted on. `before` and `after` must be without secrets. */
export const audit = (context: Context, entry: AuditEntry): Promise<void> =>
  auditAs(context.ports, context.tenant, askerOf(context), entry);
