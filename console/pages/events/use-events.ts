import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENTS } from '#console/actions/use-event-status.ts';
import { type EventRow, type EventsPage, listEvents } from '#console/api/events.ts';
import { askedOf } from '#console/data/filters.ts';
import { pagesOf, placed } from '#console/grid/pages.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { EVENT_ALSO, EVENT_FILTERS } from './event-filters.ts';
import { patched } from './patched.ts';

const PAGE = 200;
/** Maximum reached by pages; the histogram extends further. */
const MAX_ROWS = 10_000;
/** Maximum of one request: more do not fit into an address. */
const MAX_IDS = 300;
/** Minimum interval, which grows to six times as much in a storm. */
const MIN_MS = 1_000;

const idOf = ({ eventId }: EventRow): string => eventId;

export const askedEvents = (query: AddressSearch): Record<string, string> => askedOf(EVENT_FILTERS, query, EVENT_ALSO);

/** Counts the events of a view. */
export const useEventsCounted = () => {
  const { call } = useAppServices();
  return async (query: AddressSearch, signal: AbortSignal): Promise<number> =>
    (await listEvents(call, { ...askedEvents(query), limit: 1 }, signal)).pagination.total;
};

/** The list of the address, in its order, and the reader of a page of it. */
const useEventPages = (query: AddressSearch) => {
  const { call } = useAppServices();
  const asked = askedEvents(query);
  const sort = { sortBy: query.sort ?? 'timestamp', sortOrder: query.order ?? 'desc' };
  const key = [...EVENTS, 'page', { ...asked, ...sort }] as const;
  const readPage = (page: number) => ({
    queryKey: [...key, page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      listEvents(call, { ...asked, ...sort, limit: PAGE, page: page + 1 }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { asked, sort, key, readPage };
};

/** The first page, which contains the total. */
export const useFirstEvents = (query: AddressSearch) => {
  const { readPage } = useEventPages(query);
  return useQuery({ ...readPage(0), placeholderData: keepPreviousData });
};

/** The events that the address asks for: pages where they are seen, changed in place while `isHeld`. */
export const useEvents = (query: AddressSearch, isHeld: boolean) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const { asked, key, readPage } = useEventPages(query);

  const first = useFirstEvents(query);
  const shown = first.data?.pagination.total ?? 0;
  const count = Math.min(shown, MAX_ROWS);
  const wanted = pagesOf(seen.first, seen.last, PAGE, count).filter((page) => page > 0);
  const further = useQueries({ queries: wanted.map(readPage) });
  const pages = new Map<number, readonly EventRow[]>([[0, first.data?.events ?? []]]);
  for (const [at, page] of wanted.entries()) {
    const data = further[at]?.data;
    if (data !== undefined) pages.set(page, data.events);
  }
  const rows = placed(pages, PAGE);

  // The current total: shown rows retain their places.
  const total = useRead(
    [...EVENTS, 'total', asked],
    async (call, signal) => (await listEvents(call, { ...asked, limit: 1 }, signal)).pagination.total,
    { enabled: first.data !== undefined },
  );
  const countAnew = (): Promise<void> => queries.invalidateQueries({ queryKey: [...EVENTS, 'total'] });
  const takeIn = async (): Promise<void> => {
    setSeen({ first: 0, last: 0 });
    await Promise.all([queries.resetQueries({ queryKey: key }), countAnew()]);
  };
  const readAnew = async (): Promise<void> => {
    if (!isHeld) {
      // Rows stay until the new ones are there, so that no focus and no place is lost.
      queries.removeQueries({ queryKey: key, type: 'inactive' });
      await queries.invalidateQueries({ queryKey: key });
      await countAnew();
      return;
    }
    const ids = [...rows.values()].map(idOf).slice(0, MAX_IDS);
    void total.refetch();
    if (ids.length === 0) return;
    const { events } = await listEvents(call, { ids, limit: MAX_IDS });
    const fresh = new Map(events.map((event) => [event.eventId, event]));
    queries.setQueriesData<EventsPage>({ queryKey: key }, (page) => patched(page, fresh));
  };
  useLive(['events'], () => readAnew().catch(() => undefined), undefined, MIN_MS);

  return {
    first,
    count,
    total: shown,
    waiting: Math.max(0, (total.data ?? shown) - shown),
    rowAt: (index: number) => rows.get(index),
    /** Searches loaded rows only. */
    rowsOf: (ids: ReadonlySet<string>) => [...rows.values()].filter(({ eventId }) => ids.has(eventId)),
    order: [...rows.values()].map(idOf),
    /** The same for the same filters, regardless of the order. */
    narrowed: JSON.stringify(asked),
    onSeen: (from: number, to: number) => {
      const [firstOf, lastOf] = [from - (from % PAGE), to - (to % PAGE)];
      if (firstOf !== seen.first || lastOf !== seen.last) setSeen({ first: firstOf, last: lastOf });
    },
    takeIn,
  };
};
