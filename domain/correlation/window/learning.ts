import { BIN_MS, binOf, RATE_BINS } from './rates.ts';

/** One sentence for users who look at decisions of that period. */
export const LEARNING = `This tenant was still learning its background rates (first ${(RATE_BINS * BIN_MS) / 3_600_000} hours), so unrelated events may be grouped.`;

/**
 * True if background rates were unknown at `at`; `first`: the tenant's first new event, null when there is none. Both
 * in ms of event time.
 */
export const isLearning = (first: number | null, at: number): boolean =>
  first === null || binOf(at) - binOf(first) < RATE_BINS;
