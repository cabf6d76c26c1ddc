import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { readAfter } from '#application/records/read-after.ts';
import { assertInNoService, leaveServices, leavingQueued, servicesWith } from '#application/services/leave-services.ts';
import { everyService } from '#application/services/service-store.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { RemovedCi } from '#domain/ports/topology/ci-store.ts';
import type { Service } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciRecord } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';
import { flag, Message } from '#schemas/http/common.ts';

/** Relationships that the audit trail names; beyond, only their number is logged. */
const AUDITED = 1_000;

interface DeleteCiRequest {
  readonly id: string;
  readonly cascade: boolean;
}

const messageOf = ({ relationships: { length } }: RemovedCi): string =>
  `Configuration item deleted${length === 0 ? '' : ` with ${length} relationship${length === 1 ? '' : 's'}`}`;

const Query = z.strictObject({
  cascade: flag().optional().meta({
    description: 'true: also delete its relationships and remove it from services; otherwise they block the deletion',
  }),
});

const deletedEntry = (context: Context, { ci, relationships }: RemovedCi): SideRecord => {
  const before = {
    ...ciRecord(ci),
    ...(relationships.length > 0 && {
      relationships_deleted: relationships.length,
      relationships: relationships.slice(0, AUDITED).map(relationshipRecord),
    }),
  };
  return audited(context, { action: 'ci.deleted', target: { kind: 'ci', id: ci.id }, before, after: null });
};

interface Deleting {
  readonly cascade: boolean;
  /** All of the tenant. */
  readonly services: readonly Service[];
  readonly revision?: number;
}

/**
 * Removes the CI from its services, too. Throws Fault `conflict` for one with relationships, unless those are removed
 * with it.
 */
export async function deleted(context: Context, ci: Ci, { services, ...how }: Deleting): Promise<RemovedCi | null> {
  const { tenant, ports, caller, receivedAt } = context;
  const own = servicesWith(services, ci.id);
  if (!how.cascade) assertInNoService(ci, own);
  const left = { tenant, ci: ci.id, asker: askerOf(context) };
  const queued = own.length === 0 ? [] : [leavingQueued(left)];
  const gone = await ports.cis.remove(tenant, ci.id, receivedAt, {
    by: caller.id,
    ...how,
    sideRecords: (removed: RemovedCi) => [deletedEntry(context, removed), ...queued],
  });
  if (gone !== null && own.length > 0) await readAfter(() => leaveServices(ports, left), undefined);
  return gone;
}

const removed = async (context: Context, { id, cascade }: DeleteCiRequest): Promise<RemovedCi> => {
  const { tenant, ports, ifMatch } = context;
  const ci = await findCi(context, id);
  if (ci.id !== id) throw new Fault('conflict', `CI ${id} was merged into ${ci.id}. Delete ${ci.id} instead`);
  const { revision } = ci;
  requireMatch(ifMatch, revision);
  const services = await everyService(ports.records, tenant);
  const gone = await deleted(context, ci, { cascade, services, ...(ifMatch !== null && { revision }) });
  if (gone === null) throw notFound('Configuration item', id);
  return gone;
};

export const deleteCi = endpoint<DeleteCiRequest, string>({
  id: 'cmdb.delete-ci',
  summary: 'Delete a configuration item',
  description:
    'Returns 409 while it has relationships or is a service component, unless cascade=true. History is kept.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  conditional: true,
  mounts: onBoth.delete('/cmdb/ci/{id}', Message, {
    params: z.object({ id: z.string() }),
    query: Query,
    read: (request): DeleteCiRequest => ({ id: request.params.id, cascade: request.query.cascade ?? false }),
    present: (message: string) => ({ body: { message } }),
  }),
  handle: async (input, context) => messageOf(await removed(context, input)),
});
