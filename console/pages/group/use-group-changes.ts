import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GROUPS } from '#console/actions/use-group-status.ts';
import {
  assignGroup,
  type Judgement,
  judgeGroup,
  mergeGroups,
  noteGroup,
  splitGroup,
} from '#console/api/group-changes.ts';
import type { GroupDetail, GroupRow } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { count } from '#console/words/counts.ts';

/** What people do with one group beside moving its members. */
export const useGroupChanges = (group: GroupDetail) => {
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
  const foresee = (change: Partial<GroupDetail>): void => {
    queries.setQueryData<GroupDetail>([...GROUPS, 'detail', id], (before) => before && { ...before, ...change });
  };

  const assign = (user: typeof me.user | null): Promise<void> => {
    const before = group.assignedTo;
    foresee({ assignedTo: user });
    return attempt('The group could not be assigned', async () => {
      await assignGroup(call, id, { user_id: user?._id ?? null });
      const undo = () =>
        attempt('It could not be taken back', () => assignGroup(call, id, { user_id: before?._id ?? null }));
      say({ text: user === null ? 'Nobody has it now' : `${user.name} has it now`, undo });
    });
  };

  const assignTeam = (team: { readonly _id: string; readonly name: string } | null): Promise<void> => {
    const before = group.assignedTeam;
    foresee({ assignedTeam: team });
    return attempt('The group could not be given to the team', async () => {
      await assignGroup(call, id, { team_id: team?._id ?? null });
      const undo = () =>
        attempt('It could not be taken back', () => assignGroup(call, id, { team_id: before?._id ?? null }));
      say({ text: team === null ? 'No team has it now' : `${team.name} has it now`, undo });
    });
  };

  return {
    assignTeam,
    assignToMe: () => assign(me.user),
    unassign: () => assign(null),
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
    merge: (other: GroupRow, reason: string) =>
      attempt('The groups could not be merged', async () => {
        const [own, theirs] = [group.rootCauseCandidate?.eventId, other.rootCauseCandidate?.eventId];
        if (own === undefined || theirs === undefined) throw new Error('One of the groups has no event to merge by');
        await mergeGroups(call, own, [theirs], reason);
        say({ text: `Merged with “${other.title ?? other.correlationId}”` });
      }),
    split: (eventIds: readonly string[], reason: string) =>
      attempt('The group could not be split', async () => {
        const founded = await splitGroup(call, id, eventIds, reason);
        say({ text: `${count(eventIds.length, 'event')} left the group` });
        if (founded !== null) await navigate({ to: `/groups/${founded}` });
      }),
  };
};
