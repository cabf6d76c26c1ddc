import { useQueryClient } from '@tanstack/react-query';
import type { Assignee } from '#console/api/assignees.ts';
import { assignGroup } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { assignedWords } from '#console/words/assign-words.ts';
import { count } from '#console/words/counts.ts';
import { GROUPS, showGroups } from '../groups-cache.ts';

type Care = Pick<GroupRow, 'correlationId' | 'assignedTo' | 'assignedTeam'>;

/** A team that is given something stands alone; a person may stand beside their team. */
const careOf = (to: Assignee): Partial<Care> => {
  if (to === null) return { assignedTo: null, assignedTeam: null };
  return 'user' in to ? { assignedTo: to.user } : { assignedTo: null, assignedTeam: to.team };
};
const wishOf = ({ assignedTo, assignedTeam }: Partial<Care>) => ({
  ...(assignedTo !== undefined && { user_id: assignedTo?._id ?? null }),
  ...(assignedTeam !== undefined && { team_id: assignedTeam?._id ?? null }),
});

/** Says who takes care of groups: shown at once, told to the server, and taken back when a person says so. */
export const useAssignGroups = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: GROUPS });

  const tell = async (cares: readonly (Partial<Care> & Pick<Care, 'correlationId'>)[]): Promise<void> => {
    const byId = new Map(cares.map((care) => [care.correlationId, care]));
    showGroups(queries, (group) => ({ ...group, ...byId.get(group.correlationId) }));
    const told = await Promise.allSettled(cares.map((care) => assignGroup(call, care.correlationId, wishOf(care))));
    const failed = told.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
  const undo = async (before: readonly Care[]): Promise<void> => {
    try {
      await tell(before);
      say({ text: 'Taken back' });
    } catch (error) {
      sayFailure('It could not be taken back', error);
    }
    await readAnew();
  };

  return async (groups: readonly GroupRow[], to: Assignee): Promise<void> => {
    if (groups.length === 0) return;
    const before = groups.map(({ correlationId, assignedTo, assignedTeam }) => ({
      ...{ correlationId, assignedTo, assignedTeam },
    }));
    await queries.cancelQueries({ queryKey: GROUPS });
    try {
      await tell(groups.map(({ correlationId }) => ({ correlationId, ...careOf(to) })));
      const what = groups.length === 1 ? null : count(groups.length, 'group');
      say({ text: assignedWords(to, what), undo: () => undo(before) });
    } catch (error) {
      sayFailure(`Not ${groups.length === 1 ? 'assigned' : 'all of them could be assigned'}`, error);
    }
    await readAnew();
  };
};
