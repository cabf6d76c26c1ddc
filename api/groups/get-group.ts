import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { AiAnalysisBody, incidentView } from '#schemas/http/events/analysis-view.ts';
import { GroupBody, GroupDetailFields, groupDetail, groupView } from '#schemas/http/events/groups.ts';

const params = z.object({ correlationId: z.string() });

export const getGroup = endpoint<z.output<typeof params>, ShownGroup>({
  id: 'events.group',
  summary: 'Get a correlation group with its cause, its impact, notes and analysis',
  description: 'Also by an id that it had before it was merged. The analysis is made 30 s after the last change.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/groups/{correlationId}',
      params,
      reply: succeeded({ group: GroupBody.extend({ ...GroupDetailFields, aiAnalysis: AiAnalysisBody.optional() }) }),
      read: ({ params }) => params,
      present: (shown) => ({
        body: { group: { ...groupView(shown.row, shown), ...groupDetail(shown), ...incidentView(shown.incident) } },
      }),
    }),
  ],
  handle: ({ correlationId }, context) => showGroup(context, correlationId),
});
