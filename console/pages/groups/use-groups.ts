import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { askedOf } from '#console/data/filters.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { GROUP_FILTERS, GROUP_STATES, type GroupFilterState, stateOf } from './group-filters.ts';

const PAGE = 100;
/** Events in no group stand among groups. */
const LONE = { include: 'single' } as const;

type Search = Readonly<Record<string, string>>;

/** The groups that the address asks for, read anew when one of them changes. */
export const useGroups = (query: Search) => {
  const { call } = useParts();
  const asked = { ...LONE, ...askedOf(GROUP_FILTERS, query, ['search']), status: stateOf(query) };
  const found = useInfiniteQuery({
    queryKey: [...GROUPS, 'list', asked],
    queryFn: ({ signal, pageParam }) => listGroups(call, { ...asked, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  useLive(['groups', 'events'], () => found.refetch({ cancelRefetch: false }));
  const rows: readonly GroupRow[] = found.data?.pages.flatMap(({ groups }) => groups) ?? [];
  return { found, rows, total: found.data?.pages[0]?.pagination.total ?? 0, list: JSON.stringify(asked) };
};

/** How many active groups a view has, or those of the state that it names. */
export const useGroupsCounted = () => {
  const { call } = useParts();
  return async (query: Search, signal: AbortSignal): Promise<number> => {
    const asked = { ...LONE, ...askedOf(GROUP_FILTERS, query, ['search']), status: stateOf(query) };
    return (await listGroups(call, { ...asked, limit: 1, view: 'row' }, signal)).pagination.total;
  };
};

const COUNTED_MS = 5_000;

/** How many groups of each state the filters find. */
export const useGroupCounts = (query: Search): Readonly<Record<GroupFilterState, number | undefined>> => {
  const { call } = useParts();
  const asked = { ...LONE, ...askedOf(GROUP_FILTERS, query, ['search']) };
  const counts = useQueries({
    queries: GROUP_STATES.map((status) => ({
      queryKey: [...GROUPS, 'count', { ...asked, status }],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await listGroups(call, { ...asked, status, limit: 1, view: 'row' }, signal)).pagination.total,
      placeholderData: keepPreviousData,
    })),
  });
  useLive(['groups', 'events'], () => counts.map((one) => one.refetch()), undefined, COUNTED_MS);
  const [active, acknowledged, resolved] = counts.map(({ data }) => data);
  return { active, acknowledged, resolved };
};
