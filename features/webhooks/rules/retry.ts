const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After the first attempt, the second …; after the last of them a delivery is dead. */
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
const MOST_WAIT_MS = 2 * Math.max(...RETRY_DELAYS_MS);

/** From when on a place in the queue was given by a clock that was ahead, ms: it is due. */
export const misplacedFrom = (now: number): number => now + MOST_WAIT_MS;

/** When a delivery is tried again after so many failed attempts, ms; null: never. `random`: 0 to 1. */
export const nextAttemptAt = (attempts: number, now: number, random: number): number | null => {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : now + Math.round(delay * (1 - JITTER + 2 * JITTER * random));
};
