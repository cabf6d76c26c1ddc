/** A new event of a signature, as rates are reckoned by it. */
export interface PastEvent {
  readonly id: string;
  /** Event time, ms. */
  readonly timestamp: number;
  /** Time of resolution, ms; null while it is not resolved. */
  readonly resolvedAt: number | null;
}

export interface HistoryRange {
  /** Event time, ms; both ends are within. */
  readonly from: number;
  readonly to: number;
  /** Events per signature, at most 200. */
  readonly limit: number;
}

/** Earlier events with the same problem. */
export interface EventHistory {
  /**
   * Returns the newest events of the range by signature, newest first; at most 500 signatures are requested, and those
   * without events are left out.
   */
  history(
    tenant: string,
    signatures: readonly string[],
    range: HistoryRange,
  ): Promise<ReadonlyMap<string, readonly PastEvent[]>>;
}
