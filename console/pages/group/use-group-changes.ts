import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type Judgement, judgeGroup, mergeGroups, noteGroup, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
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

  return {
    /** Throws when the server does not have it. */
    async note(text: string): Promise<void> {
      await noteGroup(call, id, text);
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
    /** Throws when the server does not have it. */
    async judge(verdict: Judgement): Promise<void> {
      await judgeGroup(call, id, verdict);
      say({ text: 'Thank you: the verdict is kept' });
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
    /** Throws when the server has not done it. */
    async split(eventIds: readonly string[], reason: string): Promise<void> {
      const founded = await splitGroup(call, id, eventIds, reason);
      const undo = () =>
        attempt("Couldn't undo", async () => {
          await bringBack(call, id, eventIds);
          say({ text: 'Undone' });
        });
      say({ text: `${count(eventIds.length, 'event')} left the group`, undo });
      if (founded !== null) await navigate({ to: `/groups/${founded}` });
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
  };
};
