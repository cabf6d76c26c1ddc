import { useQueryClient } from '@tanstack/react-query';
import type { EventRow } from '#console/api/events.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { count } from '#console/text/counts.ts';
import { eventOf, groupTitle } from '#console/text/group-text.ts';
import * as shared from '#console/text/texts.ts';
import { GROUPS } from '../groups-cache.ts';
import { EVENTS } from '../use-event-status.ts';
import { moveEvents } from './move-events.ts';
import * as texts from './texts.ts';

export type Moved = Pick<EventRow, 'eventId' | 'correlationId'>;

/** Moves events to a group. Throws when the server has not done it. */
export const useMoveEvents = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const readAnew = async (): Promise<void> => {
    await Promise.all([GROUPS, EVENTS].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
  };

  return async (events: readonly Moved[], target: GroupRow, reason: string): Promise<void> => {
    const anchor = eventOf(target);
    if (anchor === undefined) throw new Error(texts.targetHasNoEvents);
    const moving = events.filter(({ correlationId }) => correlationId !== target.correlationId);
    try {
      const undo = await moveEvents(call, moving, anchor, reason);
      const takeBack = async (): Promise<void> => {
        await undo()
          .then(() => showToast({ text: shared.undone }))
          .catch((error: unknown) => showError(shared.couldntUndo, error));
        await readAnew();
      };
      const text = texts.moved(count(moving.length, 'event'), groupTitle(target));
      showToast({ text, undo: takeBack });
    } finally {
      await readAnew();
    }
  };
};
