import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
import { CiPath } from '#features/insights/schemas/insights.ts';
import { AnalyzeConnections, AnalyzedConnectionsBody, hyphenated } from '#features/proposals/schemas/proposals.ts';
import {
  type AnalyzedConnections,
  analyzeConnections,
  type ConnectionsAsked,
  type ListedProposal,
} from '#features/proposals/use-cases/analyze-connections.ts';

/** 10,000 connections with long names. */
const MAX_BYTES = 8 * 1024 * 1024;

type Listed = z.output<typeof AnalyzedConnectionsBody>['relationships'][number];
const listed = ({ inferred, reasoning, status, relationshipId }: ListedProposal): Listed => {
  const { source, target, type, confidence, port, protocol, frequency, signs } = inferred;
  const shown = { source, target, type: hyphenated(type), confidence, reasoning, port, protocol, frequency };
  return { ...shown, signs: [...signs], status, relationshipId };
};

export const analyzeRelationships = endpoint<ConnectionsAsked, AnalyzedConnections>({
  id: 'ai-relationships.analyze',
  summary: 'Find relationships of a CI in network connections',
  description:
    'Nothing is stored. Needs cmdb.read too. Header X-AI-Mode: rules, model or auto. Proposals that a person deleted are left out for 90 days.',
  tag: 'AI: configuration items',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: '/cmdb/ai-relationships/analyze/{ciId}',
      params: CiPath,
      body: AnalyzeConnections,
      maxBytes: MAX_BYTES,
      reply: AnalyzedConnectionsBody,
      read: ({ params, body, headers }) => ({
        ciId: params.ciId,
        connections: body.networkConnections,
        mode: aiMode(headers),
      }),
      present: ({ relationships, ignored, grounds }) => ({
        body: { relationships: relationships.map(listed), ignored, ...groundsBody(grounds) },
      }),
    }),
  ],
  handle: (asked, context) => analyzeConnections(context, asked),
});
