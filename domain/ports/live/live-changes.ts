import type { LiveChange } from '#domain/live/live-change.ts';
import type { RecordNoun } from '#domain/topology/change.ts';

/** A listener to the changes of a tenant; called at once, so it only notes them. */
export interface LiveListener {
  changed(change: LiveChange): void;
  /** Some changes are not known: what was read before may be out of date. */
  missed(): void;
  /** Nothing is told any more: the listener may come again. */
  ended(): void;
}

export interface Listening {
  /** Some changes since `from` are no longer known. */
  readonly isGap: boolean;
  /** Up to where this listener was told everything; the same text means the same in every process. */
  position(): string;
  /** Calls off; any further call does nothing. */
  close(): void;
}

/** Tells what changes in a tenant as soon as it can be read, in every process. Costs next to nothing while nobody listens. */
export interface LiveChanges {
  /**
   * From now on, or from a position, whose changes are told before this resolves. What is read afterwards shows every change that is
   * not told. Throws Fault `unavailable`.
   */
  listen(tenant: string, from: string | null, listener: LiveListener): Promise<Listening>;
  /** A document outside the pipeline and the topology has changed. No caller waits for it. */
  recordChanged(tenant: string, of: RecordNoun, id: string): void;
}
