import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { List } from '#console/api/list.ts';

/** A list of `/api` with a cursor: its pages as one. */
export const usePages = <Row>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined, signal?: AbortSignal) => Promise<List<Row>>,
  /** Returns ms after which such rows are refetched; false: never. */
  again: (rows: readonly Row[]) => number | false = () => false,
) => {
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => read(pageParam === '' ? undefined : pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => again(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });
  const rows: readonly Row[] = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return { found, rows, total: found.data?.pages[0]?.pagination.total ?? 0, read };
};
