import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { loadShown, type ShownCorrelations } from '#application/events/load-shown.ts';
import { incidentView } from '#schemas/http/events/analysis-view.ts';
import { eventDetail } from '#schemas/http/events/event-view.ts';
import { correlatedEvent, correlationGroup, EventReply } from '#schemas/http/events/group-view.ts';
import { V1Event, v1Event } from '#schemas/http/events/v1-event-view.ts';

const params = z.object({ eventId: z.string() });
const v1Params = z.object({ id: z.string() });

/** Shared by GET event and GET correlations. */
export const shownGroup = ({
  group,
  members,
  places,
  first,
  links,
  truncated,
  profile,
  incident,
}: ShownCorrelations) => ({
  correlationGroup: group && { ...correlationGroup(group, members, places, first), ...incidentView(incident) },
  correlations: links.map((link) => correlatedEvent(link, profile)),
  ...(Object.keys(truncated).length > 0 && { truncated }),
});

export const getEvent = endpoint<{ eventId: string }, ShownCorrelations>({
  id: 'events.get',
  summary: 'Get an event',
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    on.events.get('/{eventId}', {
      params,
      reply: EventReply,
      read: ({ params }) => params,
      present: (found) => ({ body: { event: eventDetail(found.event, found.place), ...shownGroup(found) } }),
    }),
    on.v1.get('/events/{id}', {
      params: v1Params,
      reply: V1Event,
      read: ({ params }) => ({ eventId: params.id }),
      present: ({ event, place }) => ({ body: v1Event(event, place) }),
    }),
  ],
  handle: ({ eventId }, { tenant, ports }) => loadShown(ports, tenant, eventId),
});
