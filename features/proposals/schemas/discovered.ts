import { z } from 'zod';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { RELATIONSHIP_SOURCES } from '#features/proposals/rules/sources.ts';
import { InferredFields } from './proposals.ts';

/** Relationships that stored network records tell of (docs/insights.md). */

const MAX_CIS = 500;
const DEFAULT_CONFIDENCE = 0.6;

export const DiscoverRelationships = z
  .strictObject({
    ciIds: z.array(z.string().trim().min(1).max(256)).min(1).max(MAX_CIS).optional().meta({
      description: 'CIs whose outgoing connections and incidents are looked at; absent: all, as far as they are read',
    }),
    sources: z.array(z.enum(RELATIONSHIP_SOURCES)).min(1).max(RELATIONSHIP_SOURCES.length).default(['network']).meta({
      description:
        'network: connections that scans have seen; incidents: CIs that fail one after the other (events.read)',
    }),
    minConfidence: z.number().min(0).max(1).default(DEFAULT_CONFIDENCE),
    store: z.boolean().default(false).meta({ description: 'Keep those that are new as proposals; needs cmdb.write' }),
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
          port: z.int().nullable().meta({ description: 'The port that says most; null: found in incidents' }),
          protocol: z.string().nullable(),
          frequency: z.number().meta({ description: 'Connections, or incidents' }),
          foundBy: z.enum(RELATIONSHIP_SOURCES),
          sourceName: z.string(),
          targetName: z.string(),
          stored: z.boolean().meta({ description: 'This request has stored it as a proposal' }),
        }),
      )
      .meta({ description: 'The surest first, at most 500' }),
    looked: z.object({
      cis: count.meta({ description: 'CIs of which scans have seen something' }),
      connections: count.meta({ description: 'Between two CIs, by port' }),
      incidents: count.meta({ description: 'Of the last 90 days' }),
      truncated: z.boolean().meta({ description: 'Only a part was looked at, or listed: name ciIds' }),
    }),
    ignored: z.object({
      unresolved: count.meta({ description: 'Addresses that no CI has, or several have' }),
      self: count.meta({ description: 'Connections from a CI to itself' }),
      withoutPort: count,
      tooUncertain: count.meta({ description: 'Relationships below minConfidence, or below 0.3' }),
      refused: count.meta({ description: 'Relationships that a person refused within 90 days' }),
    }),
    stored: count,
    ...groundsFields,
  })
  .meta({ id: 'DiscoveredRelationships' });
