import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type GroupSplit, type SplitDone, splitGroup as split } from '#application/groups/split-group.ts';
import { SplitReply, SplitRequest } from '#schemas/http/events/groups.ts';

const params = z.object({ correlationId: z.string() });

export const splitGroup = endpoint<GroupSplit, SplitDone>({
  id: 'events.group-split',
  summary: 'Take events out of a group',
  description:
    'Two or more found a group of their own; one is in none then. They are never joined with what stays again, but by hand: `POST /api/events/correlate` with one event of each. Events whose place one of them took leave with it. The same split again changes nothing.',
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  alsoFaults: ['not-found'],
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/{correlationId}/split',
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
  ],
  handle: (asked, context) => split(context, asked),
});
