import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listEvents } from '#console/api/events.ts';
import { listGroups } from '#console/api/groups.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import { readPipeline } from '#console/api/pipeline.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { type Counts, untouchedFirst } from './wall-words.ts';

export const MOST_GROUPS = 40;
/** In a storm six times that. */
const GROUPS_MS = 2_000;
const PIPELINE_MS = 30_000;

const WALL = ['noc'] as const;
const LONE = { include: 'single' } as const;

/** The worst groups and events in none, and how many there are. */
export const useWallGroups = () => {
  const { call } = useParts();
  const groups = useQuery({
    queryKey: [...WALL, 'groups'],
    queryFn: async ({ signal }) => {
      const find = (query: AddressQuery) => listGroups(call, { ...LONE, ...query }, signal);
      const [active, acknowledged, critical] = await Promise.all([
        find({ status: 'active', limit: MOST_GROUPS }),
        find({ status: 'acknowledged', limit: MOST_GROUPS }),
        find({ status: 'active', severity: 'critical', limit: 1, view: 'row' }),
      ]);
      const counts: Counts = {
        active: active.pagination.total,
        critical: critical.pagination.total,
        acknowledged: acknowledged.pagination.total,
      };
      const rows = untouchedFirst(active.groups, acknowledged.groups).slice(0, MOST_GROUPS);
      return { rows, total: counts.active + counts.acknowledged, counts };
    },
    placeholderData: keepPreviousData,
  });
  useLive(['groups', 'events'], () => groups.refetch({ cancelRefetch: false }), undefined, GROUPS_MS);
  return groups;
};

/** When the last event came, epoch ms; null: none ever. */
export const useLastEvent = () => {
  const { call } = useParts();
  const last = useQuery({
    queryKey: [...WALL, 'last'],
    queryFn: async ({ signal }): Promise<number | null> => {
      const [event] = (await listEvents(call, { limit: 1, sortBy: 'lastOccurrence', sortOrder: 'desc' }, signal))
        .events;
      return event === undefined ? null : Date.parse(event.lastOccurrence);
    },
  });
  useLive(['events'], () => last.refetch({ cancelRefetch: false }), undefined, GROUPS_MS);
  return last;
};

export const useWallPipeline = () => {
  const { call } = useParts();
  const may = useMay('pipeline.read');
  const pipeline = useQuery({
    queryKey: [...WALL, 'pipeline'],
    queryFn: ({ signal }) => readPipeline(call, signal),
    refetchInterval: PIPELINE_MS,
    enabled: may,
  });
  return { may, pipeline };
};
