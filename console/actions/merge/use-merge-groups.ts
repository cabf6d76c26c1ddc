import { useQueryClient } from '@tanstack/react-query';
import { mergeGroups } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count } from '#console/words/counts.ts';
import { GROUPS } from '../groups-cache.ts';

/** Makes one group of several. A split takes it back. */
export const useMergeGroups = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  return async (groups: readonly GroupRow[], reason: string): Promise<void> => {
    try {
      const events = groups.map(({ rootCauseCandidate }) => rootCauseCandidate?.eventId);
      const known = events.filter((id) => id !== undefined);
      const [own, ...others] = known;
      if (own === undefined || known.length < groups.length)
        throw new Error('One of the groups has no event to merge by');
      await mergeGroups(call, own, others, reason);
      const [, second] = groups;
      say({
        text:
          groups.length === 2
            ? `Merged with “${second?.title ?? second?.correlationId}”`
            : `${count(groups.length, 'group')} are one now`,
      });
    } catch (error) {
      sayFailure('The groups could not be merged', error);
    }
    await queries.invalidateQueries({ queryKey: GROUPS });
  };
};
