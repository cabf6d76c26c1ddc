import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
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

type ProposalBody = z.output<typeof AnalyzedConnectionsBody>['relationships'][number];
const listed = ({ inferred, reasoning, status, relationshipId }: ListedProposal): ProposalBody => {
  const { source, target, type, confidence, port, protocol, frequency, signs } = inferred;
  const shown = { source, target, type: hyphenated(type), confidence, reasoning, port, protocol, frequency };
  return { ...shown, signs: [...signs], status, relationshipId };
};

export const analyzeRelationships = endpoint<ConnectionsAsked, AnalyzedConnections>({
  id: 'ai-relationships.analyze',
  headers: AiModeHeader,
  summary: 'Analyze network connections of a CI',
  description: 'Read-only. Also requires cmdb.read. Excludes proposals rejected in the last 90 days.',
  tag: 'AI: configuration items',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: on.ai.post('/cmdb/ai-relationships/analyze/{ciId}', {
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
      body: { relationships: relationships.map(listed), ignored, ...evidenceBody(grounds) },
    }),
  }),
  handle: (asked, context) => analyzeConnections(context, asked),
});
