import { useQuery } from '@tanstack/react-query';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupRow, readGroup } from '#console/api/groups.ts';
import { useParts } from '#console/hooks/parts.ts';

/** The group in focus as the panel beside the list has read it; undefined: the list, read at a time (ms), has it as new. */
export const useNewerRow = (id: string | null, listedAt: number, left: ReadonlySet<string>): GroupRow | undefined => {
  const { call } = useParts();
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [...GROUPS, 'detail', id],
    queryFn: ({ signal }) => readGroup(call, id ?? '', signal),
    // The panel reads it.
    enabled: false,
  });
  // A row that left the list is not in its last read.
  const isNewer = id !== null && (dataUpdatedAt > listedAt || left.has(id));
  return isNewer ? data : undefined;
};
