import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { asOfField, assertRetained, requirePast } from '#application/cmdb/as-of.ts';
import { findRelationship, joinOne } from '#application/cmdb/join-ends.ts';
import { entityTag } from '#application/records/if-match.ts';
import { revise } from '#application/records/revise.ts';
import { sameJson } from '#domain/same-json.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import {
  type Joined,
  RelationshipBody,
  RelationshipPatch,
  type RelationshipPatchInput,
  relationshipBody,
  relationshipRecord,
} from '#schemas/http/cmdb/relationships.ts';
import { patched } from './update-ci.ts';

const common = { tag: 'CMDB', limit: 'standard' } as const;
const at = { path: '/cmdb/relationships/{id}', params: z.object({ id: z.string() }) } as const;
const present = (joined: Joined) => ({
  body: relationshipBody(joined),
  headers: { ETag: entityTag(joined.relationship.revision) },
});

interface GetInput {
  readonly id: string;
  readonly asOf: number | undefined;
}

export const getRelationship = endpoint<GetInput, Joined>({
  ...common,
  id: 'cmdb.get-relationship',
  summary: 'Get a relationship',
  description: 'Use as_of for a past state.',
  permission: 'cmdb.read',
  alsoFaults: ['unprocessable'],
  mounts: both(
    {
      ...at,
      method: 'get',
      replyHeaders: ['ETag'],
      query: z.strictObject({ as_of: asOfField }),
      read: ({ params, query }: { params: { id: string }; query: { as_of?: number | undefined } }): GetInput => ({
        id: params.id,
        asOf: query.as_of,
      }),
      present,
    },
    RelationshipBody,
  ),
  async handle({ id, asOf }, context) {
    requirePast(asOf, context);
    const found = await findRelationship(context, id, asOf);
    assertRetained(asOf, context);
    return joinOne(context, found, asOf);
  },
});

interface UpdateInput {
  readonly id: string;
  readonly patch: RelationshipPatchInput;
}
interface Updating {
  readonly params: { id: string };
  readonly body: RelationshipPatchInput;
}

const changedBy =
  (patch: RelationshipPatchInput, { receivedAt }: Context) =>
  (before: Relationship): Relationship => {
    const after = {
      ...before,
      type: patch.type === undefined ? before.type : relationshipType(patch.type),
      attributes: patched(before.attributes, patch.attributes, 'attributes'),
      discoveredBy: patch.discovered_by ?? before.discoveredBy,
      confidence: patch.confidence ?? before.confidence,
    };
    if (sameJson(before, after)) return before;
    return { ...after, updatedAt: Math.max(receivedAt, before.updatedAt), revision: before.revision + 1 };
  };

export const updateRelationship = endpoint<UpdateInput, Joined>({
  ...common,
  id: 'cmdb.update-relationship',
  summary: 'Update a relationship',
  description:
    "Omitted fields are unchanged. attributes is a merge patch (RFC 7396). Endpoints can't be changed; create a new relationship instead. Send If-Match with an ETag to get 412 on concurrent changes.",
  permission: 'cmdb.write',
  conditional: true,
  mounts: both(
    {
      ...at,
      method: 'put',
      replyHeaders: ['ETag'],
      body: RelationshipPatch,
      read: ({ params, body }: Updating): UpdateInput => ({ id: params.id, patch: body }),
      present,
    },
    RelationshipBody,
  ),
  async handle({ id, patch }, context) {
    const { tenant, ports } = context;
    const target = { kind: 'relationship', id };
    const updated = (before: Relationship, after: Relationship) => {
      const seen = { before: relationshipRecord(before), after: relationshipRecord(after) };
      return audited(context, { action: 'relationship.updated', target, ...seen });
    };
    const joined = await joinOne(context, await findRelationship(context, id));
    const { after } = await revise<Relationship>(ports, {
      of: ['relationship', tenant, id],
      ifMatch: context.ifMatch,
      load: () => findRelationship(context, id),
      change: changedBy(patch, context),
      put: (next, before) => ports.relationships.put(tenant, [next], [updated(before, next)]),
    });
    return { ...joined, relationship: after };
  },
});
