import { z } from 'zod';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { RemovedCi } from '#domain/ports/topology/ci-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { ciRecord } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';
import { flag, Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';

/** Relationships that the audit trail names; beyond, their number says how many went. */
const AUDITED = 1_000;

interface Input {
  readonly id: string;
  readonly cascade: boolean;
}

const messageOf = ({ relationships: { length } }: RemovedCi): string =>
  `Configuration item deleted${length === 0 ? '' : ` with ${length} relationship${length === 1 ? '' : 's'}`}`;

const Query = z.strictObject({
  cascade: flag()
    .optional()
    .meta({ description: 'Also delete its relationships; without it they refuse the deletion' }),
});
const deleted = {
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

export const deletedEntry = (context: Context, { ci, relationships }: RemovedCi): SideRecord => {
  const before = {
    ...ciRecord(ci),
    ...(relationships.length > 0 && {
      relationships_deleted: relationships.length,
      relationships: relationships.slice(0, AUDITED).map(relationshipRecord),
    }),
  };
  return audited(context, { action: 'ci.deleted', target: { kind: 'ci', id: ci.id }, before, after: null });
};

const removed = async (context: Context, { id, cascade }: Input): Promise<RemovedCi> => {
  const { tenant, ports, caller, receivedAt, ifMatch } = context;
  const ci = await findCi(context, id);
  if (ci.id !== id) throw new Fault('conflict', `CI ${id} was merged into ${ci.id}: delete that one`);
  const { revision } = ci;
  requireMatch(ifMatch, revision);
  const sideRecords = (gone: RemovedCi) => [deletedEntry(context, gone)];
  const how = { by: caller.id, cascade, sideRecords, ...(ifMatch !== null && { revision }) };
  const gone = await ports.cis.remove(tenant, id, receivedAt, how);
  if (gone === null) throw notFound('Configuration item', id);
  return gone;
};

export const deleteCi = endpoint<Input, string>({
  id: 'cmdb.delete-ci',
  summary: 'Delete a configuration item',
  description: 'Refused with 409 while it has relationships, unless cascade=true. Its history stays.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  conditional: true,
  mounts: [
    mount({ on: 'v1', ...deleted, reply: Message }),
    mount({ on: 'platform', ...deleted, reply: wrapped(Message) }),
  ],
  handle: async (input, context) => messageOf(await removed(context, input)),
});
