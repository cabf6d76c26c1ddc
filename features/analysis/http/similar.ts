import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findGroup } from '#application/groups/find-group.ts';
import type { SimilarIncident } from '#features/analysis/rules/similar.ts';
import { SimilarIncidentBody, similarBody } from '#features/analysis/schemas/similar.ts';
import { similarIncidents } from '#features/analysis/use-cases/similar-incidents.ts';
import { succeeded } from '#schemas/http/envelope.ts';

const params = z.object({ correlationId: z.string() });

/** Earlier incidents that were alike, with how they ended. */
export const similarGroups = endpoint<z.output<typeof params>, readonly SimilarIncident[]>({
  id: 'events.group-similar',
  summary: 'List similar earlier groups',
  description: 'Up to three, most similar first, with how they were resolved. Accepts IDs from before a merge.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/groups/{correlationId}/similar',
      params,
      reply: succeeded({ similar: z.array(SimilarIncidentBody) }),
      read: ({ params }) => params,
      present: (similar) => ({ body: { similar: similar.map(similarBody) } }),
    }),
  ],
  async handle({ correlationId }, context) {
    const { group } = await findGroup(context.ports, context.tenant, correlationId);
    return similarIncidents(context, group.id);
  },
});
