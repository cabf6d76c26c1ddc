/** The only source of time. */
export interface Clock {
  /** Epoch ms; may jump, since clocks are set. */
  now(): number;
  /** Monotonic time in ms, with fractions: for measuring durations. */
  steady(): number;
  /** Begins to measure: the share of the time from now on in which this thread worked, 0 to 1. */
  busy(): () => number;
}

/** Calls `work` every `ms`, first after one period. Does not keep the process alive. Returns the stop. */
export type Every = (ms: number, work: () => void) => () => void;

/** Calls `work` once after this time in ms. Does not keep the process alive. Returns the stop. */
export type After = (ms: number, work: () => void) => () => void;

/** A long calculation in short steps, so that its thread can do other work in between. */
export type Stepwise<T> = Generator<undefined, T>;
