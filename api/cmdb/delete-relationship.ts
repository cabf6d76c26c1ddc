import { z } from 'zod';
import { audit } from '#api/access/audit.ts';
import { endpoint, mount } from '#api/endpoint.ts';
import { requireMatch } from '#api/if-match.ts';
import { notFound } from '#domain/fault.ts';
import { relationshipRecord } from '#schemas/http/cmdb-relationships.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { findRelationship } from './join-ends.ts';

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
  mounts: [
    mount({ on: 'v1', ...deleted, reply: Message }),
    mount({ on: 'platform', ...deleted, reply: wrapped(Message) }),
  ],
  async handle(id, context) {
    const { tenant, ports, receivedAt, ifMatch } = context;
    const { revision } = await findRelationship(context, id);
    requireMatch(ifMatch, revision);
    const gone = await ports.topology.removeRelationship(tenant, id, receivedAt, {
      ...(ifMatch !== null && { revision }),
    });
    if (gone === null) throw notFound('Relationship', id);
    const target = { kind: 'relationship', id };
    await audit(context, { action: 'relationship.deleted', target, before: relationshipRecord(gone), after: null });
  },
});
