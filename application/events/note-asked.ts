import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { Ask } from '#domain/event/incoming.ts';

/** The request to add a note of the caller to an event. */
export const noteAsked = (context: UseCaseContext, eventId: string, text: string): Ask => ({
  kind: 'noted',
  eventId,
  by: actorOf(context.caller),
  text,
  trail: trailOf(context),
});
