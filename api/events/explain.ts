import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { type ExplainedPair, explainPair } from '#application/events/explain-pair.ts';
import { ExplainReply } from '#schemas/http/events/explain-view.ts';

interface ExplainRequest {
  readonly eventId: string;
  readonly other: string;
}

export const explainEvents = endpoint<ExplainRequest, ExplainedPair>({
  id: 'events.explain',
  summary: "Explain why two events are or aren't grouped",
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/{eventId}/explain', {
    params: z.object({ eventId: z.string() }),
    query: z.strictObject({ with: z.string() }),
    reply: ExplainReply,
    read: ({ params, query }) => ({ eventId: params.eventId, other: query.with }),
    present: ({ usual, ...explained }) => ({ body: { ...explained, usual: [...usual] } }),
  }),
  handle: ({ eventId, other }, context) => explainPair(context, eventId, other),
});
