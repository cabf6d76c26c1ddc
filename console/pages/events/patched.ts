import type { EventRow, EventsPage } from '#console/api/events.ts';

/** Returns the page with refetched rows; rows retain their places, and an unchanged page stays the same object. */
export const patched = (page: EventsPage | undefined, fresh: ReadonlyMap<string, EventRow>): EventsPage | undefined => {
  if (page === undefined) return page;
  const events = page.events.map((event) => {
    const now = fresh.get(event.eventId);
    return now === undefined || now.updatedAt === event.updatedAt ? event : now;
  });
  return events.some((event, at) => event !== page.events[at]) ? { ...page, events } : page;
};
