import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { RELATIONSHIP_SOURCES } from '#features/proposals/rules/sources.ts';
import { InferredFields } from './proposals.ts';

/** Relationships from stored network records (docs/insights.md). */

const MAX_CIS = 500;
const DEFAULT_CONFIDENCE = 0.6;

export const DiscoverRelationships = z
  .strictObject({
    ciIds: z.array(z.string().trim().min(1).max(256)).min(1).max(MAX_CIS).optional().meta({
      description: 'CIs to evaluate; default: all that can be read',
    }),
    sources: z.array(z.enum(RELATIONSHIP_SOURCES)).min(1).max(RELATIONSHIP_SOURCES.length).default(['network']).meta({
      description: 'network: scanned connections; incidents: CIs that fail in sequence (events.read)',
    }),
    minConfidence: z.number().min(0).max(1).default(DEFAULT_CONFIDENCE),
    store: z
      .boolean()
      .default(false)
      .meta({ description: 'true: store new relationships as proposals; requires cmdb.write' }),
  })
  .meta({
    id: 'DiscoverRelationships',
    example: { sources: ['network', 'incidents'], minConfidence: 0.7, store: false },
  });

const count = z.int().min(0);
export const DiscoveredRelationshipsBody = z
  .object({
    relationships: z
      .array(
        z.object({
          ...InferredFields,
          port: z.int().nullable().meta({ description: 'Most significant port; null: found in groups' }),
          protocol: z.string().nullable(),
          frequency: z.number().meta({ description: 'Number of connections or groups' }),
          foundBy: z.enum(RELATIONSHIP_SOURCES),
          sourceName: z.string(),
          targetName: z.string(),
          stored: z.boolean().meta({ description: 'True if this request stored it as a proposal' }),
        }),
      )
      .meta({ description: 'Highest confidence first, up to 500' }),
    looked: z.object({
      cis: count.meta({ description: 'CIs with scan data' }),
      connections: count.meta({ description: 'Connections between two CIs, by port' }),
      incidents: count.meta({ description: 'In the last 90 days' }),
      truncated: z.boolean().meta({ description: 'Partial result; narrow it with ciIds' }),
    }),
    ignored: z.object({
      unresolved: count.meta({ description: 'Addresses that match no CI or several' }),
      self: count.meta({ description: 'Connections of a CI to itself' }),
      withoutPort: count,
      tooUncertain: count.meta({ description: 'Relationships below minConfidence, or below 0.3' }),
      refused: count.meta({ description: 'Relationships rejected in the last 90 days' }),
    }),
    stored: count,
    ...evidenceFields,
  })
  .meta({ id: 'DiscoveredRelationships' });
