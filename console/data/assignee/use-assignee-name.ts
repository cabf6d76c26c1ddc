import { useQuery } from '@tanstack/react-query';
import { findAssigned } from '#console/api/assignees.ts';
import { useParts } from '#console/hooks/parts.ts';

/** The name of a user or team. */
export const useAssigneeName = (id: string | undefined): string | undefined => {
  const { call } = useParts();
  const found = useQuery({
    queryKey: ['assignees', 'named', id],
    queryFn: ({ signal }) => findAssigned(call, [id ?? ''], signal),
    enabled: id !== undefined,
  });
  return [...(found.data?.users ?? []), ...(found.data?.teams ?? [])].find(({ _id }) => _id === id)?.name;
};
