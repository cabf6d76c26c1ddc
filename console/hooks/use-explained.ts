import { useQuery } from '@tanstack/react-query';
import { explain } from '#console/api/group-parts.ts';
import { useParts } from './parts.ts';

/** Why two events are, or are not, in one group; asked when both are chosen. */
export const useExplained = (one: string | null, other: string | null) => {
  const { call } = useParts();
  return useQuery({
    queryKey: ['explained', one, other],
    queryFn: ({ signal }) => explain(call, one ?? '', other ?? '', signal),
    enabled: one !== null && other !== null && one !== other,
  });
};
