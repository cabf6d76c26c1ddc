import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { name } from '#schemas/http/cmdb/attributes.ts';
import type { Joined } from '#schemas/http/cmdb/relationships.ts';
import { FILLED_LIST, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { pageFields, pagination, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** AI relationship proposals in requests and responses (docs/insights.md). Responses use hyphens in types; requests accept both spellings. */

const MAX_CONNECTIONS = 10_000;
const end = name.meta({ description: 'CI ID, external key, name or address' });

export const AnalyzeConnections = z
  .strictObject({
    networkConnections: z
      .array(
        z.strictObject({
          sourceServer: end,
          targetServer: end,
          port: z.int().min(1).max(65_535).meta({ description: 'Port on the target' }),
          protocol: z.string().trim().min(1).max(32).default('tcp'),
          frequency: z.number().min(0).max(1e12).default(1).meta({ description: 'Connections seen' }),
        }),
      )
      .max(MAX_CONNECTIONS),
  })
  .meta({ id: 'AnalyzeConnections' });

const confidence = z.number().min(0).max(1);
const count = z.int().min(0);
/** A relationship in terms of its connections. */
export const InferredFields = {
  source: z.string(),
  target: z.string(),
  type: z.string(),
  confidence,
  reasoning: z.string(),
  port: z.int().meta({ description: 'Most significant port' }),
  protocol: z.string(),
  frequency: z.number(),
  signs: z.array(z.enum(['listens', 'agrees', 'days', 'fan-out', 'cluster', 'replication'])),
  status: z
    .enum(['new', 'open', 'known'])
    .meta({ description: 'open: already proposed; known: the relationship exists' }),
  relationshipId: z.string().nullable(),
};
export const AnalyzedConnectionsBody = succeeded({
  relationships: z.array(z.object(InferredFields)).meta({ description: 'Highest confidence first, up to 500' }),
  ignored: z.object({
    notThisCi: count.meta({ description: "Rows that don't involve the CI; used for fan-out only" }),
    unresolved: count.meta({ description: 'Rows with an endpoint that matches no CI or several' }),
    self: count.meta({ description: 'Rows connecting a CI to itself' }),
    tooUncertain: count.meta({ description: 'Relationships with a confidence below 0.3' }),
    refused: count.meta({ description: 'Relationships rejected in the last 90 days' }),
  }),
  ...evidenceFields,
});

export const hyphenated = (type: string): string => type.replaceAll('_', '-');

export const NewAiRelationship = z
  .strictObject({
    source: name.meta({ description: 'CI ID, external key or name' }),
    target: name.meta({ description: 'CI ID, external key or name' }),
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
      .meta({ description: 'Evidence, for example port, protocol and number of connections' }),
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
  .refine(({ accept, reject }) => accept.length + reject.length > 0, 'expected IDs in accept or reject')
  .meta({ id: 'DecideProposals', ...oneShapeOf(...fieldsOf(FILLED_LIST, 'accept', 'reject')) });
export const DecidedProposals = succeeded({
  accepted: count,
  rejected: count,
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
});
