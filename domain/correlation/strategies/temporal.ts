import { chance, commonnessOf, finding, perMinute, tenantRate } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import { gapMs, type Strategy } from '../strategy.ts';
import { areUnrelated, kinship } from './kinship.ts';

/** Related when the literal score is strictly greater. */
const RELATED = 0.5;

const closeness = (arrival: Enriched, other: Arrival): number =>
  Math.exp(-(gapMs(arrival.arrival, other) / arrival.settings.strategies.temporal.windowMs) * 2);

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
    const factor = chance(arrival, other, tenantRate(arrival, other)) * kinship('temporal', arrival, other);
    return finding(literal, factor, 'close_in_time', { gapMs: gap });
  },
  inputs: (arrival, other) => ({
    closeness: closeness(arrival, other),
    unrelatedCis: areUnrelated(arrival, other),
    commonness: commonnessOf(arrival, other),
    ratePerMinute: perMinute(arrival, tenantRate(arrival, other)),
  }),
};
