import type { Arrival, Commonness, Enriched, Hit } from './records.ts';

/** Distance in event time, ms. */
export const gapMs = (a: Arrival, b: Arrival): number => Math.abs(a.time - b.time);

/** Weight of an expected chance meeting against a pair; measured on simulated infrastructures (`docs/decisions`). */
const KAPPA = 20;

/** Smallest distance in time that counts, ms: where events arrive by the second, two at one moment mean nothing. */
const FINEST_MS = 1_000;

/** False under the profile `specified` and in a quiet tenant: there the literal scores hold to the last digit. */
export const isCalibrated = (arrival: Enriched): boolean =>
  arrival.settings.profile === 'calibrated' && !arrival.rates.quiet;

/** Returns the longer polling interval of the two, ms: time between two polls is no evidence of distance. */
export const pollingIntervalOf = ({ arrival }: Enriched, other: Arrival): number =>
  Math.max(arrival.rhythm ?? 0, other.rhythm ?? 0);

/** Returns the distance in time at which the two count, ms. */
export const apartMs = (arrival: Enriched, other: Arrival): number =>
  Math.max(FINEST_MS, gapMs(arrival.arrival, other) - pollingIntervalOf(arrival, other));

/**
 * The odds, 0 to 1, that the coincidence is not chance; exactly 1 where nothing is calibrated.
 * @param rate chance meetings per ms of event time
 */
export const chance = (arrival: Enriched, other: Arrival, rate: number): number => {
  if (!isCalibrated(arrival)) return 1;
  return Math.exp(-KAPPA * rate * apartMs(arrival, other));
};

const COMMON: Commonness = 2;
const commonnessIn = ({ commonness = COMMON }: Arrival): Commonness => commonness;

/**
 * Returns the rate of the more common event of the two: chance would have had to produce one no more common than that.
 */
const pairCommonness = ({ arrival }: Enriched, other: Arrival): Commonness =>
  Math.max(commonnessIn(arrival), commonnessIn(other)) as Commonness;

/**
 * Returns the rate for events on connected CIs: that of the earlier one if it is a change, however common the later
 * problem is. Chance would have had to produce a change at that CI.
 */
const nearCommonness = (arrival: Enriched, other: Arrival): Commonness => {
  const earlier = other.time <= arrival.arrival.time ? other : arrival.arrival;
  return earlier.complaint.known === 'change' ? commonnessIn(earlier) : pairCommonness(arrival, other);
};

/** Levels of commonness for `explain`. */
const COMMONNESS = ['rare', 'uncommon', 'common'] as const;
export type CommonnessName = (typeof COMMONNESS)[number];
export const commonnessOf = (arrival: Enriched, other: Arrival): CommonnessName =>
  COMMONNESS[pairCommonness(arrival, other)];
export const nearCommonnessOf = (arrival: Enriched, other: Arrival): CommonnessName =>
  COMMONNESS[nearCommonness(arrival, other)];

const rateUpTo = ({ rates }: Enriched, commonness: Commonness): number => {
  const { tenant, uncommon = tenant, rare = tenant } = rates;
  return [rare, uncommon, tenant][commonness] as number;
};

/** The tenant's rate of events no commoner than the pair. */
export const tenantRate = (arrival: Enriched, other: Arrival): number =>
  rateUpTo(arrival, pairCommonness(arrival, other));

const shareOf = ({ all }: Enriched, cis: number): number => (all > 0 ? cis / all : 1);

/** Events of CIs near enough: those of the arrival's own CI, or the share of the tenant's that falls on `reach` of all its CIs. */
export const structureRate = (arrival: Enriched, other: Arrival, reach: number): number =>
  Math.max(arrival.rates.ci, rateUpTo(arrival, nearCommonness(arrival, other)) * shareOf(arrival, reach));

/** True if the earlier event is the rarer one of the two: a later event on a dependent CI may be its effect. */
export const isRarerBefore = (earlier: Arrival, later: Arrival): boolean =>
  earlier.time <= later.time && commonnessIn(earlier) < commonnessIn(later);

/**
 * Returns the rate where the rarer event is upstream and earlier: chance would have had to produce one no more common
 * than that among `reach` CIs, and the more common one on its own CI.
 */
export const effectRate = (arrival: Enriched, other: Arrival, reach: number): number => {
  const rarer = Math.min(commonnessIn(arrival.arrival), commonnessIn(other)) as Commonness;
  const own = rateUpTo(arrival, nearCommonness(arrival, other)) * shareOf(arrival, 1);
  return Math.max(arrival.rates.ci, rateUpTo(arrival, rarer) * shareOf(arrival, reach), own);
};

/** A finding: the score of docs/specification.md §5 clamped to 1, and that score after chance. Nothing is rounded. */
export const finding = (literal: number, factor: number, reason: string, details: Hit['details']) => {
  const literalScore = Math.min(1, literal);
  return { score: literalScore * factor, literalScore, reason, details };
};

/** Returns expected chance meetings per minute for `explain`, 0 where nothing is calibrated. */
export const perMinute = (arrival: Enriched, rate: number): number => (isCalibrated(arrival) ? rate * 60_000 : 0);

/**
 * True when the topology knows both CIs and no path of at most 3 hops joins them, or of at most 2 where too many are 3
 * hops away to be stored; false when unknown.
 */
export function areUnrelated({ arrival, near, truncated, reach2 }: Enriched, other: Arrival): boolean {
  if (truncated && reach2 > near.length) return false;
  if (arrival.ciId === null || other.ciId === null || arrival.ciId === other.ciId) return false;
  if (!arrival.hasRelationships || !other.hasRelationships) return false;
  return !near.some(({ ci }) => ci === other.ciId);
}

/** `worth` for such a pair, else 1; exactly 1 where nothing is calibrated. */
export const topologyFactor = (worth: number, arrival: Enriched, other: Arrival): number =>
  isCalibrated(arrival) && areUnrelated(arrival, other) ? worth : 1;
