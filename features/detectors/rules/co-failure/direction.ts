import { wilson } from '#domain/statistics/bounds.ts';
import { middle } from '#features/ai/rules/forecast/forecast.ts';
import { MIN_TOGETHER, type Pair } from './pairs.ts';
import { combined, signTail } from './tails.ts';

/** Findings that pass, with the share of false ones among all that are at least as sure. */
interface Discovery<T> {
  readonly item: T;
  readonly falseShare: number;
}

/**
 * Benjamini and Hochberg: of `tests` findings those of which at most `share` are false, the surest first. Findings that are not among
 * the items have a chance of 1.
 */
export function discoveries<T>(
  items: readonly T[],
  chanceOf: (item: T) => number,
  { tests, share }: { readonly tests: number; readonly share: number },
): Discovery<T>[] {
  const sorted = items.map((item) => ({ item, chance: chanceOf(item) })).sort((a, b) => a.chance - b.chance);
  let least = 1;
  const judged = sorted
    .map(({ item, chance }, i) => ({ item, own: (chance * tests) / (i + 1) }))
    .reverse()
    .map(({ item, own }): Discovery<T> => {
      least = Math.min(least, own);
      return { item, falseShare: least };
    })
    .reverse();
  return judged.filter(({ falseShare }) => falseShare <= share);
}

/** Share of all found pairs that may be false. */
const FALSE_SHARE = 0.05;
/** Chance of as many lags in one direction: four of four, six of seven. */
const ONE_WAY = 1 / 16;

/** A pair with the time from the first failure of `a` to that of `b` in each incident, ms; negative: `b` failed first. */
export interface LaggedPair extends Pair {
  readonly lags: readonly number[];
}

/** The second fails after the first, again and again. */
export interface FollowingPair {
  readonly first: string;
  readonly second: string;
  /** Ids of the incidents in which both failed. */
  readonly together: readonly string[];
  readonly expected: number;
  /** Incidents in which the first was first, of those in which one of them was. */
  readonly inOrder: number;
  readonly ordered: number;
  /** The middle of the times between, ms. */
  readonly lagMs: number;
  /** Share of false ones among all that are as sure. */
  readonly falseShare: number;
  /** 0 to 1. */
  readonly confidence: number;
}

interface Directed {
  readonly pair: LaggedPair;
  readonly isForward: boolean;
  readonly inOrder: number;
  readonly ordered: number;
  readonly chance: number;
}

function direct(pair: LaggedPair): Directed {
  const forward = pair.lags.filter((lag) => lag > 0).length;
  const ordered = pair.lags.filter((lag) => lag !== 0).length;
  const inOrder = Math.max(forward, ordered - forward);
  // The direction is not named before, so both sides count.
  const chance = combined(pair.chance, Math.min(1, 2 * signTail(inOrder, ordered)));
  return { pair, isForward: 2 * forward >= ordered, inOrder, ordered, chance };
}

const isOneWay = ({ inOrder, ordered }: Directed): boolean =>
  ordered >= MIN_TOGETHER && signTail(inOrder, ordered) <= ONE_WAY;

/**
 * Returns pairs that fail together in one direction: neither fact is accidental, in all except 5 % of the found pairs.
 */
export function followingPairs(pairs: readonly LaggedPair[], tests: number): FollowingPair[] {
  const found = discoveries(pairs.map(direct), ({ chance }) => chance, { tests, share: FALSE_SHARE });
  return found
    .filter(({ item }) => isOneWay(item))
    .map(({ item: { pair, isForward, inOrder, ordered }, falseShare }) => {
      const { a, b, together, expected, lags } = pair;
      const low = wilson(inOrder, ordered)?.low ?? 0;
      return {
        ...(isForward ? { first: a, second: b } : { first: b, second: a }),
        together,
        expected,
        inOrder,
        ordered,
        falseShare,
        lagMs: middle(lags.map((lag) => (isForward ? lag : -lag)).filter((lag) => lag > 0)),
        confidence: Math.round(1_000 * (1 - falseShare) * low) / 1_000,
      };
    });
}
