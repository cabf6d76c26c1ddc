import type { Assignee } from '#console/api/assignees.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { assignedWords } from '#console/words/assign-words.ts';
import { count } from '#console/words/counts.ts';
import { useOperateGroups } from '../use-operate-groups.ts';

type Care = Pick<GroupRow, 'assignedTo' | 'assignedTeam'>;

/** A team that is given something stands alone; a person may stand beside their team. */
const careOf = (to: Assignee): Partial<Care> => {
  if (to === null) return { assignedTo: null, assignedTeam: null };
  return 'user' in to ? { assignedTo: to.user } : { assignedTo: null, assignedTeam: to.team };
};

/** Says who takes care of groups. Throws when the server has not done it. */
export const useAssignGroups = () => {
  const operate = useOperateGroups();
  return (groups: readonly GroupRow[], to: Assignee): Promise<void> => {
    const care = careOf(to);
    const { assignedTo, assignedTeam } = care;
    return operate({
      verb: 'assign',
      groups,
      wish: {
        ...(assignedTo !== undefined && { user_id: assignedTo?._id ?? null }),
        ...(assignedTeam !== undefined && { team_id: assignedTeam?._id ?? null }),
      },
      foresee: (group) => ({ ...group, ...care }),
      done: () => assignedWords(to, groups.length === 1 ? null : count(groups.length, 'group')),
    });
  };
};
