import type { Arrival } from '#domain/correlation/records.ts';

/** Explains why a strategy that uses CIs alone ignores events without one; null when both are bound. */
export const unboundWords = (a: Arrival, b: Arrival): string | null => {
  if (a.ciId !== null && b.ciId !== null) return null;
  return a.ciId === b.ciId ? 'neither event is bound to a CI' : 'one of the events is not bound to a CI';
};
