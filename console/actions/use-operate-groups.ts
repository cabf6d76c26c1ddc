import { useQueryClient } from '@tanstack/react-query';
import {
  type GroupAct,
  type OperationDone,
  type OperationWish,
  operateGroups,
  undoOperation,
} from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count } from '#console/words/counts.ts';
import { GROUPS, showGroups } from './groups-cache.ts';
import { EVENTS } from './use-event-status.ts';

interface Asked {
  readonly verb: GroupAct;
  readonly groups: readonly GroupRow[];
  readonly wish?: OperationWish;
  /** The row as it will be. */
  readonly foresee: (group: GroupRow) => GroupRow;
  readonly done: (done: OperationDone) => string;
}

const refusedWords = ({ results }: OperationDone): string => {
  const refused = results.filter(({ ok }) => !ok);
  return refused.length === 0 ? '' : `; ${count(refused.length, 'group')} failed: ${refused[0]?.error}`;
};

/** One action on groups and on events in none: shown at once, told to the server as one. Throws when the server has not done it. */
export const useOperateGroups = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  const readAnew = async (): Promise<void> => {
    await Promise.all([GROUPS, EVENTS].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
  };

  const undo = async (operationId: string): Promise<void> => {
    try {
      const { changed } = await undoOperation(call, operationId);
      say({ text: changed === 0 ? 'Nothing to undo: all of it has changed since' : 'Undone' });
    } catch (error) {
      sayFailure("Couldn't undo", error);
    }
    await readAnew();
  };

  return async ({ verb, groups, wish, foresee, done }: Asked): Promise<void> => {
    if (groups.length === 0) return;
    const ids = groups.map(({ correlationId }) => correlationId);
    await queries.cancelQueries({ queryKey: GROUPS });
    const before = queries.getQueriesData({ queryKey: GROUPS });
    const meant = new Set(ids);
    showGroups(queries, (group) => (meant.has(group.correlationId) ? foresee(group) : group));
    try {
      const reply = await operateGroups(call, verb, ids, wish);
      const { operationId } = reply;
      const text = `${done(reply)}${refusedWords(reply)}`;
      say({ text, ...(operationId !== null && { undo: () => undo(operationId) }) });
    } catch (error) {
      // A server that is away does not answer the next read either: the screen shows again what was read before.
      for (const [key, data] of before) queries.setQueryData(key, data);
      void readAnew();
      throw error;
    }
    await readAnew();
  };
};
