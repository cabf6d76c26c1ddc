import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { findAssignees, type WantedAssignee } from '#application/events/find-assignees.ts';
import { type SeenEvent, seen } from '#application/events/see-event.ts';
import { readAfter } from '#application/records/read-after.ts';
import type { ResolutionCategory, Status } from '#domain/event/event.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { EventDetail, eventDetail } from '#schemas/http/events/event-view.ts';
import { SetStatusRequest, V1SetStatusRequest } from '#schemas/http/events/events.ts';
import { V1Event, v1Event } from '#schemas/http/events/v1-event-view.ts';

interface StatusInput {
  readonly eventId: string;
  readonly status: Exclude<Status, 'open'>;
  readonly notes?: string | undefined;
  readonly category?: ResolutionCategory | undefined;
  readonly wanted: WantedAssignee;
}
interface StatusResult extends SeenEvent {
  /** The change is in the log and was not carried out in time, or cannot be read now: the event is shown as it was. */
  readonly queued: boolean;
}

const statusOf = ({ queued }: StatusResult): number => (queued ? 202 : 200);

export const setStatus = endpoint<StatusInput, StatusResult>({
  id: 'events.set-status',
  summary: 'Update event status and assignment',
  description:
    'The current status is allowed, to add an assignment or a note. Returns 202 with the unchanged event if the change is queued.',
  tag: 'Events',
  permission: 'events.write',
  limit: 'query',
  mounts: [
    on.events.patch('/{eventId}/status', {
      params: z.object({ eventId: z.string() }),
      alsoStatus: [202],
      body: SetStatusRequest,
      reply: succeeded({ event: EventDetail }),
      read: ({ params, body }) => ({
        eventId: params.eventId,
        status: body.status,
        notes: body.notes,
        category: body.resolutionCategory,
        wanted: { user: body.assignedTo, team: body.assignedTeam, fields: ['assignedTo', 'assignedTeam'] },
      }),
      present: (changed) => ({ status: statusOf(changed), body: { event: eventDetail(changed.event, changed.place) } }),
    }),
    on.v1.patch('/events/{id}/status', {
      params: z.object({ id: z.string() }),
      alsoStatus: [202],
      body: V1SetStatusRequest,
      reply: V1Event,
      read: ({ params, body }) => ({
        eventId: params.id,
        status: body.status,
        notes: body.comment,
        wanted: { user: body.assigned_to, team: body.assigned_team, fields: ['assigned_to', 'assigned_team'] },
      }),
      present: (changed) => ({ status: statusOf(changed), body: v1Event(changed.event, changed.place) }),
    }),
  ],
  async handle({ eventId, status, notes, category, wanted }, context) {
    const { tenant, ports, caller, receivedAt } = context;
    const before = await seen(context, eventId);
    const { id } = before.event;
    const by = actorOf(caller);
    const assignment = await findAssignees(ports.records, tenant, { ...wanted, caller });
    const ask = {
      kind: 'status-set',
      eventId: id,
      status,
      by,
      ...(notes !== undefined && { notes }),
      ...(category && { category }),
      ...assignment,
      trail: trailOf(context),
    } as const;
    const receipt = await appendAndWait(ports, tenant, ask, receivedAt);
    const now = await readAfter(() => seen(context, id), null);
    return { ...(now ?? before), queued: receipt === null || now === null };
  },
});
