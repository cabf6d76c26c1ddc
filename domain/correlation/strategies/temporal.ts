import {
  areUnrelated,
  chance,
  commonnessOf,
  finding,
  gapMs,
  perMinute,
  tenantRate,
  topologyFactor,
} from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import type { Strategy } from '../strategy.ts';

/** Related when the literal score is strictly greater. */
const RELATED = 0.5;

/**
 * The weight of a pair when the topology knows both CIs and nothing joins them; measured on simulated infrastructures.
 */
const WORTH_UNRELATED = 0.7;

const MINUTE = 60_000;

/** Returns the window for a tenant with this number of new events in 24 h (docs/specification.md §5), ms. */
const autoWindowMs = (dayCount: number): number => {
  if (dayCount < 1_000) return 30 * MINUTE;
  return dayCount <= 10_000 ? 15 * MINUTE : 10 * MINUTE;
};

const closeness = (arrival: Enriched, other: Arrival, windowMs: number): number =>
  Math.exp(-(gapMs(arrival.arrival, other) / windowMs) * 2);

/** Groups events close in time (docs/specification.md §5). */
export const temporal: Strategy = {
  name: 'temporal',
  words: {
    label: 'Temporal',
    setting: 'Temporal (time only)',
    by: 'time',
    help: 'Time proximity only. Auto selects 30, 15 or 10 minutes by daily event volume.',
  },
  defaults: { enabled: true, windowMs: 'auto' },
  auto: { mostMs: 30 * MINUTE, windowMs: autoWindowMs },
  worthUnrelated: WORTH_UNRELATED,
  keys: (partner) => [partner.tenant],
  lookup: ({ arrival, settings: { candidates } }) => ({
    keys: [arrival.tenant],
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score(arrival, other, { windowMs }) {
    const literal = closeness(arrival, other, windowMs);
    if (literal <= RELATED) return null;
    const gap = gapMs(arrival.arrival, other);
    const factor = chance(arrival, other, tenantRate(arrival, other)) * topologyFactor(WORTH_UNRELATED, arrival, other);
    return finding(literal, factor, 'close_in_time', { gapMs: gap });
  },
  inputs: (arrival, other, { windowMs }) => ({
    closeness: closeness(arrival, other, windowMs),
    unrelatedCis: areUnrelated(arrival, other),
    commonness: commonnessOf(arrival, other),
    ratePerMinute: perMinute(arrival, tenantRate(arrival, other)),
  }),
  noMatchReason: () => 'time-proximity score is 0.50 or less',
};
