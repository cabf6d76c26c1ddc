import { useQueryClient } from '@tanstack/react-query';
import { listCiEvents, listCiPast, readCi } from '#console/api/cmdb/cmdb.ts';
import { readImpact } from '#console/api/cmdb/topology.ts';
import { listGroups } from '#console/api/groups.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useRead } from '#console/hooks/use-read.ts';

const MIN_MS = 1_000;
const OPEN = 'open,acknowledged';
const FEW_EVENTS = 20;
const FEW_GROUPS = 10;
const FEW_CHANGES = 10;

export const useCi = (id: string) => {
  const queries = useQueryClient();
  const ci = useRead(['cis', 'one', id], (call, signal) => readCi(call, id, signal));
  // Includes its past, its sources and its reach.
  useLive(['topology'], () => queries.invalidateQueries({ queryKey: ['cis', 'one', id] }), undefined, MIN_MS);
  return ci;
};

export const useCiEvents = (id: string) => {
  const events = useRead(
    ['events', 'of-ci', id],
    async (call, signal) => {
      const [found, acknowledged] = await Promise.all([
        listCiEvents(call, id, { status: OPEN, limit: FEW_EVENTS }, signal),
        listCiEvents(call, id, { status: 'acknowledged', limit: 1 }, signal),
      ]);
      return { ...found, acknowledged: acknowledged.pagination.total };
    },
    { enabled: useMay('events.read') },
  );
  useLive(['events'], () => events.refetch(), undefined, MIN_MS);
  return events;
};

export const useCiGroups = (id: string) => {
  const groups = useRead(
    ['groups', 'of-ci', id],
    (call, signal) => listGroups(call, { ci: id, view: 'row', limit: FEW_GROUPS }, signal),
    { enabled: useMay('events.read') },
  );
  useLive(['groups'], () => groups.refetch(), undefined, MIN_MS);
  return groups;
};

/** Its impact. */
export const useReach = (id: string) => {
  return useRead(['cis', 'one', id, 'reach'], (call, signal) => readImpact(call, { ci_ids: [id], limit: 1 }, signal));
};

export const useCiPast = (id: string) => {
  const { call } = useAppServices();
  return usePages(['cis', 'one', id, 'past'], (cursor, signal) =>
    listCiPast(call, id, { limit: FEW_CHANGES, cursor }, signal),
  );
};
