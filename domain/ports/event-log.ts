import type { Incoming, Receipt } from '#domain/event/incoming.ts';

type LogReply = { readonly done: true; readonly receipts: readonly Receipt[] } | { readonly done: false };

/**
 * The ingest interface. Throws Fault `unavailable` when the records are not in the log and `rate-limited` when the
 * queue is full.
 */
export interface EventLog {
  append(tenant: string, records: readonly Incoming[]): Promise<void>;
  /** Appends as one unit and waits for one receipt per record, in order; `done: false` when they are in the log but not yet answered. */
  request(tenant: string, records: readonly Incoming[], options: { readonly timeoutMs: number }): Promise<LogReply>;
  /**
   * Resolves when there is room for a large request; until then its raw bytes wait, which are smaller than their parsed
   * form. Throws Fault `unavailable` on a timeout.
   */
  room(): Promise<void>;
  /** Resolves when the stores show everything that was answered so far. Throws Fault `unavailable` on a timeout. */
  caughtUp(): Promise<void>;
}
