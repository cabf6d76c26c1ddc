import { useQueryClient } from '@tanstack/react-query';
import { rememberStatuses, type Statuses } from '#console/api/events.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { setStatus, type Wish } from '#console/api/status.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/words/counts.ts';
import { GROUPS, showGroups } from '../groups-cache.ts';
import { DONE_WORDS } from '../status-words.ts';
import { foreseen } from './foresee.ts';

/** Moves the members of groups: shown at once, told to the server, and taken back when that fails or a person says so. */
export const useGroupStatus = () => {
  const { call, clock } = useParts();
  const me = useMe();
  const queries = useQueryClient();

  const readAnew = () => queries.invalidateQueries({ queryKey: GROUPS });
  const show = (ids: ReadonlySet<string>, { status }: Wish): void => {
    const at = new Date(clock.now()).toISOString();
    const change = (group: GroupRow): GroupRow =>
      ids.has(group.correlationId) ? foreseen(group, status, me.user, at) : group;
    showGroups(queries, change);
  };

  const undo = async (remembered: readonly Statuses[]): Promise<void> => {
    try {
      for (const statuses of remembered)
        for (const [status, ids] of statuses) await setStatus(call, { ids }, { status });
      say({ text: 'Taken back' });
    } catch (error) {
      sayFailure('It could not be taken back', error);
    }
    await readAnew();
  };

  return async (ids: readonly string[], wish: Wish): Promise<void> => {
    await queries.cancelQueries({ queryKey: GROUPS });
    show(new Set(ids), wish);
    try {
      const moved = wish.status === 'acknowledged' ? 'open' : 'open,acknowledged,suppressed';
      const remembered = await Promise.all(
        ids.map((correlationId) => rememberStatuses(call, { correlationId, status: moved })),
      );
      const done = await Promise.all(ids.map((correlationId) => setStatus(call, { correlationId }, wish)));
      const changed = done.reduce((sum, one) => sum + one.changed + one.queued, 0);
      const canUndo = remembered.every((one): one is Statuses => one !== null);
      const text = `${count(changed, 'event')} ${DONE_WORDS[wish.status]}`;
      say({ text, ...(canUndo && changed > 0 && { undo: () => undo(remembered as Statuses[]) }) });
    } catch (error) {
      sayFailure(`The ${ids.length === 1 ? 'group' : 'groups'} could not be ${DONE_WORDS[wish.status]}`, error);
    }
    await readAnew();
  };
};
