import { z } from 'zod';
import type { Relationship } from '#domain/topology/topology.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { bag, name } from './attributes.ts';

/** Relationships in requests and replies (docs/specification.md §10). */

const isRedundancy = ({ redundancy_group: group, redundancy_required: required }: Record<string, unknown>): boolean =>
  (group === undefined || group === null || (typeof group === 'string' && group !== '')) &&
  (required === undefined || required === null || (Number.isInteger(required) && (required as number) >= 1));
/** Null removes the key in a patch. */
const isNoneOr = (type: 'number' | 'string', value: unknown): boolean =>
  (value ?? null) === null || typeof value === type;
const isTyped = ({ port, protocol, criticality }: Record<string, unknown>): boolean =>
  isNoneOr('number', port) && isNoneOr('string', protocol) && isNoneOr('string', criticality);
export const relationshipBag = bag
  .refine(isTyped, { error: 'expected port to be a number, and protocol and criticality to be strings' })
  .refine(isRedundancy, {
    error: 'expected redundancy_group to be a string and redundancy_required a whole number of at least 1',
  })
  .meta({
    description:
      'criticality: critical or high marks the relationship as critical. redundancy_group, redundancy_required (default 1): number of relationships in the same group that the source requires.',
  });

export const CreateRelationship = z
  .strictObject({
    type: name.meta({
      description:
        'depends_on, runs_on, hosted_on, database_connection, network_connection and uses are dependencies of the source on the target. powered_by and located_in are used for root causes; other types for topology only. Hyphens become underscores.',
    }),
    source_ci: name.meta({ description: 'CI ID, external key or name' }),
    source_type: name.optional().meta({ description: 'CI type, to disambiguate equal names' }),
    target_ci: name.meta({ description: 'CI ID, external key or name' }),
    target_type: name.optional().meta({ description: 'CI type, to disambiguate equal names' }),
    attributes: relationshipBag.default({}),
    discovered_by: name.default('manual'),
    confidence: z.number().min(0).max(1).default(1),
  })
  .meta({ id: 'CreateRelationship' });
export type CreateRelationshipInput = z.output<typeof CreateRelationship>;

/** Absent fields stay. */
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

/** Returns a relationship as audit stores it. */
export const relationshipRecord = ({
  id,
  type,
  source,
  target,
  attributes,
  discoveredBy,
  confidence,
}: Relationship) => ({
  id,
  type,
  source_ci: source,
  target_ci: target,
  attributes,
  discovered_by: discoveredBy,
  confidence,
});
