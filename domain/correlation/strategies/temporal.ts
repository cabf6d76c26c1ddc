import { chance, commonnessOf, finding, isCalibrated, perMinute, tenantRate, UNRELATED_CIS } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import { gapMs, type Strategy } from '../strategy.ts';

/** Related when the literal score is strictly greater. */
const RELATED = 0.5;

const closeness = (arrival: Enriched, other: Arrival): number =>
  Math.exp(-(gapMs(arrival.arrival, other) / arrival.settings.strategies.temporal.windowMs) * 2);

/**
 * True when the topology knows both CIs and no way of at most 3 hops joins them, or of at most 2 where those 3 hops away are too many
 * to be known; false when it cannot tell.
 */
function areUnrelated({ arrival, near, truncated, reach2 }: Enriched, other: Arrival): boolean {
  if (truncated && reach2 > near.length) return false;
  if (arrival.ciId === null || other.ciId === null || arrival.ciId === other.ciId) return false;
  if (!arrival.hasRelationships || !other.hasRelationships) return false;
  return !near.some(({ ci }) => ci === other.ciId);
}

/** Groups events close in time (docs/specification.md §5). */
export const temporal: Strategy = {
  name: 'temporal',
  windowMs: (settings) => settings.strategies.temporal.windowMs,
  keys: (partner) => [partner.tenant],
  lookup: ({ arrival, settings: { candidates } }) => ({
    keys: [arrival.tenant],
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score(arrival, other) {
    const literal = closeness(arrival, other);
    if (literal <= RELATED) return null;
    const gap = gapMs(arrival.arrival, other);
    const odds = chance(arrival, other, tenantRate(arrival, other));
    const factor = isCalibrated(arrival) && areUnrelated(arrival, other) ? odds * UNRELATED_CIS : odds;
    return finding(literal, factor, 'close_in_time', { gapMs: gap });
  },
  inputs: (arrival, other) => ({
    closeness: closeness(arrival, other),
    unrelatedCis: areUnrelated(arrival, other),
    commonness: commonnessOf(arrival, other),
    ratePerMinute: perMinute(arrival, tenantRate(arrival, other)),
  }),
};
