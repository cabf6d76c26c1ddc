import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type Judgement, judgeGroup, mergeGroups, noteGroup, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/words/counts.ts';

const bringBack = async (call: Call, id: string, eventIds: readonly string[]): Promise<void> => {
  const { members } = await readMembers(call, id, { limit: 1 });
  const [stayed] = members;
  if (stayed === undefined) throw new Error('Nothing is left of the group');
  await mergeGroups(call, stayed.eventId, eventIds, 'The split was taken back');
};

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
        const undo = () =>
          attempt('It could not be taken back', async () => {
            await bringBack(call, id, eventIds);
            say({ text: 'Taken back' });
          });
        say({ text: `${count(eventIds.length, 'event')} left the group`, undo });
        if (founded !== null) await navigate({ to: `/groups/${founded}` });
      }),
  };
};
