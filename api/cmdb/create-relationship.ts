import { z } from 'zod';
import { onBothLinked } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findEnds } from '#application/cmdb/find-ends.ts';
import { joinOne } from '#application/cmdb/join-ends.ts';
import { entityTag } from '#application/records/if-match.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { mergePatch } from '#domain/merge-patch.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { relationshipTypeWarning } from '#domain/topology/vocabulary.ts';
import {
  CreateRelationship,
  type CreateRelationshipInput,
  type Joined,
  RelationshipBody,
  relationshipBody,
  relationshipRecord,
} from '#schemas/http/cmdb/relationships.ts';

const Created = RelationshipBody.extend({ message: z.string(), warnings: z.array(z.string()) });
const presentAt = (prefix: string) => (joined: Joined) => ({
  status: 201,
  body: {
    ...relationshipBody(joined),
    message: 'Relationship created',
    warnings: [relationshipTypeWarning(joined.relationship.type)].filter((text) => text !== null),
  },
  headers: {
    Location: `${prefix}/cmdb/relationships/${joined.relationship.id}`,
    ETag: entityTag(joined.relationship.revision),
  },
});

/** Throws Fault `invalid` for ends that name no CI, or several. */
async function endsOf(input: CreateRelationshipInput, context: Context): Promise<Pick<Ends, 'source' | 'target'>> {
  const named = { source_ci: input.source_type, target_ci: input.target_type };
  const ends = (['source_ci', 'target_ci'] as const).map((field) => ({
    field,
    text: input[field],
    type: named[field],
  }));
  const find = await findEnds(context, ends);
  const found = ends.map((end) => ({ field: end.field, end: find(end) }));
  const problems = found.flatMap(({ field, end }) => ('error' in end ? [{ field, reason: end.error }] : []));
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
  const [source, target] = found.map(({ end }) => ('id' in end ? end.id : '')) as [string, string];
  if (source === target) throw invalid('target_ci', 'expected a CI other than source_ci');
  return { source, target };
}

const made = (
  input: CreateRelationshipInput,
  ends: Pick<Ends, 'source' | 'target'>,
  { tenant, ports, receivedAt }: Context,
): Relationship => ({
  tenant,
  id: ports.ids.ulid(),
  type: relationshipType(input.type),
  ...ends,
  attributes: mergePatch({}, input.attributes),
  discoveredBy: input.discovered_by,
  confidence: input.confidence,
  createdAt: receivedAt,
  updatedAt: receivedAt,
  revision: 1,
});

export const createRelationship = endpoint<CreateRelationshipInput, Joined>({
  id: 'cmdb.create-relationship',
  summary: 'Create a relationship',
  tag: 'CMDB',
  permission: 'cmdb.write',
  mounts: onBothLinked.post(
    '/cmdb/relationships',
    Created,
    { status: 201, replyHeaders: ['Location', 'ETag'], body: CreateRelationship, read: ({ body }) => body },
    presentAt,
  ),
  async handle(input, context) {
    const relationship = made(input, await endsOf(input, context), context);
    const target = { kind: 'relationship', id: relationship.id };
    const after = relationshipRecord(relationship);
    const entry = audited(context, { action: 'relationship.created', target, before: null, after });
    const joined = await joinOne(context, relationship);
    await context.ports.relationships.put(context.tenant, [relationship], [entry]);
    return joined;
  },
});
