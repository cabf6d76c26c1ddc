import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  type DiscoveredRelationships,
  type DiscoveryAsked,
  discoverRelationships,
} from '#application/proposals/discover.ts';
import { DiscoveredRelationshipsBody, DiscoverRelationships } from '#schemas/http/ai/discovered.ts';
import { aiMode, groundsBody } from '#schemas/http/ai/grounds.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { listed } from './analyze.ts';

/** Relationships in what scans have left. */
export const discover = endpoint<DiscoveryAsked, DiscoveredRelationships>({
  id: 'ai.discover-relationships',
  summary: 'Find relationships in the network connections that scans have seen',
  description:
    'Needs cmdb.read too, and cmdb.write to store. Header X-AI-Mode: rules, model or auto. Proposals that a person deleted are left out for 90 days.',
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
      read: ({ body: { ciIds, minConfidence, store }, headers }) => ({
        ...{ ciIds: ciIds ?? null, minConfidence, store, mode: aiMode(headers) },
      }),
      present: ({ relationships, looked, ignored, stored, grounds }) => ({
        body: {
          relationships: relationships.map((one) => ({
            ...listed(one),
            ...{ sourceName: one.source.name, targetName: one.target.name, stored: one.stored },
          })),
          ...{ looked, ignored, stored, ...groundsBody(grounds) },
        },
      }),
    }),
  ],
  handle: (asked, context) => discoverRelationships(context, asked),
});
