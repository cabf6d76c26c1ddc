import { areUnrelated, chance, finding, gapMs, perMinute, topologyFactor } from '../calibration.ts';
import type { Strategy } from '../strategy.ts';

/**
 * The weight of a pair when the topology knows both CIs and nothing joins them; measured on simulated infrastructures.
 */
const WORTH_UNRELATED = 0.85;

/** The same problem on different systems (docs/specification.md §5). */
export const pattern: Strategy = {
  name: 'pattern',
  words: {
    label: 'Pattern',
    setting: 'Pattern (same signature)',
    by: 'pattern',
    help: 'Same problem signature on different systems. Turn off if many hosts report the same problem on a schedule.',
  },
  defaults: { enabled: true, windowMs: 3_600_000 },
  worthUnrelated: WORTH_UNRELATED,
  keys: ({ signature }) => (signature === '' ? [] : [signature]),
  lookup: ({ arrival: { signature }, settings: { candidates } }) => ({
    keys: signature === '' ? [] : [signature],
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score(arrival, other, { windowMs }) {
    const { signature, system } = arrival.arrival;
    if (signature === '' || signature !== other.signature || system === other.system) return null;
    const gap = gapMs(arrival.arrival, other);
    const literal = 0.9 + 0.1 * (1 - gap / windowMs);
    const factor = chance(arrival, other, arrival.rates.signature) * topologyFactor(WORTH_UNRELATED, arrival, other);
    return finding(literal, factor, 'same_pattern', { signature, systems: [system, other.system], gapMs: gap });
  },
  inputs: (arrival, other) => ({
    signatures: [arrival.arrival.signature, other.signature],
    systems: [arrival.arrival.system, other.system],
    unrelatedCis: areUnrelated(arrival, other),
    ratePerMinute: perMinute(arrival, arrival.rates.signature),
  }),
  noMatchReason: () => 'different signatures, or the same system',
};
