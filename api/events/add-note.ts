import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { type SeenEvent, seen } from '#application/events/see-event.ts';
import { readAfter } from '#application/records/read-after.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { EventDetail, eventDetail } from '#schemas/http/events/event-view.ts';
import { NoteRequest } from '#schemas/http/events/events.ts';

interface NoteInput {
  readonly eventId: string;
  readonly text: string;
}
interface Noted extends SeenEvent {
  /** The note is in the log and not yet with the event. */
  readonly queued: boolean;
}

export const addNote = endpoint<NoteInput, Noted>({
  id: 'events.add-note',
  summary: 'Note something on an event, whatever its status',
  description: 'The note is an entry of its history. 202 when it is in the log and was not written in time.',
  tag: 'Events',
  permission: 'events.write',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/{eventId}/notes',
      params: z.object({ eventId: z.string() }),
      alsoStatus: [202],
      body: NoteRequest,
      reply: succeeded({ event: EventDetail }),
      read: ({ params, body }) => ({ eventId: params.eventId, text: body.text }),
      present: ({ event, place, queued }) => ({
        status: queued ? 202 : 200,
        body: { event: eventDetail(event, place) },
      }),
    }),
  ],
  async handle({ eventId, text }, context) {
    const { tenant, ports, caller, receivedAt } = context;
    const before = await seen(context, eventId);
    const { id } = before.event;
    const ask = { kind: 'noted', eventId: id, by: actorOf(caller), text, trail: trailOf(context) } as const;
    const receipt = await appendAndWait(ports, tenant, ask, receivedAt);
    const now = await readAfter(() => seen(context, id), null);
    return { ...(now ?? before), queued: receipt === null || now === null };
  },
});
