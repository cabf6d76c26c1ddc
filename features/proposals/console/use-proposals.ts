import { useQuery } from '@tanstack/react-query';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { openProposals, type Proposal } from './api.ts';

/** They count in a class of requests of their own, so they are read anew more seldom than a map. */
const PACE_MS = 10_000;
/** Nothing tells of a new one. */
const LOOK_AGAIN_MS = 60_000;
const NONE: readonly Proposal[] = [];

/** Relationships that AI proposes and nobody has decided about; none for a map of the past. */
export const useProposals = (isNow: boolean): readonly Proposal[] => {
  const { call } = useParts();
  const found = useQuery({
    queryKey: ['topology', 'proposals'],
    queryFn: ({ signal }) => openProposals(call, signal),
    enabled: isNow,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
  useLive(['topology'], () => isNow && found.refetch(), undefined, PACE_MS);
  return isNow ? (found.data?.relationships ?? NONE) : NONE;
};
