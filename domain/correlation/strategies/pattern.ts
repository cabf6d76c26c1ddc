import { chance, finding, perMinute } from '../calibration.ts';
import { gapMs, type Strategy } from '../strategy.ts';
import { areUnrelated, kinship } from './kinship.ts';

/** The same complaint on different systems (docs/specification.md §5). */
export const pattern: Strategy = {
  name: 'pattern',
  windowMs: (settings) => settings.strategies.pattern.windowMs,
  keys: ({ signature }) => (signature === '' ? [] : [signature]),
  lookup: ({ arrival: { signature }, settings: { candidates } }) => ({
    keys: signature === '' ? [] : [signature],
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score(arrival, other) {
    const { signature, system } = arrival.arrival;
    if (signature === '' || signature !== other.signature || system === other.system) return null;
    const gap = gapMs(arrival.arrival, other);
    const literal = 0.9 + 0.1 * (1 - gap / arrival.settings.strategies.pattern.windowMs);
    const factor = chance(arrival, other, arrival.rates.signature) * kinship('pattern', arrival, other);
    return finding(literal, factor, 'same_pattern', { signature, systems: [system, other.system], gapMs: gap });
  },
  inputs: (arrival, other) => ({
    signatures: [arrival.arrival.signature, other.signature],
    systems: [arrival.arrival.system, other.system],
    unrelatedCis: areUnrelated(arrival, other),
    ratePerMinute: perMinute(arrival, arrival.rates.signature),
  }),
};
