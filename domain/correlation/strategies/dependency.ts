import type { NearCi } from '#domain/topology/near.ts';
import {
  chance,
  effectRate,
  finding,
  gapMs,
  isRarerBefore,
  nearCommonnessOf,
  perMinute,
  structureRate,
} from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import type { Strategy } from '../strategy.ts';
import { unboundWords } from './unbound.ts';
import { wayTo } from './way.ts';

/** Score by length of the directed chain; the same CI counts as direct. */
const BASE = [0.9, 0.9, 0.7, 0.5] as const;
const REASONS = ['same_ci', 'direct_dependency', 'dependency_one_hop', 'dependency_two_hops'] as const;

type Length = 0 | 1 | 2 | 3;
interface Chain {
  readonly length: Length;
  /** Position of the other event relative to the arrival. */
  readonly direction: 'same' | 'upstream' | 'downstream';
}

const SAME: Chain = { length: 0, direction: 'same' };

const hopsUp = (from: Arrival, ci: string | null): number => {
  for (const upstream of from.chain) if (upstream.ci === ci) return upstream.hops;
  return Number.POSITIVE_INFINITY;
};

/**
 * Returns the shorter of the two directions; in a cycle of equal paths the smaller CI id counts as upstream, regardless
 * of the order of arrival.
 */
function chainOf({ arrival }: Enriched, other: Arrival): Chain | null {
  if (arrival.ciId === null || other.ciId === null) return null;
  if (arrival.ciId === other.ciId) return SAME;
  const up = hopsUp(arrival, other.ciId);
  const down = hopsUp(other, arrival.ciId);
  const length = Math.min(up, down);
  if (length > 3) return null;
  const upstream = up === down ? other.ciId < arrival.ciId : up < down;
  return { length: length as Length, direction: upstream ? 'upstream' : 'downstream' };
}

/** CIs on which an event would look related by chance: below the upstream one and above the downstream one. */
function reachOf({ arrival }: Enriched, other: Arrival, { direction }: Chain): number {
  if (direction === 'same') return 1;
  return direction === 'upstream' ? other.below3 + arrival.above3 : arrival.below3 + other.above3;
}

const NONE: readonly NearCi[] = [];

/** The upstream event is rarer than the other one, and no later. */
const isEffect = ({ arrival }: Enriched, other: Arrival, { direction }: Chain): boolean => {
  if (direction === 'same') return false;
  return direction === 'upstream' ? isRarerBefore(other, arrival) : isRarerBefore(arrival, other);
};

const rateOf = (arrival: Enriched, other: Arrival, chain: Chain): number => {
  const reach = reachOf(arrival, other, chain);
  return isEffect(arrival, other, chain) ? effectRate(arrival, other, reach) : structureRate(arrival, other, reach);
};

/**
 * Root causes upstream and impacts downstream (docs/specification.md §5). A partner is stored under its own CI, and
 * separately under every CI above it, so that the arrival of a hub need not name its dependents.
 */
export const dependency: Strategy = {
  name: 'dependency',
  words: {
    label: 'Dependency',
    setting: 'Dependency',
    by: 'dependency',
    help: "One event's CI depends on the other's CI (up to three hops), or both are on the same CI.",
  },
  defaults: { enabled: true, windowMs: 900_000 },
  keys: ({ ciId }) => (ciId === null ? [] : [ciId]),
  above: ({ ciId, chain }) => (ciId === null ? NONE : chain),
  lookup: ({ arrival: { ciId, chain }, settings: { candidates } }) => ({
    keys: ciId === null ? [] : [ciId, ...chain.map(({ ci }) => ci)],
    below: ciId,
    perKey: candidates.structure,
    perCi: candidates.perCi,
    total: candidates.structure,
  }),
  score(arrival, other, { windowMs }) {
    const chain = chainOf(arrival, other);
    if (chain === null) return null;
    const gap = gapMs(arrival.arrival, other);
    const literal = BASE[chain.length] + 0.2 * (1 - gap / windowMs);
    const factor = chance(arrival, other, rateOf(arrival, other, chain));
    const { length: hops, direction } = chain;
    return finding(literal, factor, REASONS[hops], { hops, direction, gapMs: gap });
  },
  inputs(arrival, other) {
    const chain = chainOf(arrival, other);
    if (chain === null) return { hops: null };
    const mine = arrival.arrival;
    const path =
      chain.direction === 'downstream'
        ? wayTo(other.ciId, mine.ciId, other.chain).toReversed()
        : wayTo(mine.ciId, other.ciId, mine.chain);
    const background = {
      commonness: nearCommonnessOf(arrival, other),
      afterRarer: isEffect(arrival, other, chain),
      ratePerMinute: perMinute(arrival, rateOf(arrival, other, chain)),
    };
    return { hops: chain.length, direction: chain.direction, path, ...background };
  },
  noMatchReason: (a, b) => unboundWords(a, b) ?? 'no dependency chain of up to three hops between the CIs',
};
