import { isCalibrated } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';

/**
 * True when the topology knows both CIs and no way of at most 3 hops joins them, or of at most 2 where those 3 hops away are too many
 * to be known; false when it cannot tell.
 */
export function areUnrelated({ arrival, near, truncated, reach2 }: Enriched, other: Arrival): boolean {
  if (truncated && reach2 > near.length) return false;
  if (arrival.ciId === null || other.ciId === null || arrival.ciId === other.ciId) return false;
  if (!arrival.hasRelationships || !other.hasRelationships) return false;
  return !near.some(({ ci }) => ci === other.ciId);
}

/** `worth` for such a pair, else 1; exactly 1 where nothing is calibrated. */
export const kinship = (worth: number, arrival: Enriched, other: Arrival): number =>
  isCalibrated(arrival) && areUnrelated(arrival, other) ? worth : 1;
