import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type IncidentAnalysis, incidentAnalysis } from '#application/analysis/incident-records.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { correlationSettings } from '#application/events/settings.ts';
import type { GroupRow } from '#domain/correlation/grouping/group-state.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Event } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { AiAnalysisBody, incidentView } from '#schemas/http/events/analysis-view.ts';
import { GroupBody, groupView } from '#schemas/http/events/groups.ts';

const params = z.object({ correlationId: z.string() });

interface ShownGroup {
  readonly row: GroupRow;
  readonly root: Event | null;
  readonly incident: IncidentAnalysis | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an event since then is closed. */
  readonly quietBefore: number;
}

export const getGroup = endpoint<z.output<typeof params>, ShownGroup>({
  id: 'events.group',
  summary: 'Get a correlation group with its root-cause candidate and its analysis',
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
      reply: succeeded({
        group: GroupBody.extend({ aliases: z.array(z.string()), aiAnalysis: AiAnalysisBody.optional() }),
      }),
      read: ({ params }) => params,
      present: ({ row, incident, ...context }) => ({
        body: { group: { ...groupView(row, context), aliases: [...row.group.aliases], ...incidentView(incident) } },
      }),
    }),
  ],
  async handle({ correlationId }, { tenant, ports, receivedAt }) {
    const row = await ports.groupRows.get(tenant, correlationId);
    if (row === null) throw notFound('Group', correlationId);
    const { candidate, id } = row.group;
    const [settings, root, incident, first] = await Promise.all([
      correlationSettings(ports.records, tenant),
      candidate && ports.events.get(tenant, candidate.eventId),
      incidentAnalysis(ports, tenant, id),
      firstArrival(ports, tenant),
    ]);
    return { row, root, incident, first, quietBefore: receivedAt - quietTimeMs(settings) };
  },
});
