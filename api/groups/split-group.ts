import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { type GroupSplit, type SplitDone, splitGroup as split } from '#application/groups/split-group.ts';
import { SplitReply, SplitRequest } from '#schemas/http/events/groups.ts';

const params = z.object({ correlationId: z.string() });

export const splitGroup = endpoint<GroupSplit, SplitDone>({
  id: 'events.group-split',
  summary: 'Split events from a group',
  description:
    'Two or more events form a new group; a single event becomes ungrouped. They are never regrouped automatically; use POST /api/events/correlate. Superseded events move along. Idempotent.',
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  alsoFaults: ['not-found'],
  mounts: on.events.post('/groups/{correlationId}/split', {
    params,
    body: SplitRequest,
    reply: SplitReply,
    alsoStatus: [202],
    read: ({ params, body }): GroupSplit => ({ ...params, ...body }),
    present: ({ correlationId, isQueued }) => ({
      status: isQueued ? 202 : 200,
      body: { correlationId, ...(isQueued && { status: 'queued' }) },
    }),
  }),
  handle: (asked, context) => split(context, asked),
});
