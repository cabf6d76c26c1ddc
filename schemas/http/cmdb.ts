import { z } from 'zod';
import { CI_STATUSES, type Ci, type Relationship } from '#domain/topology/topology.ts';
import { IsoTime, iso } from './time.ts';

/** Configuration items and relationships as they come and go (specification, "Configuration item", "Relationship"). */

const name = z.string().min(1).max(255);
const key = z.string().max(256);
const JSON_BYTES = 64 * 1_024;
/** Whether attributes may be kept; patches can make them grow. */
export const fits = (attributes: unknown): boolean => JSON.stringify(attributes).length <= JSON_BYTES;
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
const bag = z.record(key, z.unknown()).refine(fits, { error: TOO_MUCH });

const ciFields = {
  name,
  type: name,
  status: z.enum(CI_STATUSES).default('active'),
  description: z.string().max(32_768).optional(),
  external_key: name.optional(),
  attributes: bag.default({}),
};
/** `customFields` is the /api spelling; both are taken there. */
export const V1CreateCi = z.strictObject({ ...ciFields, custom_fields: bag.default({}) }).meta({ id: 'V1CreateCi' });
export const CreateCi = z
  .strictObject({ ...ciFields, custom_fields: bag.optional(), customFields: bag.optional() })
  .transform(({ custom_fields, customFields, ...ci }) => ({
    ...ci,
    custom_fields: { ...custom_fields, ...customFields },
  }))
  .meta({ id: 'CreateCi' });
export type CreateCiInput = z.output<typeof V1CreateCi>;

/** A merge patch (RFC 7396); null removes all. */
const patch = bag.nullable().optional().meta({ description: 'Merge patch (RFC 7396): null removes a key' });
const patchFields = {
  name: name.optional(),
  type: name.optional(),
  status: z.enum(CI_STATUSES).optional(),
  description: z.string().max(32_768).nullable().optional(),
  external_key: name.nullable().optional(),
  attributes: patch,
};
/** What is absent stays. */
export const V1CiPatch = z.strictObject({ ...patchFields, custom_fields: patch }).meta({ id: 'V1CiPatch' });
export const CiPatch = z
  .strictObject({ ...patchFields, custom_fields: patch, customFields: patch })
  .transform(({ custom_fields, customFields, ...ci }) => ({
    ...ci,
    custom_fields:
      customFields && custom_fields ? { ...custom_fields, ...customFields } : (customFields ?? custom_fields),
  }))
  .meta({ id: 'CiPatch' });
export type CiPatchInput = z.output<typeof V1CiPatch>;

const isRedundancy = ({ redundancy_group: group, redundancy_required: required }: Record<string, unknown>): boolean =>
  (group === undefined || group === null || (typeof group === 'string' && group !== '')) &&
  (required === undefined || required === null || (Number.isInteger(required) && (required as number) >= 1));
const relationshipBag = bag
  .refine(isRedundancy, {
    error: 'expected redundancy_group to be a text and redundancy_required a whole number from 1',
  })
  .meta({
    description:
      'criticality: critical or high make the relationship critical. redundancy_group and redundancy_required (1): of the relationships of one source with the same group, so many must be left for the source to live.',
  });

export const CreateRelationship = z
  .strictObject({
    type: name.meta({
      description:
        'The source depends on the target with depends_on, runs_on, hosted_on, database_connection, network_connection, uses; powered_by and located_in count for root causes; any other type for topology alone. Hyphens become underscores.',
    }),
    source_ci: name,
    target_ci: name,
    attributes: relationshipBag.default({}),
    discovered_by: name.default('manual'),
    confidence: z.number().min(0).max(1).default(1),
  })
  .meta({ id: 'CreateRelationship' });
export type CreateRelationshipInput = z.output<typeof CreateRelationship>;

/** What is absent stays. */
export const RelationshipPatch = z
  .strictObject({
    type: name.optional(),
    attributes: relationshipBag
      .nullable()
      .optional()
      .meta({ description: 'Merge patch (RFC 7396): null removes a key' }),
    discovered_by: name.optional(),
    confidence: z.number().min(0).max(1).optional(),
  })
  .meta({ id: 'RelationshipPatch' });
export type RelationshipPatchInput = z.output<typeof RelationshipPatch>;

const RelationshipCount = z.object({ count: z.number().int(), href: z.string() });
const RelationshipBrief = z.object({
  id: z.string(),
  type: z.string(),
  direction: z.enum(['outgoing', 'incoming']),
  target_ci: z.string(),
  target_name: z.string(),
});
const bodyFields = {
  name: z.string(),
  type: z.string(),
  status: z.enum(CI_STATUSES),
  description: z.string().optional(),
  external_key: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()),
  custom_fields: z.record(z.string(), z.unknown()),
  created_at: IsoTime,
  updated_at: IsoTime,
  created_by: z.string(),
  updated_by: z.string(),
};
const v1Fields = { id: z.string(), ...bodyFields };
const apiFields = { _id: z.string(), ...bodyFields, customFields: z.record(z.string(), z.unknown()) };
export const V1CiListed = z.object({ ...v1Fields, relationships: RelationshipCount }).meta({ id: 'V1CiListed' });
export const CiListed = z.object({ ...apiFields, relationships: RelationshipCount }).meta({ id: 'CiListed' });
export const V1CiDetail = z
  .object({ ...v1Fields, relationships: z.array(RelationshipBrief) })
  .meta({ id: 'V1CiDetail' });
export const CiDetail = z.object({ ...apiFields, relationships: z.array(RelationshipBrief) }).meta({ id: 'CiDetail' });

/** Relationships shown in the detail form, both directions together. */
export const DETAIL_RELATIONSHIPS = 100;

const ciBody = (ci: Ci) => ({
  name: ci.name,
  type: ci.type,
  status: ci.status,
  ...(ci.description !== undefined && { description: ci.description }),
  ...(ci.externalKey !== undefined && { external_key: ci.externalKey }),
  attributes: ci.attributes,
  custom_fields: ci.customFields,
  created_at: iso(ci.createdAt),
  updated_at: iso(ci.updatedAt),
  created_by: ci.createdBy,
  updated_by: ci.updatedBy,
});

/** As audit and histories keep it. */
export const ciRecord = (ci: Ci) => ({ id: ci.id, ...ciBody(ci) });

const countOf = (ci: Ci, count: number, baseUrl: string) => ({
  count,
  href: `${baseUrl}/v1/cmdb/relationships?ci=${ci.id}`,
});
/** `baseUrl` stands before the address of the relationships; empty for a relative one. */
export const v1CiListed = (ci: Ci, count: number, baseUrl: string) => ({
  id: ci.id,
  ...ciBody(ci),
  relationships: countOf(ci, count, baseUrl),
});
export const ciListed = (ci: Ci, count: number, baseUrl: string) => ({
  _id: ci.id,
  ...ciBody(ci),
  customFields: ci.customFields,
  relationships: countOf(ci, count, baseUrl),
});

/** A relationship seen from one of its ends. */
export interface Seen {
  readonly relationship: Relationship;
  readonly other: { readonly id: string; readonly name: string };
  readonly direction: 'outgoing' | 'incoming';
}
const briefs = (seen: readonly Seen[]) =>
  seen.map(({ relationship, other, direction }) => ({
    id: relationship.id,
    type: relationship.type,
    direction,
    target_ci: other.id,
    target_name: other.name,
  }));
export const v1CiDetail = (ci: Ci, seen: readonly Seen[]) => ({
  id: ci.id,
  ...ciBody(ci),
  relationships: briefs(seen),
});
export const ciDetail = (ci: Ci, seen: readonly Seen[]) => ({
  _id: ci.id,
  ...ciBody(ci),
  customFields: ci.customFields,
  relationships: briefs(seen),
});

const End = z.object({ id: z.string(), name: z.string(), type: z.string() });
const relationshipFields = {
  type: z.string(),
  source: End,
  target: End,
  attributes: z.record(z.string(), z.unknown()),
  discovered_by: z.string(),
  confidence: z.number(),
  created_at: IsoTime,
  updated_at: IsoTime,
};
export const RelationshipBody = z.object({ id: z.string(), ...relationshipFields }).meta({ id: 'Relationship' });

/** A relationship with both ends. */
export interface Joined {
  readonly relationship: Relationship;
  readonly source: z.output<typeof End>;
  readonly target: z.output<typeof End>;
}
export const relationshipBody = ({ relationship, source, target }: Joined): z.output<typeof RelationshipBody> => ({
  id: relationship.id,
  type: relationship.type,
  source,
  target,
  attributes: { ...relationship.attributes },
  discovered_by: relationship.discoveredBy,
  confidence: relationship.confidence,
  created_at: iso(relationship.createdAt),
  updated_at: iso(relationship.updatedAt),
});

/** As audit keeps it. */
export const relationshipRecord = ({
  id,
  type,
  source,
  target,
  attributes,
  discoveredBy,
  confidence,
}: Relationship) => ({
  ...{ id, type, source_ci: source, target_ci: target, attributes, discovered_by: discoveredBy, confidence },
});
