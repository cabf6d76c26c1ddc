import type { z } from 'zod';
import type { Status } from '#domain/event/event.ts';
import type { ListedEvent } from '#schemas/http/events/event-view.ts';
import type { eventsPagination } from '#schemas/http/paging.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

/** An event as a list shows it. */
export type EventRow = z.output<typeof ListedEvent>;

export interface EventsPage {
  readonly events: readonly EventRow[];
  readonly pagination: z.output<typeof eventsPagination>;
}

export const listEvents = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<EventsPage> =>
  call<EventsPage>('GET /api/events', { query: { view: 'row', ...query }, signal });

export const noteEvent = (call: Call, eventId: string, text: string): Promise<unknown> =>
  call('POST /api/events/{eventId}/notes', { params: { eventId }, body: { text } });

/** Ids by the status that they have. */
export type Statuses = ReadonlyMap<Status, readonly string[]>;

const MAX_REMEMBERED = 500;

/** State for an undo of the events that a filter finds; null when they are too many to remember. */
export const rememberStatuses = async (call: Call, query: AddressQuery): Promise<Statuses | null> => {
  const { events, pagination } = await listEvents(call, { limit: MAX_REMEMBERED, ...query });
  if (pagination.total > events.length) return null;
  const statuses = new Map<Status, string[]>();
  for (const { status, eventId } of events) statuses.set(status, [...(statuses.get(status) ?? []), eventId]);
  return statuses;
};
