import { useQueryClient } from '@tanstack/react-query';
import { type Assignee, assignEvent } from '#console/api/assignees.ts';
import type { EventRow } from '#console/api/events.ts';
import { setStatus } from '#console/api/status.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { assignedWords } from '#console/text/assign-text.ts';
import { count } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import { slices } from '#domain/slices.ts';
import { EVENTS } from '../use-event-status.ts';
import * as texts from './texts.ts';

type Care = Pick<EventRow, 'eventId' | 'status' | 'assignedTo' | 'assignedTeam'>;

/** Maximum of concurrent requests. */
const AT_ONCE = 8;

const assignmentOf = (to: Assignee) => {
  if (to === null) return { assignedTo: null, assignedTeam: null };
  return 'user' in to ? { assignedTo: to.user } : { assignedTo: null, assignedTeam: to.team };
};

/** Assigns events; open ones are acknowledged. Can be undone. */
export const useAssignEvents = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: EVENTS });

  const each = async (events: readonly Care[], work: (event: Care) => Promise<unknown>): Promise<void> => {
    for (const some of slices(events, AT_ONCE)) await Promise.all(some.map(work));
  };
  const undo = async (before: readonly Care[]): Promise<void> => {
    try {
      await each(before, ({ eventId, status, assignedTo, assignedTeam }) =>
        assignEvent(call, eventId, { status, assignedTo: assignedTo ?? null, assignedTeam: assignedTeam ?? null }),
      );
      const opened = before.filter(({ status }) => status === 'open').map(({ eventId }) => eventId);
      if (opened.length > 0) await setStatus(call, { ids: opened }, { status: 'open' });
      showToast({ text: shared.undone });
    } catch (error) {
      showError(shared.couldntUndo, error);
    }
    await readAnew();
  };

  return async (events: readonly EventRow[], to: Assignee): Promise<void> => {
    if (events.length === 0) return;
    const before = events.map(({ eventId, status, assignedTo, assignedTeam }) => ({
      eventId,
      status,
      assignedTo,
      assignedTeam,
    }));
    try {
      await each(before, ({ eventId, status }) => assignEvent(call, eventId, { status, ...assignmentOf(to) }));
      const what = events.length === 1 ? null : count(events.length, 'event');
      showToast({ text: assignedWords(to, what), undo: () => undo(before) });
    } catch (error) {
      showError(events.length === 1 ? texts.couldntAssignTheEvent : texts.couldntAssignAllEvents, error);
    }
    await readAnew();
  };
};
