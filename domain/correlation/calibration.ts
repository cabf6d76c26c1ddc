import type { Arrival, Commonness, Enriched, Hit } from './records.ts';

/** Distance in event time, ms. */
export const gapMs = (a: Arrival, b: Arrival): number => Math.abs(a.time - b.time);

/** How strongly an expected chance meeting counts against a pair; measured on simulated estates (`docs/decisions`). */
const KAPPA = 20;

/** Nearer than this is no nearer, ms: where events come by the second, two at one moment are nothing. */
const FINEST_MS = 1_000;

/** False under the profile `specified` and in a quiet tenant: there the literal scores hold to the last digit. */
export const isCalibrated = (arrival: Enriched): boolean =>
  arrival.settings.profile === 'calibrated' && !arrival.rates.quiet;

/** How often the one looks who looks less often, ms: what lies between two looks is no evidence of distance. */
export const rhythmOf = ({ arrival }: Enriched, other: Arrival): number =>
  Math.max(arrival.rhythm ?? 0, other.rhythm ?? 0);

/** How far apart the two count as, ms. */
export const apartMs = (arrival: Enriched, other: Arrival): number =>
  Math.max(FINEST_MS, gapMs(arrival.arrival, other) - rhythmOf(arrival, other));

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

/** Of the two events the commoner one's: chance would have had to bring one no commoner than that. */
const pairCommonness = ({ arrival }: Enriched, other: Arrival): Commonness =>
  Math.max(commonnessIn(arrival), commonnessIn(other)) as Commonness;

/**
 * Of events on CIs that hang together: where the earlier one is a change, that one's, however common the trouble after it is. What chance
 * would have had to bring is a change just there.
 */
const nearCommonness = (arrival: Enriched, other: Arrival): Commonness => {
  const earlier = other.time <= arrival.arrival.time ? other : arrival.arrival;
  return earlier.complaint.known === 'change' ? commonnessIn(earlier) : pairCommonness(arrival, other);
};

/** For `explain`. */
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

/** The earlier event is the rarer one of the two: what comes after it, on what depends on it, may be its effect. */
export const isRarerBefore = (earlier: Arrival, later: Arrival): boolean =>
  earlier.time <= later.time && commonnessIn(earlier) < commonnessIn(later);

/**
 * The same where the rarer one lies upstream and came before: chance would have had to bring one no commoner than that among `reach` CIs,
 * and the commoner one on its very own CI.
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

/** For `explain`: expected chance meetings per minute, 0 where nothing is calibrated. */
export const perMinute = (arrival: Enriched, rate: number): number => (isCalibrated(arrival) ? rate * 60_000 : 0);

/**
 * True when the topology knows both CIs and no way of at most 3 hops joins them, or of at most 2 where those 3 hops away are too many
 * to be known; false when it cannot tell.
 */
export function areUnrelated({ arrival, near, truncated, reach2 }: Enriched, other: Arrival): boolean {
  if (truncated && reach2 > near.length) return false;
  if (arrival.ciId === null || other.ciId === null || arrival.ciId === other.ciId) return false;
  if (!arrival.hasRelationships || !other.hasRelationships) return false;
  return !near.some(({ ci }) => ci === other.ciId);
}

/** `worth` for such a pair, else 1; exactly 1 where nothing is calibrated. */
export const kinship = (worth: number, arrival: Enriched, other: Arrival): number =>
  isCalibrated(arrival) && areUnrelated(arrival, other) ? worth : 1;
