import { useQueryClient } from '@tanstack/react-query';
import { mergeGroups, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { GroupRow } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count } from '#console/words/counts.ts';
import { GROUPS } from '../groups-cache.ts';

/** Larger groups are not taken apart again by a click. */
const MOST_MEMBERS = 500;
const BACK = 'The merge was taken back';

const eventOf = ({ kind, correlationId, rootCauseCandidate }: GroupRow): string | undefined =>
  kind === 'event' ? correlationId : rootCauseCandidate?.eventId;

const membersOf = async (call: Call, { kind, correlationId }: GroupRow): Promise<string[] | null> => {
  if (kind === 'event') return [correlationId];
  const { members, pagination } = await readMembers(call, correlationId, { limit: MOST_MEMBERS });
  return pagination.total > members.length ? null : members.map(({ eventId }) => eventId);
};

const mergedWords = ([, second, third]: readonly GroupRow[], all: number): string =>
  third === undefined
    ? `Merged with “${second?.title ?? second?.correlationId}”`
    : `${count(all, 'group')} are one now`;

/** Makes one group of several; undone, the members of each leave it again. Throws when the server has not done it. */
export const useMergeGroups = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: GROUPS });

  const undo = async (whole: string, left: readonly (readonly string[])[]): Promise<void> => {
    try {
      for (const eventIds of left) await splitGroup(call, whole, eventIds, BACK);
      say({ text: 'Undone' });
    } catch (error) {
      sayFailure("Couldn't undo", error);
    }
    await readAnew();
  };

  return async (groups: readonly GroupRow[], reason: string): Promise<void> => {
    const known = groups.flatMap((group) => eventOf(group) ?? []);
    const [own, ...others] = known;
    if (own === undefined || known.length < groups.length)
      throw new Error("Can't merge: one of the groups has no events left");
    const left = await Promise.all(groups.slice(1).map((group) => membersOf(call, group)));
    const whole = await mergeGroups(call, own, others, reason);
    const canUndo = left.every((ids) => ids !== null);
    say({ text: mergedWords(groups, groups.length), ...(canUndo && { undo: () => undo(whole, left) }) });
    await readAnew();
  };
};
