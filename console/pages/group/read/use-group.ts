import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupGraphData, readGraph, readMembers, readTimeline } from '#console/api/group-parts.ts';
import { readGroup } from '#console/api/groups.ts';
import { mayConcern, type TopicChange } from '#console/api/live/changes.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { isFromAi } from '#domain/topology/topology.ts';

/** Maximum of members on the page; more are in the list of events. */
const MAX_MEMBERS = 500;
const MOMENTS = 200;

/** One group; its shown data is refetched when it changes. */
export const useGroup = (id: string) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const group = useQuery({ queryKey: [...GROUPS, 'detail', id], queryFn: ({ signal }) => readGroup(call, id, signal) });
  const names = group.data === undefined ? [id] : [id, group.data.correlationId, ...group.data.aliases];
  const concerns = (changed: TopicChange): boolean => names.some((name) => mayConcern(changed, name));
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
  const { call } = useAppServices();
  return useQuery({
    queryKey: partKey(id, 'members', sort),
    queryFn: ({ signal }) =>
      readMembers(call, id, { limit: MAX_MEMBERS, sortBy: sort.by, sortOrder: sort.order }, signal),
    placeholderData: keepPreviousData,
  });
};

export const useTimeline = (id: string, sortOrder: 'asc' | 'desc') => {
  const { call } = useAppServices();
  return useInfiniteQuery({
    queryKey: partKey(id, 'timeline', sortOrder),
    queryFn: ({ signal, pageParam }) =>
      readTimeline(call, id, { limit: MOMENTS, sortOrder, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
};

/** Made once for each reply: another drawing is laid out again. */
const drawn = ({ nodes, edges, truncated }: GroupGraphData) => ({
  drawing: {
    nodes,
    edges: edges.map(({ source, target, type, discoveredBy }) => ({
      source,
      target,
      type,
      isFromAi: isFromAi(discoveredBy),
    })),
    isCut: truncated,
  },
  truncated,
});

export const useGraph = (id: string, limit: number) => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: partKey(id, 'graph', limit),
    queryFn: ({ signal }) => readGraph(call, id, limit, signal),
    select: drawn,
    placeholderData: keepPreviousData,
  });
};
