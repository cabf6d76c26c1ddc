import type { Arrival } from '#domain/correlation/records.ts';

/** Why a strategy that looks at CIs alone sees nothing in events without one; null when both are bound. */
export const unboundWords = (a: Arrival, b: Arrival): string | null => {
  if (a.ciId !== null && b.ciId !== null) return null;
  return a.ciId === b.ciId ? 'neither event is bound to a CI' : 'one of the events is bound to no CI';
};
