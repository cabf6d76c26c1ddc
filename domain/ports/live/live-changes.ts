import type { LiveChange } from '#domain/live/live-change.ts';
import type { RecordNoun } from '#domain/topology/change.ts';

/** A listener to the changes of a tenant; called at once, so it only notes them. */
export interface LiveListener {
  changed(change: LiveChange): void;
  /** Some changes are unknown: earlier reads may be out of date. */
  missed(): void;
  /** Nothing more is sent: the listener may reconnect. */
  ended(): void;
}

export interface Listening {
  /** Some changes since `from` are no longer known. */
  readonly isGap: boolean;
  /** Position up to which this listener received everything; the same text means the same in every process. */
  position(): string;
  /** Calls off; any further call does nothing. */
  close(): void;
}

/** Sends changes in a tenant as soon as they can be read, in every process. Costs next to nothing without listeners. */
export interface LiveChanges {
  /**
   * Listens from now on, or from a position, whose changes are sent before this resolves. Later reads show every change
   * that is not sent. Throws Fault `unavailable`.
   */
  listen(tenant: string, from: string | null, listener: LiveListener): Promise<Listening>;
  /** A document outside the pipeline and the topology has changed. No caller waits for it. */
  recordChanged(tenant: string, of: RecordNoun, id: string): void;
}
