import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { type GroupGraph, graphOf } from '#application/groups/graph.ts';
import { redundancyOf } from '#domain/topology/topology.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { GroupGraphBody } from '#schemas/http/events/group-parts.ts';

const params = z.object({ correlationId: z.string() });
const GraphQuery = z.strictObject({ limit: wholeNumber(1, 250).default(60) });

interface Input {
  readonly correlationId: string;
  readonly limit: number;
}

export const groupGraph = endpoint<Input, GroupGraph>({
  id: 'events.group-graph',
  summary: 'Draw the configuration items of a group and what lies around them, as they were when it was founded',
  description:
    '`cause`, `victim`: has members; `between`: on the way from one to the other; `impacted`: fails with the cause, without a member; `protected`: redundancy saves it.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/groups/{correlationId}/graph',
      params,
      query: GraphQuery,
      reply: succeeded({ graph: GroupGraphBody }),
      read: ({ params, query }): Input => ({ correlationId: params.correlationId, limit: query.limit }),
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
  ],
  async handle({ correlationId, limit }, context) {
    const { group } = await findGroup(context.ports, context.tenant, correlationId);
    return graphOf(context, group, limit);
  },
});
