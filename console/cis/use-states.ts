import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readStates, type States } from '#console/api/cmdb/cmdb.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';

const NONE: States = {};
/** In a storm colours are asked for at most so often, ms. */
const LEAST_MS = 2_000;

/** The worst open event of each CI, with one request for all of them; empty until it is known. */
export const useStates = (ids: readonly string[]): States => {
  const { call } = useParts();
  const may = useMay('events.read');
  const states = useQuery({
    queryKey: ['states', ids],
    queryFn: ({ signal }) => readStates(call, ids, signal),
    enabled: may && ids.length > 0,
    placeholderData: keepPreviousData,
  });
  useLive(['events'], () => may && ids.length > 0 && states.refetch(), undefined, LEAST_MS);
  return states.data ?? NONE;
};
