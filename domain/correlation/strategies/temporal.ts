import { areUnrelated, chance, commonnessOf, finding, gapMs, kinship, perMinute, tenantRate } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import type { Strategy } from '../strategy.ts';

/** Related when the literal score is strictly greater. */
const RELATED = 0.5;

/** The worth of a pair when the topology knows both CIs and nothing joins them; measured on simulated estates. */
const WORTH_UNRELATED = 0.7;

const MINUTE = 60_000;

/** The window for a tenant with so many new events in 24 h (docs/specification.md §5), ms. */
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
    label: 'Close in time',
    setting: 'Close in time alone',
    by: 'time',
    help: 'Nearness in time and nothing else. Automatic takes 30, 15 or 10 minutes, by how many events you have in a day.',
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
    const factor = chance(arrival, other, tenantRate(arrival, other)) * kinship(WORTH_UNRELATED, arrival, other);
    return finding(literal, factor, 'close_in_time', { gapMs: gap });
  },
  inputs: (arrival, other, { windowMs }) => ({
    closeness: closeness(arrival, other, windowMs),
    unrelatedCis: areUnrelated(arrival, other),
    commonness: commonnessOf(arrival, other),
    ratePerMinute: perMinute(arrival, tenantRate(arrival, other)),
  }),
  whyNot: () => 'closeness in time is not above 0.50',
};
