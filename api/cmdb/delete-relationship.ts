import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findRelationship } from '#application/cmdb/join-ends.ts';
import { refusalsOf } from '#application/cmdb/refusals.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { notFound } from '#domain/fault.ts';
import { isProposed, type Relationship } from '#domain/topology/topology.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';
import { Message } from '#schemas/http/common.ts';

const deleted = {
  path: '/cmdb/relationships/{id}',
  params: z.object({ id: z.string() }),
  method: 'delete',
  read: ({ params }: { params: { id: string } }) => params.id,
  present: () => ({ body: { message: 'Relationship deleted' } }),
} as const;

export const deleteRelationship = endpoint<string, void>({
  tag: 'CMDB',
  limit: 'standard',
  conditional: true,
  id: 'cmdb.delete-relationship',
  summary: 'Delete a relationship',
  permission: 'cmdb.write',
  mounts: both(deleted, Message),
  async handle(id, context) {
    const { tenant, ports, receivedAt, ifMatch, caller } = context;
    const { revision } = await findRelationship(context, id);
    requireMatch(ifMatch, revision);
    const target = { kind: 'relationship', id };
    const entry = (gone: Relationship) =>
      audited(context, { action: 'relationship.deleted', target, before: relationshipRecord(gone), after: null });
    const gone = await ports.relationships.remove(tenant, id, receivedAt, {
      sideRecords: (gone) => [
        entry(gone),
        ...(isProposed(gone) ? refusalsOf(tenant, gone, receivedAt, caller.id) : []),
      ],
      ...(ifMatch !== null && { revision }),
    });
    if (gone === null) throw notFound('Relationship', id);
  },
});
