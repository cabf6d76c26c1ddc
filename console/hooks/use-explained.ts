import { explain } from '#console/api/group-parts.ts';
import { useRead } from './use-read.ts';

/** Explains why two events are, or are not, in one group; requested when both are chosen. */
export const useExplained = (one: string | null, other: string | null) => {
  return useRead(['explained', one, other], (call, signal) => explain(call, one ?? '', other ?? '', signal), {
    enabled: one !== null && other !== null && one !== other,
  });
};
