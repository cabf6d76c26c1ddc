const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays after the first attempt, the second …; after the last of them a delivery is dead. */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** Share by which a delay is longer or shorter. */
const JITTER = 0.1;

/** Longer than any delivery waits for its next attempt, ms. */
const MAX_WAIT_MS = 2 * Math.max(...RETRY_DELAYS_MS);

/** Returns the time from which a place in the queue was set by a clock that was ahead, ms: it is due. */
export const misplacedFrom = (now: number): number => now + MAX_WAIT_MS;

/** Returns the time of the next attempt after this number of failures, ms; null: never. `random`: 0 to 1. */
export const nextAttemptAt = (attempts: number, now: number, random: number): number | null => {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : now + Math.round(delay * (1 - JITTER + 2 * JITTER * random));
};
