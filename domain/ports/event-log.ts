import type { Incoming, Receipt } from '#domain/event/incoming.ts';

type Reply = { readonly done: true; readonly receipts: readonly Receipt[] } | { readonly done: false };

/** The way in. Throws Fault `unavailable` when the records are not in the log and `rate-limited` when the queue is full. */
export interface EventLog {
  append(tenant: string, records: readonly Incoming[]): Promise<void>;
  /** Appends as one unit and waits for one receipt per record, in order; `done: false` when they are in the log but not yet answered. */
  request(tenant: string, records: readonly Incoming[], options: { readonly timeoutMs: number }): Promise<Reply>;
  /**
   * Resolves when there is room for what a large request brings; until then its bytes wait for less than what is made of them. Throws
   * Fault `unavailable` when that takes too long.
   */
  room(): Promise<void>;
  /** Resolves when the stores show everything that was answered so far. Throws Fault `unavailable` when that takes too long. */
  caughtUp(): Promise<void>;
}
