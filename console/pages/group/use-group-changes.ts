import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type Judgement, judgeGroup, noteGroup, splitGroup } from '#console/api/group-changes.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/words/counts.ts';

/** Actions on one group beside moving its members. */
export const useGroupChanges = (group: GroupDetailShown) => {
  const { call } = useParts();
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { correlationId: id } = group;

  const attempt = async (what: string, change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
    } catch (error) {
      sayFailure(what, error);
    }
    await queries.invalidateQueries({ queryKey: GROUPS });
  };
  const foresee = (change: Partial<GroupDetailShown>): void => {
    queries.setQueryData<GroupDetailShown>([...GROUPS, 'detail', id], (before) => before && { ...before, ...change });
  };

  return {
    note: (text: string) =>
      attempt('The note could not be kept', async () => {
        const entry = { at: '', by: me.user, text };
        foresee({ notes: [...group.notes, { ...entry, at: group.lastActivity }] });
        await noteGroup(call, id, text);
      }),
    judge: (verdict: Judgement) =>
      attempt('The verdict could not be kept', async () => {
        await judgeGroup(call, id, verdict);
        say({ text: 'Thank you: the verdict is kept' });
      }),
    split: (eventIds: readonly string[], reason: string) =>
      attempt('The group could not be split', async () => {
        const founded = await splitGroup(call, id, eventIds, reason);
        say({ text: `${count(eventIds.length, 'event')} left the group` });
        if (founded !== null) await navigate({ to: `/groups/${founded}` });
      }),
  };
};
