/** The time by which whoever asks must have an answer; it goes along with all that is done for the request. */
export interface Deadline {
  /** Runs work that has so many ms for all that it asks of the outside. */
  within<T>(ms: number, work: () => T): T;
  /** The remaining time, ms; 0 when it is over, infinite where no request waits. */
  left(): number;
  /** The result, or Fault `unavailable` when the time is over first: then the work goes on unheard, and what it asks is refused. */
  inTime<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The result, or Fault `unavailable` after so many ms. Nothing goes along with the work, so what it asks needs times of its own; those who
   * send events are spared what a context costs each of them.
   */
  atMost<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** Runs work whose time does not count: the caller keeps us waiting. */
  uncounted<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work that has as much time as it takes, or that goes on when the request is over. */
  without<T>(work: () => T): T;
}

/** A whole request must have arrived by then; 64 MiB over a slow line. */
export const REQUEST_TIMEOUT_MS = 300_000;
