/** Failures in a row after which a webhook rests. */
const FAILURES = 5;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;
/** Deliveries of one webhook under way at the same time. */
const IN_FLIGHT = 4;

/** Recent results of a webhook's receiver. */
export interface Breaker {
  /** In a row. */
  readonly failures: number;
  /** ms; null: it does not rest. */
  readonly restsUntil: number | null;
}

export const CLOSED: Breaker = { failures: 0, restsUntil: null };

/** 1 min, doubled with every further failure, up to 1 h. */
const restMs = (failures: number): number =>
  Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - FAILURES, 16));

/** After a failed attempt. One that ends while the webhook rests began before the rest and does not lengthen it. */
export const afterFailure = (breaker: Breaker, now: number): Breaker => {
  if (breaker.restsUntil !== null && now < breaker.restsUntil) return breaker;
  const failures = breaker.failures + 1;
  return { failures, restsUntil: failures < FAILURES ? null : now + restMs(failures) };
};

/** Deliveries that may be under way now: all places, none during a rest, and one probe after it. */
export const placesNow = ({ restsUntil }: Breaker, now: number): number => {
  if (restsUntil === null) return IN_FLIGHT;
  return now < restsUntil ? 0 : 1;
};
