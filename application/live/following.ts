import type { Caller } from '#domain/access/caller.ts';
import type { LiveTopic } from '#domain/live/live-change.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Readers and their topics. */
export interface Following {
  readonly tenant: string;
  readonly caller: Caller;
  readonly ports: Pick<Ports, 'live' | 'memory' | 'metrics' | 'clock'>;
  readonly topics: readonly LiveTopic[];
  /** Position of the last message that the reader has got; null: it begins. */
  readonly from: string | null;
  /** Aborted when the reader hangs up. */
  readonly signal: AbortSignal;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** The owner of the credential now; throws Fault `unauthenticated` or `tenant`. */
  recheck(): Promise<Caller>;
  /** Between two checks of the credential, ms; 5 s. */
  readonly checkMs?: number;
}
