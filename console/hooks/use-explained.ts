import { useQuery } from '@tanstack/react-query';
import { explain } from '#console/api/group-parts.ts';
import { useAppServices } from './app-services.ts';

/** Explains why two events are, or are not, in one group; requested when both are chosen. */
export const useExplained = (one: string | null, other: string | null) => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: ['explained', one, other],
    queryFn: ({ signal }) => explain(call, one ?? '', other ?? '', signal),
    enabled: one !== null && other !== null && one !== other,
  });
};
