import type { NearCi } from '#domain/topology/near.ts';
import type { Arrival, Enriched, Hit, ResolvedSettings } from './records.ts';
import type { StrategyName } from './settings.ts';

/** Keys under which partners are looked up; `perKey` nearest in time of each, `total` in all. */
interface Lookup {
  readonly keys: readonly string[];
  /** The CI whose dependants are looked up after those; absent or null: none. */
  readonly below?: string | null;
  readonly perKey: number;
  /** At most so many partners of one CI under one key; absent: no such bound. */
  readonly perCi?: number;
  readonly total: number;
}

/**
 * One way to see that two events belong together. Pure: a score depends on the two records alone. Windows ask `keys` and `above` of what
 * they store, `lookup` of what arrives, so that n events cost O(n).
 */
export interface Strategy {
  readonly name: StrategyName;
  windowMs(settings: ResolvedSettings): number;
  keys(partner: Arrival): readonly string[];
  /** CIs under which the partner is found by `below`, apart from its keys. */
  above?(partner: Arrival): readonly NearCi[];
  lookup(arrival: Enriched): Lookup;
  /** The score of the pair, or null when this strategy sees no relation. Called for pairs inside the window only. */
  score(arrival: Enriched, other: Arrival): Omit<Hit, 'other'> | null;
  /** For `explain`: what went into the score, also when there is none. */
  inputs(arrival: Enriched, other: Arrival): Readonly<Record<string, unknown>>;
}

/** Distance in event time, ms. */
export const gapMs = (a: Arrival, b: Arrival): number => Math.abs(a.time - b.time);
