import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
import { DiscoveredRelationshipsBody, DiscoverRelationships } from '#features/proposals/schemas/discovered.ts';
import { hyphenated } from '#features/proposals/schemas/proposals.ts';
import {
  type DiscoveredRelationship,
  type DiscoveredRelationships,
  type DiscoveryAsked,
  discoverRelationships,
} from '#features/proposals/use-cases/discover.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type Shown = z.output<typeof DiscoveredRelationshipsBody>['relationships'][number];
const shown = ({ source, target, type, signs, ...one }: DiscoveredRelationship): Shown => ({
  source: source.id,
  target: target.id,
  sourceName: source.name,
  targetName: target.name,
  type: hyphenated(type),
  signs: [...signs],
  ...one,
});

/** Relationships in what scans have left, and in incidents. */
export const discover = endpoint<DiscoveryAsked, DiscoveredRelationships>({
  id: 'ai.discover-relationships',
  summary: 'Find relationships in connections that scans have seen, and in incidents',
  description:
    'Needs cmdb.read too, events.read for incidents, and cmdb.write to store. Header X-AI-Mode: rules, model or auto. Proposals that a person deleted are left out for 90 days.',
  tag: 'AI: configuration items',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/ai/discover-relationships',
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
        body: { relationships: relationships.map(shown), looked, ignored, stored, ...groundsBody(grounds) },
      }),
    }),
  ],
  handle: (asked, context) => discoverRelationships(context, asked),
});
