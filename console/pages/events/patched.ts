import type { EventRow, EventsPage } from '#console/api/events.ts';

/** The page with what was read anew; rows keep their places, and a page in which nothing changed stays the same object. */
export const patched = (page: EventsPage | undefined, fresh: ReadonlyMap<string, EventRow>): EventsPage | undefined => {
  if (page === undefined) return page;
  const events = page.events.map((event) => {
    const now = fresh.get(event.eventId);
    return now === undefined || now.updatedAt === event.updatedAt ? event : now;
  });
  return events.some((event, at) => event !== page.events[at]) ? { ...page, events } : page;
};
