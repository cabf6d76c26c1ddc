/** The time by which the caller must have an answer; it is passed on to all work for the request. */
export interface Deadline {
  /** Runs work with this time in ms for all its external calls. */
  within<T>(ms: number, work: () => T): T;
  /** The remaining time, ms; 0 when it is over, infinite where no request waits. */
  left(): number;
  /**
   * Returns the result, or Fault `unavailable` when the time is over first: then the work continues without a receiver,
   * and its calls are refused.
   */
  inTime<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Returns the result, or Fault `unavailable` after this time in ms. The deadline is not passed on to the work, so its
   * calls need their own; this spares ingest the cost of a context per event.
   */
  atMost<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** Runs work whose time does not count: we wait for the caller. */
  uncounted<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work without a time limit, or that continues when the request is over. */
  without<T>(work: () => T): T;
}

/** A whole request must have arrived by then; 64 MiB over a slow line. */
export const REQUEST_TIMEOUT_MS = 300_000;
