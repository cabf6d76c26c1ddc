/** The only source of time. */
export interface Clock {
  /** Epoch ms; may jump, since clocks are set. */
  now(): number;
  /** Ms that only grow, with fractions: for how long something takes. */
  steady(): number;
}

/** Calls `work` every `ms`, first after one period. Does not keep the process alive. Returns the stop. */
export type Every = (ms: number, work: () => void) => () => void;

/** Calls `work` once after so many ms. Does not keep the process alive. Returns the stop. */
export type After = (ms: number, work: () => void) => () => void;
