import { BIN_MS, binOf, RATE_BINS } from './rates.ts';

/** One sentence for people who look at what was decided while it was so. */
export const LEARNING = `The background rates of this tenant were not known yet: its first new event came less than ${(RATE_BINS * BIN_MS) / 3_600_000} h before, so unrelated events are joined more easily.`;

/** Whether background rates were not known at `at`; `first`: the tenant's first new event, null when there is none. Both in ms of event time. */
export const isLearning = (first: number | null, at: number): boolean =>
  first === null || binOf(at) - binOf(first) < RATE_BINS;
