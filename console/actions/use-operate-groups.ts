import { useQueryClient } from '@tanstack/react-query';
import {
  type GroupAct,
  type OperationDone,
  type OperationInput,
  operateGroups,
  undoOperation,
} from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { count } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import { GROUPS, showGroups } from './groups-cache.ts';
import * as texts from './texts.ts';
import { EVENTS } from './use-event-status.ts';

interface OperationRequest {
  readonly verb: GroupAct;
  readonly groups: readonly GroupRow[];
  readonly wish?: OperationInput;
  /** The row as it will be. */
  readonly optimisticUpdate: (group: GroupRow) => GroupRow;
  readonly done: (done: OperationDone) => string;
}

const refusedWords = ({ results }: OperationDone): string => {
  const refused = results.filter(({ ok }) => !ok);
  return refused.length === 0 ? '' : texts.groupsFailed(count(refused.length, 'group'), refused[0]?.error);
};

/**
 * Runs one action on groups and on events in none: shown at once, sent to the server as one. Throws when the server
 * fails.
 */
export const useOperateGroups = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const readAnew = async (): Promise<void> => {
    await Promise.all([GROUPS, EVENTS].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
  };

  const undo = async (operationId: string): Promise<void> => {
    try {
      const { changed } = await undoOperation(call, operationId);
      showToast({ text: changed === 0 ? texts.nothingUndoEverythingHas : shared.undone });
    } catch (error) {
      showError(shared.couldntUndo, error);
    }
    await readAnew();
  };

  return async ({ verb, groups, wish, optimisticUpdate, done }: OperationRequest): Promise<void> => {
    if (groups.length === 0) return;
    const ids = groups.map(({ correlationId }) => correlationId);
    await queries.cancelQueries({ queryKey: GROUPS });
    const before = queries.getQueriesData({ queryKey: GROUPS });
    const meant = new Set(ids);
    showGroups(queries, (group) => (meant.has(group.correlationId) ? optimisticUpdate(group) : group));
    try {
      const reply = await operateGroups(call, verb, ids, wish);
      const { operationId } = reply;
      const text = `${done(reply)}${refusedWords(reply)}`;
      showToast({ text, ...(operationId !== null && { undo: () => undo(operationId) }) });
    } catch (error) {
      // An unavailable server does not answer the next read either: the screen shows the earlier data again.
      for (const [key, data] of before) queries.setQueryData(key, data);
      void readAnew();
      throw error;
    }
    await readAnew();
  };
};
