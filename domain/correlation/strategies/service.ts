import { chance, finding, gapMs, perMinute } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import type { Strategy } from '../strategy.ts';

/** Shared names listed in a finding; two events can have a hundred in common. */
const NAMED = 10;

const sharedServices = ({ arrival }: Enriched, other: Arrival): string[] =>
  arrival.services.filter((name) => other.services.includes(name));

/** The busiest of several shared names counts: the pair is no rarer than that. */
const rateOf = ({ rates }: Enriched, shared: readonly string[]): number =>
  shared.reduce((highest, name) => Math.max(highest, rates.service[name] ?? 0), 0);

/** Events of one service, application or business service (docs/specification.md §5). */
export const service: Strategy = {
  name: 'service',
  words: {
    label: 'Service',
    setting: 'Service',
    by: 'service',
    help: 'Both events name the same service. Turn off if one service name covers everything.',
  },
  defaults: { enabled: true, windowMs: 900_000 },
  keys: (partner) => partner.services,
  lookup: ({ arrival, settings: { candidates } }) => ({
    keys: arrival.services,
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score(arrival, other) {
    const shared = sharedServices(arrival, other);
    if (shared.length === 0) return null;
    const gap = gapMs(arrival.arrival, other);
    const factor = chance(arrival, other, rateOf(arrival, shared));
    return finding(0.8, factor, 'same_service', { services: shared.slice(0, NAMED), gapMs: gap });
  },
  inputs(arrival, other) {
    const shared = sharedServices(arrival, other);
    return { sharedServices: shared, ratePerMinute: perMinute(arrival, rateOf(arrival, shared)) };
  },
  noMatchReason: () => 'no shared service, application or business service',
};
