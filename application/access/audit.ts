import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import type { Trail } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { actorOf } from './actor.ts';
import type { UseCaseContext } from './context.ts';

export type AuditEntry = Pick<AuditRecord, 'action' | 'target' | 'before' | 'after'>;

/** The caller, and its address. */
export type Asker = Pick<AuditRecord, 'actor' | 'address' | 'department' | 'via'>;
export const askerOf = ({ caller, address, department, via }: UseCaseContext): Asker => ({
  actor: actorOf(caller),
  address,
  department,
  ...(via && { via }),
});

/** Variant of `audited` for work after the request. */
export const auditedAs = (
  { ids, clock, historyMs }: Pick<Ports, 'ids' | 'clock' | 'historyMs'>,
  tenant: string,
  { actor, address, department, via }: Asker,
  entry: AuditEntry,
): SideRecord => {
  const [id, at] = [ids.ulid(), clock.now()];
  const body: AuditRecord = { id, at, actor, ...entry, address, department, ...(via && { via }) };
  return { tenant, kind: ACCESS_KINDS.audit, id, body, expiresAt: at + historyMs };
};

/**
 * The audit entry of a change, in the tenant acted on, to be stored with the change. `before` and `after` must be without secrets.
 */
export const audited = (context: UseCaseContext, entry: AuditEntry): SideRecord =>
  auditedAs(context.ports, context.tenant, askerOf(context), entry);

/** Returns the trail for changes of events: their owner stores the entry with the change. */
export const trailOf = ({ ports, address, department, via }: UseCaseContext): Trail => ({
  id: ports.ids.ulid(),
  address,
  department,
  expiresAt: ports.clock.now() + ports.historyMs,
  ...(via && { via }),
});

/** Stores the entry of `auditedAs` where there is no change to keep it with. */
export const auditAs = async (
  ports: Pick<Ports, 'ids' | 'clock' | 'historyMs' | 'records'>,
  tenant: string,
  asker: Asker,
  entry: AuditEntry,
): Promise<void> => {
  const { kind, id, body, expiresAt } = auditedAs(ports, tenant, asker, entry);
  await ports.records.put(tenant, kind, id, body, expiresAt === undefined ? {} : { expiresAt });
};

/** The same for `audited`. */
export const audit = (context: UseCaseContext, entry: AuditEntry): Promise<void> =>
  auditAs(context.ports, context.tenant, askerOf(context), entry);
