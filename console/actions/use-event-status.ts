import { useQueryClient } from '@tanstack/react-query';
import { type EventsPage, rememberStatuses, type Statuses } from '#console/api/events.ts';
import { setStatus, type Which, type Wish } from '#console/api/status.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count } from '#console/words/counts.ts';
import { DONE_WORDS } from './status-words.ts';

export const EVENTS = ['events'] as const;

/** More than these are not taken back. */
const MOST_UNDONE = 500;

/** Moves events: shown at once, told to the server in one request, and taken back when that fails or a person says so. */
export const useEventStatus = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: EVENTS });

  const show = (ids: ReadonlySet<string>, { status }: Wish): void => {
    queries.setQueriesData<EventsPage>({ queryKey: [...EVENTS, 'page'] }, (page) => {
      if (page === undefined) return page;
      const events = page.events.map((event) => (ids.has(event.eventId) ? { ...event, status } : event));
      return { ...page, events };
    });
  };
  const remember = async (which: Which): Promise<Statuses | null> => {
    if ('ids' in which) return which.ids.length > MOST_UNDONE ? null : rememberStatuses(call, { ids: which.ids });
    if ('filter' in which) return which.expect > MOST_UNDONE ? null : rememberStatuses(call, which.filter);
    return rememberStatuses(call, { correlationId: which.correlationId });
  };
  const undo = async (statuses: Statuses): Promise<void> => {
    try {
      for (const [status, ids] of statuses) await setStatus(call, { ids }, { status });
      say({ text: 'Undone' });
    } catch (error) {
      sayFailure("Couldn't undo", error);
    }
    await readAnew();
  };

  /** Throws when the server has not done it; the rows are then as they were at once. */
  return async (which: Which, wish: Wish): Promise<void> => {
    await queries.cancelQueries({ queryKey: [...EVENTS, 'page'] });
    const before = queries.getQueriesData<EventsPage>({ queryKey: [...EVENTS, 'page'] });
    if ('ids' in which) show(new Set(which.ids), wish);
    try {
      const statuses = await remember(which);
      const { changed, queued, failed, more } = await setStatus(call, which, wish);
      const left = [
        ...(failed.length > 0 ? [`${count(failed.length, 'event')} could not be`] : []),
        ...(more ? ['more are left'] : []),
      ];
      const text = [`${count(changed + queued, 'event')} ${DONE_WORDS[wish.status]}`, ...left].join('; ');
      say({ text, ...(statuses !== null && changed > 0 && { undo: () => undo(statuses) }) });
    } catch (error) {
      for (const [key, page] of before) queries.setQueryData(key, page);
      void readAnew();
      throw error;
    }
    await readAnew();
  };
};
