import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listServices } from '#console/api/cmdb/services.ts';
import { listEvents } from '#console/api/events.ts';
import { listGroups } from '#console/api/groups.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import { readPipeline } from '#console/api/pipeline.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import type { Counts } from './wall-words.ts';

export const MOST_GROUPS = 40;
const MOST_SERVICES = 100;
/** In a storm six times that. */
const GROUPS_MS = 2_000;
const SERVICES_MS = 10_000;
const PIPELINE_MS = 30_000;

const WALL = ['noc'] as const;
const LONE = { include: 'single' } as const;

/** The worst groups and events in none, and how many there are. */
export const useWallGroups = () => {
  const { call } = useParts();
  const groups = useQuery({
    queryKey: [...WALL, 'groups'],
    queryFn: async ({ signal }) => {
      const total = async (query: AddressQuery): Promise<number> =>
        (await listGroups(call, { ...LONE, ...query, limit: 1, view: 'row' }, signal)).pagination.total;
      const [found, active, critical, acknowledged] = await Promise.all([
        listGroups(call, { ...LONE, status: 'active,acknowledged', limit: MOST_GROUPS }, signal),
        total({ status: 'active' }),
        total({ status: 'active', severity: 'critical' }),
        total({ status: 'acknowledged' }),
      ]);
      const counts: Counts = { active, critical, acknowledged };
      return { rows: found.groups, total: found.pagination.total, counts };
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

export const useWallServices = () => {
  const { call } = useParts();
  const may = useMay('services.read');
  const services = useQuery({
    queryKey: [...WALL, 'services'],
    queryFn: ({ signal }) => listServices(call, { limit: MOST_SERVICES }, signal),
    enabled: may,
  });
  useLive(['events', 'topology'], () => may && services.refetch({ cancelRefetch: false }), undefined, SERVICES_MS);
  return { may, services };
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
