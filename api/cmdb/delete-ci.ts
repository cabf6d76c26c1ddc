import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { readAfter } from '#application/records/read-after.ts';
import { leaveServices, leavingQueued, refuseComponent, servicesWith } from '#application/services/leave-services.ts';
import { everyService } from '#application/services/service-store.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { RemovedCi } from '#domain/ports/topology/ci-store.ts';
import type { Service } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciRecord } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';
import { flag, Message } from '#schemas/http/common.ts';

/** Relationships that the audit trail names; beyond, their number says how many went. */
const AUDITED = 1_000;

interface Input {
  readonly id: string;
  readonly cascade: boolean;
}

const messageOf = ({ relationships: { length } }: RemovedCi): string =>
  `Configuration item deleted${length === 0 ? '' : ` with ${length} relationship${length === 1 ? '' : 's'}`}`;

const Query = z.strictObject({
  cascade: flag().optional().meta({
    description: 'Also delete its relationships, and take it out of services; without it they refuse the deletion',
  }),
});
const deleting = {
  method: 'delete',
  path: '/cmdb/ci/{id}',
  params: z.object({ id: z.string() }),
  query: Query,
  read: (request: { params: { id: string }; query: z.output<typeof Query> }): Input => ({
    id: request.params.id,
    cascade: request.query.cascade ?? false,
  }),
  present: (message: string) => ({ body: { message } }),
} as const;

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

/** The CI leaves its services, too. Throws Fault `conflict` for one that something hangs on, unless that goes along. */
export async function deleted(context: Context, ci: Ci, { services, ...how }: Deleting): Promise<RemovedCi | null> {
  const { tenant, ports, caller, receivedAt } = context;
  const own = servicesWith(services, ci.id);
  if (!how.cascade) refuseComponent(ci, own);
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

const removed = async (context: Context, { id, cascade }: Input): Promise<RemovedCi> => {
  const { tenant, ports, ifMatch } = context;
  const ci = await findCi(context, id);
  if (ci.id !== id) throw new Fault('conflict', `CI ${id} was merged into ${ci.id}: delete that one`);
  const { revision } = ci;
  requireMatch(ifMatch, revision);
  const services = await everyService(ports.records, tenant);
  const gone = await deleted(context, ci, { cascade, services, ...(ifMatch !== null && { revision }) });
  if (gone === null) throw notFound('Configuration item', id);
  return gone;
};

export const deleteCi = endpoint<Input, string>({
  id: 'cmdb.delete-ci',
  summary: 'Delete a configuration item',
  description:
    'Refused with 409 while it has relationships or is a component of a service, unless cascade=true: then these go along. Its history stays.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  conditional: true,
  mounts: both(deleting, Message),
  handle: async (input, context) => messageOf(await removed(context, input)),
});
