import { useQueryClient } from '@tanstack/react-query';
import { type Assignee, assignEvent } from '#console/api/assignees.ts';
import type { EventRow } from '#console/api/events.ts';
import { setStatus } from '#console/api/status.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { assignedWords } from '#console/words/assign-words.ts';
import { count } from '#console/words/counts.ts';
import { slices } from '#domain/slices.ts';
import { EVENTS } from '../use-event-status.ts';

type Care = Pick<EventRow, 'eventId' | 'status' | 'assignedTo' | 'assignedTeam'>;

/** Requests on their way at once. */
const AT_ONCE = 8;

const careOf = (to: Assignee) => {
  if (to === null) return { assignedTo: null, assignedTeam: null };
  return 'user' in to ? { assignedTo: to.user } : { assignedTo: null, assignedTeam: to.team };
};

/** Says who takes care of events; what is open is acknowledged by that. Can be taken back. */
export const useAssignEvents = () => {
  const { call } = useParts();
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
      say({ text: 'Undone' });
    } catch (error) {
      sayFailure("Couldn't undo", error);
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
      await each(before, ({ eventId, status }) => assignEvent(call, eventId, { status, ...careOf(to) }));
      const what = events.length === 1 ? null : count(events.length, 'event');
      say({ text: assignedWords(to, what), undo: () => undo(before) });
    } catch (error) {
      sayFailure(events.length === 1 ? 'Not assigned' : 'Not all of them could be assigned', error);
    }
    await readAnew();
  };
};
