import type { UseCaseContext } from '#application/access/context.ts';
import type { Event } from '#domain/event/event.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';
import { findEvent } from './find-event.ts';
import { groupMemberships } from './group-membership.ts';

/** An event with its place in its group. */
export interface SeenEvent {
  readonly event: Event;
  readonly place: GroupMembership | null;
}

/** Throws Fault `not-found`. */
export const seen = async ({ tenant, ports }: UseCaseContext, eventId: string): Promise<SeenEvent> => {
  const event = await findEvent(ports, tenant, eventId);
  return { event, place: (await groupMemberships(ports, tenant, [event])).get(event.id) ?? null };
};
