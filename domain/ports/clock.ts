/** The only source of time; epoch ms. */
export interface Clock {
  now(): number;
}

/** Calls `work` every `ms`, first after one period. Does not keep the process alive. Returns the stop. */
export type Every = (ms: number, work: () => void) => () => void;

/** Calls `work` once after so many ms. Does not keep the process alive. Returns the stop. */
export type After = (ms: number, work: () => void) => () => void;
