/** A new event of a signature, as rates are reckoned by it. */
export interface PastEvent {
  readonly id: string;
  /** Event time, ms. */
  readonly timestamp: number;
  /** When it was resolved, ms; null while it is not. */
  readonly resolvedAt: number | null;
}

export interface HistoryRange {
  /** Event time, ms; both ends are within. */
  readonly from: number;
  readonly to: number;
  /** Events per signature, at most 200. */
  readonly limit: number;
}

/** Earlier events with the same complaint. */
export interface EventHistory {
  /** By signature the newest events of the range, newest first; at most 500 signatures are asked for, and those without events are left out. */
  history(
    tenant: string,
    signatures: readonly string[],
    range: HistoryRange,
  ): Promise<ReadonlyMap<string, readonly PastEvent[]>>;
}
