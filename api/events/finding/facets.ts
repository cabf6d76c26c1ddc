import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type NamedFacets, namedFacets } from '#application/events/finding/named-facets.ts';
import { resolveFilter } from '#application/events/finding/resolve-filter.ts';
import { MAX_FACET_VALUES, MAX_LOOKED_AT } from '#domain/ports/events/event-summaries.ts';
import { type AskedFilter, askedFilter, eventFilterFields, withinTime } from '#schemas/http/events/event-filter.ts';
import { FacetsReply } from '#schemas/http/events/found.ts';

export const eventFacets = endpoint<AskedFilter, NamedFacets>({
  id: 'events.facets',
  summary: 'Count the events of a filter by what they can be narrowed by',
  description: `The filter is that of the list. The ${MAX_FACET_VALUES} most frequent values of each are shown; of more than ${MAX_LOOKED_AT.toLocaleString('en')} events the newest may be counted alone, which \`truncated\` says. \`total\` is exact.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/facets',
      query: z.strictObject(eventFilterFields).check(withinTime),
      reply: FacetsReply,
      read: ({ query }) => askedFilter(query),
      present: ({ total, facets, truncated }) => ({ body: { total, facets, truncated } }),
    }),
  ],
  async handle(asked, context) {
    const { tenant, ports } = context;
    const filter = await resolveFilter(context, asked);
    return namedFacets(ports, tenant, await ports.eventSummaries.facets(tenant, filter));
  },
});
