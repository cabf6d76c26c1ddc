import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupGraphShown, readGraph, readMembers, readTimeline } from '#console/api/group-parts.ts';
import { readGroup } from '#console/api/groups.ts';
import { type Changed, mayConcern } from '#console/api/live/changes.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { isFromAi } from '#domain/topology/topology.ts';

/** Members that are looked at in the page; more are in the list of events. */
const MOST_MEMBERS = 500;
const MOMENTS = 200;

/** One group; what is shown of it is read anew when it changes. */
export const useGroup = (id: string) => {
  const { call } = useParts();
  const queries = useQueryClient();
  const group = useQuery({
    queryKey: [...GROUPS, 'detail', id],
    queryFn: ({ signal }) => readGroup(call, id, signal),
  });
  const names = group.data === undefined ? [id] : [id, group.data.correlationId, ...group.data.aliases];
  const concerns = (changed: Changed): boolean => names.some((name) => mayConcern(changed, name));
  useLive(
    ['groups'],
    () => {
      void queries.invalidateQueries({ queryKey: [...GROUPS, 'detail', id] });
      void queries.invalidateQueries({ queryKey: [...GROUPS, 'parts', id] });
    },
    concerns,
    1_000,
  );
  return group;
};

const partKey = (id: string, part: string, ...more: readonly unknown[]) => [...GROUPS, 'parts', id, part, ...more];

export const useMembers = (id: string, sort: { readonly by: string; readonly order: string }) => {
  const { call } = useParts();
  return useQuery({
    queryKey: partKey(id, 'members', sort),
    queryFn: ({ signal }) =>
      readMembers(call, id, { limit: MOST_MEMBERS, sortBy: sort.by, sortOrder: sort.order }, signal),
    placeholderData: keepPreviousData,
  });
};

export const useTimeline = (id: string, sortOrder: 'asc' | 'desc') => {
  const { call } = useParts();
  return useInfiniteQuery({
    queryKey: partKey(id, 'timeline', sortOrder),
    queryFn: ({ signal, pageParam }) =>
      readTimeline(call, id, { limit: MOMENTS, sortOrder, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
};

/** Made once for each reply: another drawing is laid out anew. */
const drawn = ({ nodes, edges, services, truncated }: GroupGraphShown) => ({
  drawing: {
    nodes,
    edges: edges.map(({ source, target, type, discoveredBy }) => ({
      source,
      target,
      type,
      isFromAi: isFromAi(discoveredBy),
    })),
  },
  services,
  truncated,
});

export const useGraph = (id: string, limit: number) => {
  const { call } = useParts();
  return useQuery({
    queryKey: partKey(id, 'graph', limit),
    queryFn: ({ signal }) => readGraph(call, id, limit, signal),
    select: drawn,
    placeholderData: keepPreviousData,
  });
};
