import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { loadShown, type ShownCorrelations } from '#application/events/load-shown.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { eventView } from '#schemas/http/events/event-view.ts';
import { CorrelationsReply } from '#schemas/http/events/group-view.ts';
import { V1Event, v1Event } from '#schemas/http/events/v1-event-view.ts';
import { shownGroup } from './get.ts';

const params = z.object({ eventId: z.string() });
const v1Params = z.object({ id: z.string() });

const V1Correlations = z
  .object({
    primary_event: V1Event,
    correlated_events: z.array(
      z.object({ id: z.string(), correlation_score: z.number(), correlation_type: z.string(), reason: z.string() }),
    ),
    suggested_root_cause: z
      .object({ ci_id: z.string().nullable(), event_id: z.string(), confidence: z.number(), explanation: z.string() })
      .nullable(),
  })
  .meta({ id: 'V1Correlations' });

const EXPLANATIONS: Record<string, string> = {
  earliest_severe_event_upstream_dependency: 'Earliest severe event, on a CI that the others depend on',
  upstream_dependency: 'Event on a CI that the others depend on',
  earliest_severe_event: 'Earliest severe event of the group',
  earliest_event: 'Earliest event of the group',
};

const v1Correlations = ({ event, place, group, links }: ShownCorrelations): z.output<typeof V1Correlations> => {
  const candidate = group?.candidate;
  return {
    primary_event: v1Event(event, place),
    correlated_events: links
      .filter(({ refusedBy }) => refusedBy === undefined)
      .map(({ other, link }) => ({
        id: eventIdOf(other.id),
        correlation_score: link.score,
        correlation_type: link.reasons[0]?.strategy ?? '',
        reason: link.reasons.map(({ reason }) => reason).join(', '),
      })),
    suggested_root_cause: candidate
      ? {
          ci_id: candidate.ciId,
          event_id: eventIdOf(candidate.eventId),
          confidence: candidate.confidence,
          explanation: EXPLANATIONS[candidate.reasoning] ?? candidate.reasoning,
        }
      : null,
  };
};

export const getCorrelations = endpoint<{ eventId: string }, ShownCorrelations>({
  id: 'events.correlations',
  summary: 'Get correlations of an event',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    on.events.get('/{eventId}/correlations', {
      params,
      reply: CorrelationsReply,
      read: ({ params }) => params,
      present: (found) => ({ body: { event: eventView(found.event, found.place), ...shownGroup(found) } }),
    }),
    on.v1.get('/events/{id}/correlations', {
      params: v1Params,
      reply: V1Correlations,
      read: ({ params }) => ({ eventId: params.id }),
      present: (found) => ({ body: v1Correlations(found) }),
    }),
  ],
  handle: ({ eventId }, { tenant, ports }) => loadShown(ports, tenant, eventId),
});
