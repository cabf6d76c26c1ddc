import { keepPreviousData } from '@tanstack/react-query';
import { readStates, type States } from '#console/api/cmdb/cmdb.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';

const NONE: States = {};
/** Minimum interval of requests for colors in a storm, ms. */
const MIN_MS = 2_000;

/** The worst open event of each CI, with one request for all of them; empty until it is known. */
export const useStates = (ids: readonly string[]): States => {
  const may = useMay('events.read');
  const states = useRead(['states', ids], (call, signal) => readStates(call, ids, signal), {
    enabled: may && ids.length > 0,
    placeholderData: keepPreviousData,
  });
  useLive(['events'], () => may && ids.length > 0 && states.refetch(), undefined, MIN_MS);
  return states.data ?? NONE;
};
