/** Failures in a row after which a webhook is paused. */
const FAILURES = 5;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;
/** Maximum of concurrent deliveries of one webhook. */
const IN_FLIGHT = 4;

/** Recent results of a webhook's receiver. */
export interface Breaker {
  /** Failures in a row. */
  readonly failures: number;
  /** End of the pause, ms; null: it is not paused. */
  readonly restsUntil: number | null;
}

export const CLOSED: Breaker = { failures: 0, restsUntil: null };

/** 1 min, doubled with every further failure, up to the longest. */
const restMs = (failures: number, longestMs: number): number =>
  Math.min(longestMs, FIRST_REST_MS * 2 ** Math.min(failures - FAILURES, 16));

/**
 * Returns the state after a failed attempt. One that ends during the webhook's pause began before it and does not
 * lengthen it.
 */
export const afterFailure = (breaker: Breaker, now: number, longestMs = LONGEST_REST_MS): Breaker => {
  if (breaker.restsUntil !== null && now < breaker.restsUntil) return breaker;
  const failures = breaker.failures + 1;
  return { failures, restsUntil: failures < FAILURES ? null : now + restMs(failures, longestMs) };
};

/** Returns the deliveries that may run now: all slots, none during a pause, and one probe after it. */
export const placesNow = ({ restsUntil }: Breaker, now: number): number => {
  if (restsUntil === null) return IN_FLIGHT;
  return now < restsUntil ? 0 : 1;
};
