import { z } from 'zod';
import { audited } from '#api/access/audit.ts';
import { type Context, endpoint, mount } from '#api/endpoint.ts';
import { entityTag } from '#api/if-match.ts';
import { invalid } from '#domain/fault.ts';
import { mergePatch } from '#domain/merge-patch.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import {
  CreateRelationship,
  type CreateRelationshipInput,
  type Joined,
  RelationshipBody,
  relationshipBody,
  relationshipRecord,
} from '#schemas/http/cmdb-relationships.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { joinOne, requireCis } from './join-ends.ts';

const Created = RelationshipBody.extend({ message: z.string() });
const created = {
  method: 'post',
  path: '/cmdb/relationships',
  status: 201,
  body: CreateRelationship,
  read: ({ body }: { body: CreateRelationshipInput }) => body,
} as const;
const presentAt = (prefix: string) => (joined: Joined) => ({
  status: 201,
  body: { ...relationshipBody(joined), message: 'Relationship created' },
  headers: {
    Location: `${prefix}/cmdb/relationships/${joined.relationship.id}`,
    ETag: entityTag(joined.relationship.revision),
  },
});

const made = (input: CreateRelationshipInput, { tenant, ports, receivedAt }: Context): Relationship => ({
  tenant,
  id: ports.ids.ulid(),
  type: relationshipType(input.type),
  source: input.source_ci,
  target: input.target_ci,
  attributes: mergePatch({}, input.attributes),
  discoveredBy: input.discovered_by,
  confidence: input.confidence,
  createdAt: receivedAt,
  updatedAt: receivedAt,
  revision: 1,
});

export const createRelationship = endpoint<CreateRelationshipInput, Joined>({
  id: 'cmdb.create-relationship',
  summary: 'Create a relationship: source depends on, runs on, uses … target',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  mounts: [
    mount({ on: 'v1', ...created, reply: Created, present: presentAt('/v1') }),
    mount({ on: 'platform', ...created, reply: wrapped(Created), present: presentAt('/api') }),
  ],
  async handle(input, context) {
    const { source_ci, target_ci } = input;
    if (source_ci === target_ci) throw invalid('target_ci', 'expected a CI other than source_ci');
    await requireCis(context, { source_ci, target_ci });
    const relationship = made(input, context);
    const target = { kind: 'relationship', id: relationship.id };
    const after = relationshipRecord(relationship);
    const entry = audited(context, { action: 'relationship.created', target, before: null, after });
    await context.ports.topology.putRelationships(context.tenant, [relationship], [entry]);
    return joinOne(context, relationship);
  },
});
