import type { Event } from '#domain/event/event.ts';
import { parseEventId } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** The event of that id, with or without prefix; an unknown, foreign or malformed id is not found. */
export const findEvent = async (ports: Pick<Ports, 'events'>, tenant: string, eventId: string): Promise<Event> => {
  const id = parseEventId(eventId);
  const event = id === null ? null : await ports.events.get(tenant, id);
  if (event === null) throw notFound('Event', eventId);
  return event;
};
