import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type IncidentAnalysis, incidentAnalysis } from '#application/analysis/incident-records.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { correlationSettings } from '#application/events/settings.ts';
import { quietTimeMs, statusAt } from '#domain/correlation/grouping/groups.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { AiAnalysisBody, incidentView } from '#schemas/http/events/analysis-view.ts';
import { EventBody, eventView } from '#schemas/http/events/event-view.ts';
import { GroupAnalysis, groupAnalysis } from '#schemas/http/events/group-view.ts';

const params = z.object({ correlationId: z.string() });

interface ShownGroup {
  readonly group: Group;
  readonly rootCause: Event | null;
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
        group: GroupAnalysis.extend({
          status: z.enum(['open', 'closed', 'merged']),
          rootCause: EventBody.nullable(),
          aiAnalysis: AiAnalysisBody.optional(),
        }),
      }),
      read: ({ params }) => params,
      present: ({ group, rootCause, incident, first, quietBefore }) => ({
        body: {
          group: {
            ...groupAnalysis(group, first),
            status: statusAt(group, quietBefore),
            rootCause: rootCause && eventView(rootCause, { correlationId: group.id, inGroup: null }),
            ...incidentView(incident),
          },
        },
      }),
    }),
  ],
  async handle({ correlationId }, { tenant, ports, receivedAt }) {
    const group = await ports.correlation.group(tenant, correlationId);
    if (group === null) throw notFound('Group', correlationId);
    const [settings, rootCause, incident, first] = await Promise.all([
      correlationSettings(ports.records, tenant),
      group.candidate && ports.events.get(tenant, group.candidate.eventId),
      incidentAnalysis(ports, tenant, group.id),
      firstArrival(ports, tenant),
    ]);
    return { group, rootCause, incident, first, quietBefore: receivedAt - quietTimeMs(settings) };
  },
});
