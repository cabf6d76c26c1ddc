import { z } from 'zod';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { name } from '#schemas/http/cmdb/attributes.ts';
import type { Joined } from '#schemas/http/cmdb/relationships.ts';
import { FILLED_LIST, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { pageFields, pagination, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** Relationships that AI proposes, as they come and go (docs/insights.md). Types leave with hyphens; both spellings are taken. */

const MAX_CONNECTIONS = 10_000;
const end = name.meta({ description: 'Id, external key, name or address of a CI' });

export const AnalyzeConnections = z
  .strictObject({
    networkConnections: z
      .array(
        z.strictObject({
          sourceServer: end,
          targetServer: end,
          port: z.int().min(1).max(65_535).meta({ description: 'That the target is connected to' }),
          protocol: z.string().trim().min(1).max(32).default('tcp'),
          frequency: z.number().min(0).max(1e12).default(1).meta({ description: 'Connections seen' }),
        }),
      )
      .max(MAX_CONNECTIONS),
  })
  .meta({ id: 'AnalyzeConnections' });

const confidence = z.number().min(0).max(1);
const count = z.int().min(0);
/** A relationship as connections tell of it. */
export const InferredFields = {
  source: z.string(),
  target: z.string(),
  type: z.string(),
  confidence,
  reasoning: z.string(),
  port: z.int().meta({ description: 'The port that says most' }),
  protocol: z.string(),
  frequency: z.number(),
  signs: z.array(z.enum(['listens', 'agrees', 'days', 'fan-out', 'cluster'])),
  status: z
    .enum(['new', 'open', 'known'])
    .meta({ description: 'open: proposed already; known: there is such a relationship' }),
  relationshipId: z.string().nullable(),
};
export const AnalyzedConnectionsBody = succeeded({
  relationships: z.array(z.object(InferredFields)).meta({ description: 'The surest first, at most 500' }),
  ignored: z.object({
    notThisCi: count.meta({ description: 'Rows that do not touch the CI; they count for fan-out' }),
    unresolved: count.meta({ description: 'Rows with an end that no CI is known by, or several are' }),
    self: count.meta({ description: 'Rows from a CI to itself' }),
    tooUncertain: count.meta({ description: 'Relationships with a confidence below 0.3' }),
    refused: count.meta({ description: 'Relationships that a person refused within 90 days' }),
  }),
  ...groundsFields,
});

export const hyphenated = (type: string): string => type.replaceAll('_', '-');

export const NewAiRelationship = z
  .strictObject({
    source: name.meta({ description: 'Id, external key or name of the CI' }),
    target: name.meta({ description: 'Id, external key or name of the CI' }),
    type: name,
    confidence: confidence.default(0.5),
  })
  .meta({ id: 'NewAiRelationship' });

export const AiRelationshipPatch = z
  .strictObject({ type: name.optional(), confidence: confidence.optional() })
  .meta({ id: 'AiRelationshipPatch' });

const id = z.string().max(256);
export const AiRelationshipsQuery = z
  .strictObject({
    source: id.optional(),
    target: id.optional(),
    type: id.optional(),
    status: z.enum(['open', 'accepted']).optional(),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(withinWindow);

const AiRelationship = z
  .object({
    id: z.string(),
    source: z.string(),
    target: z.string(),
    type: z.string(),
    confidence,
    status: z.enum(['open', 'accepted']),
    sourceName: z.string(),
    targetName: z.string(),
    createdAt: IsoTime,
    updatedAt: IsoTime,
    evidence: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it was found by, such as port, protocol and number of connections' }),
  })
  .meta({ id: 'AiRelationship' });
export const AiRelationshipsBody = succeeded({ relationships: z.array(AiRelationship), pagination });

export const aiRelationship = (
  { relationship, source, target }: Joined,
  isOpen: boolean,
): z.output<typeof AiRelationship> => ({
  id: relationship.id,
  source: source.id,
  target: target.id,
  type: hyphenated(relationship.type),
  confidence: relationship.confidence,
  status: isOpen ? 'open' : 'accepted',
  sourceName: source.name,
  targetName: target.name,
  createdAt: iso(relationship.createdAt),
  updatedAt: iso(relationship.updatedAt),
  evidence: { ...relationship.attributes },
});

const MAX_DECIDED = 100;
const ids = z.array(z.string().min(1).max(256)).max(MAX_DECIDED).default([]);
export const DecideProposals = z
  .strictObject({ accept: ids, reject: ids })
  .refine(({ accept, reject }) => accept.length + reject.length > 0, 'expected ids to accept or to reject')
  .meta({ id: 'DecideProposals', ...oneShapeOf(...fieldsOf(FILLED_LIST, 'accept', 'reject')) });
export const DecidedProposals = succeeded({
  accepted: count,
  rejected: count,
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
});
