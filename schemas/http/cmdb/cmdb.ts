import { z } from 'zod';
import { CI_STATUSES, type Ci, type Relationship } from '#domain/topology/topology.ts';
import { alias } from '#schemas/http/common.ts';
import { IsoTime, iso, isoOrNull } from '#schemas/http/time.ts';
import { bag, name } from './attributes.ts';

/** Configuration items in requests and replies (docs/specification.md §10). */

const ciFields = {
  name,
  type: name,
  status: z.enum(CI_STATUSES).optional().meta({ default: 'active' }),
  description: z.string().max(32_768).optional(),
  external_key: name.optional(),
  attributes: bag.default({}),
};
/** `customFields` is the /api spelling; both are accepted there. */
export const V1CreateCi = z.strictObject({ ...ciFields, custom_fields: bag.default({}) }).meta({ id: 'V1CreateCi' });
export const CreateCi = z
  .strictObject({ ...ciFields, custom_fields: bag.optional(), customFields: alias(bag.optional()) })
  .transform(({ custom_fields, customFields, ...ci }) => ({
    ...ci,
    custom_fields: { ...custom_fields, ...customFields },
  }))
  .meta({ id: 'CreateCi' });
export type CreateCiInput = z.output<typeof V1CreateCi>;

/** A merge patch (RFC 7396); null removes all. */
const patch = bag.nullable().optional().meta({ description: 'Merge patch (RFC 7396): null removes a key' });
type Patch = z.output<typeof patch>;
const patchFields = {
  name: name.optional(),
  type: name.optional(),
  status: z.enum(CI_STATUSES).optional(),
  description: z.string().max(32_768).nullable().optional(),
  external_key: name.nullable().optional(),
  attributes: patch,
};
/** Combines two patches, the second takes precedence; null in either removes all. */
const bothPatches = (one: Patch, other: Patch): Patch =>
  one === null || other === null ? null : one && other ? { ...one, ...other } : (one ?? other);
/** Absent fields stay. */
export const V1CiPatch = z.strictObject({ ...patchFields, custom_fields: patch }).meta({ id: 'V1CiPatch' });
export const CiPatch = z
  .strictObject({ ...patchFields, custom_fields: patch, customFields: alias(patch) })
  .transform(({ custom_fields, customFields, ...ci }) => ({
    ...ci,
    custom_fields: bothPatches(custom_fields, customFields),
  }))
  .meta({ id: 'CiPatch' });
export type CiPatchInput = z.output<typeof V1CiPatch>;

export const MergeCis = z
  .strictObject({
    from: name.meta({ description: 'ID of the CI to merge' }),
    reason: z.string().trim().min(1).max(1_024).optional().meta({ description: 'Reason for the audit log' }),
  })
  .meta({ id: 'MergeCis' });
export type MergeCis = z.output<typeof MergeCis>;

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
  last_seen: IsoTime.nullable().meta({ description: 'Time of the last scan or import that included it; null: never' }),
  merged_from: z
    .array(z.string())
    .optional()
    .meta({ description: 'IDs and external keys of merged CIs; they resolve to this CI' }),
};
const v1Fields = { id: z.string(), ...bodyFields };
const apiFields = { _id: z.string(), ...bodyFields, customFields: alias(z.record(z.string(), z.unknown()).optional()) };
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
  ...(ci.formerly !== undefined && { merged_from: [...ci.formerly] }),
});

/** Returns a CI as audit and histories store it. */
export const ciRecord = (ci: Ci) => ({ id: ci.id, ...ciBody(ci) });

const seenOf = (lastSeen: number | undefined) => ({ last_seen: isoOrNull(lastSeen ?? null) });

/** Facts that a list shows beside the CI itself. */
interface Beside {
  /** Number of its relationships. */
  readonly count: number;
  readonly lastSeen: number | undefined;
}
const countOf = (ci: Ci, count: number, baseUrl: string) => ({
  count,
  href: `${baseUrl}/v1/cmdb/relationships?ci=${ci.id}`,
});
/** `baseUrl` is the prefix of the address of the relationships; empty for a relative one. */
export const v1CiListed = (ci: Ci, { count, lastSeen }: Beside, baseUrl: string) => ({
  id: ci.id,
  ...ciBody(ci),
  ...seenOf(lastSeen),
  relationships: countOf(ci, count, baseUrl),
});
export const ciListed = (ci: Ci, { count, lastSeen }: Beside, baseUrl: string) => ({
  _id: ci.id,
  ...ciBody(ci),
  ...seenOf(lastSeen),
  customFields: ci.customFields,
  relationships: countOf(ci, count, baseUrl),
});

/** A relationship seen from one of its ends. */
export interface SeenRelationship {
  readonly relationship: Relationship;
  readonly other: { readonly id: string; readonly name: string };
  readonly direction: 'outgoing' | 'incoming';
}
const briefs = (seen: readonly SeenRelationship[]) =>
  seen.map(({ relationship, other, direction }) => ({
    id: relationship.id,
    type: relationship.type,
    direction,
    target_ci: other.id,
    target_name: other.name,
  }));
export const v1CiDetail = (ci: Ci, seen: readonly SeenRelationship[], lastSeen: number | undefined) => ({
  id: ci.id,
  ...ciBody(ci),
  ...seenOf(lastSeen),
  relationships: briefs(seen),
});
export const ciDetail = (ci: Ci, seen: readonly SeenRelationship[], lastSeen: number | undefined) => ({
  _id: ci.id,
  ...ciBody(ci),
  ...seenOf(lastSeen),
  customFields: ci.customFields,
  relationships: briefs(seen),
});
