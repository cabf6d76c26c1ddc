import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { DiscoveredRelationshipsBody, DiscoverRelationships } from '#features/proposals/schemas/discovered.ts';
import { hyphenated } from '#features/proposals/schemas/proposals.ts';
import {
  type DiscoveredRelationship,
  type DiscoveredRelationships,
  type DiscoveryAsked,
  discoverRelationships,
} from '#features/proposals/use-cases/discover.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type RelationshipBody = z.output<typeof DiscoveredRelationshipsBody>['relationships'][number];
const shown = ({ source, target, type, signs, ...one }: DiscoveredRelationship): RelationshipBody => ({
  source: source.id,
  target: target.id,
  sourceName: source.name,
  targetName: target.name,
  type: hyphenated(type),
  signs: [...signs],
  ...one,
});

/** Finds relationships in scan data and in incidents. */
export const discover = endpoint<DiscoveryAsked, DiscoveredRelationships>({
  id: 'ai.discover-relationships',
  headers: AiModeHeader,
  summary: 'Discover relationships',
  description:
    'Excludes proposals rejected in the last 90 days. Also requires cmdb.read, events.read for groups, and cmdb.write to store.',
  tag: 'AI: configuration items',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
  mounts: on.platform.post('/ai/discover-relationships', {
    body: DiscoverRelationships,
    reply: wrapped(DiscoveredRelationshipsBody),
    read: ({ body: { ciIds, sources, minConfidence, store }, headers }) => ({
      ciIds: ciIds ?? null,
      sources,
      minConfidence,
      store,
      mode: aiMode(headers),
    }),
    present: ({ relationships, looked, ignored, stored, grounds }) => ({
      body: { relationships: relationships.map(shown), looked, ignored, stored, ...evidenceBody(grounds) },
    }),
  }),
  handle: (asked, context) => discoverRelationships(context, asked),
});
