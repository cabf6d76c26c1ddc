import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { type GroupGraph, graphOf } from '#application/groups/graph.ts';
import { redundancyOf } from '#domain/topology/topology.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { GroupGraphBody } from '#schemas/http/events/group-parts.ts';

const params = z.object({ correlationId: z.string() });
const GraphQuery = z.strictObject({ limit: wholeNumber(1, 1_000).default(60) });

interface GroupGraphRequest {
  readonly correlationId: string;
  readonly limit: number;
}

export const groupGraph = endpoint<GroupGraphRequest, GroupGraph>({
  id: 'events.group-graph',
  summary: 'Get the topology graph of a group',
  description:
    '`cause`, `victim`: CI with events; `between`: on a path between them; `impacted`: impacted by the root cause, without events; `protected`: protected by redundancy.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/groups/{correlationId}/graph', {
    params,
    query: GraphQuery,
    reply: succeeded({ graph: GroupGraphBody }),
    read: ({ params, query }): GroupGraphRequest => ({ correlationId: params.correlationId, limit: query.limit }),
    present: ({ nodes, edges, services, truncated }) => ({
      body: {
        graph: {
          nodes,
          edges: edges.map((edge) => {
            const redundancy = redundancyOf(edge);
            const { source, target, type, discoveredBy } = edge;
            return { source, target, type, discoveredBy, ...(redundancy && { redundancy }) };
          }),
          services: services.map(({ service: { id, name }, impact }) => ({ id, name, impact })),
          truncated,
        },
      },
    }),
  }),
  async handle({ correlationId, limit }, context) {
    return graphOf(context, await findGroup(context.ports, context.tenant, correlationId), limit);
  },
});
