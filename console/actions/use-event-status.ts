import { useQueryClient } from '@tanstack/react-query';
import { type EventsPage, rememberStatuses, type Statuses } from '#console/api/events.ts';
import { type StatusChangeRequest, setStatus, type Which } from '#console/api/status.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { count } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import { DONE_WORDS } from './status-words.ts';
import * as texts from './texts.ts';

export const EVENTS = ['events'] as const;

/** Number of events above which there is no undo. */
const MAX_UNDONE = 500;

/**
 * Changes the status of events: shown at once, sent to the server in one request, and undone when that fails or the
 * user requests it.
 */
export const useEventStatus = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: EVENTS });

  const show = (ids: ReadonlySet<string>, { status }: StatusChangeRequest): void => {
    queries.setQueriesData<EventsPage>({ queryKey: [...EVENTS, 'page'] }, (page) => {
      if (page === undefined) return page;
      const events = page.events.map((event) => (ids.has(event.eventId) ? { ...event, status } : event));
      return { ...page, events };
    });
  };
  const remember = async (which: Which): Promise<Statuses | null> => {
    if ('ids' in which) return which.ids.length > MAX_UNDONE ? null : rememberStatuses(call, { ids: which.ids });
    if ('filter' in which) return which.expect > MAX_UNDONE ? null : rememberStatuses(call, which.filter);
    return rememberStatuses(call, { correlationId: which.correlationId });
  };
  const undo = async (statuses: Statuses): Promise<void> => {
    try {
      for (const [status, ids] of statuses) await setStatus(call, { ids }, { status });
      showToast({ text: shared.undone });
    } catch (error) {
      showError(shared.couldntUndo, error);
    }
    await readAnew();
  };

  /** Throws when the server has not done it; the rows are then as they were at once. */
  return async (which: Which, wish: StatusChangeRequest): Promise<void> => {
    await queries.cancelQueries({ queryKey: [...EVENTS, 'page'] });
    const before = queries.getQueriesData<EventsPage>({ queryKey: [...EVENTS, 'page'] });
    if ('ids' in which) show(new Set(which.ids), wish);
    try {
      const statuses = await remember(which);
      const { changed, queued, failed, more } = await setStatus(call, which, wish);
      const left = [
        ...(failed.length > 0 ? [texts.failed(count(failed.length, 'event'))] : []),
        ...(more ? [texts.moreEventsMatchRun] : []),
      ];
      const text = [`${count(changed + queued, 'event')} ${DONE_WORDS[wish.status]}`, ...left].join('; ');
      showToast({ text, ...(statuses !== null && changed > 0 && { undo: () => undo(statuses) }) });
    } catch (error) {
      for (const [key, page] of before) queries.setQueryData(key, page);
      void readAnew();
      throw error;
    }
    await readAnew();
  };
};
