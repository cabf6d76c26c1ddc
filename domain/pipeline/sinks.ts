import type { Actor } from '#domain/event/event.ts';

/** The person who paused a sink, and the time in ms. */
export interface Pause {
  readonly by: Actor;
  readonly at: number;
}
/** Pauses by name of the sink. */
export type Pauses = ReadonlyMap<string, Pause>;

/** The value that a sink refused, as a dead letter stores it: a happening, or a value of the topic that it reads. */
export interface Untaken {
  readonly tenant: string;
  readonly position: number;
  /** Time when it became a dead letter, ms. */
  readonly at: number;
  readonly record: unknown;
}

/** The sinks of all processes. */
export interface Sinks {
  readonly names: readonly string[];
  /** Pauses the named local sinks, and resumes all others. */
  pause(pauses: Pauses): void;
  /** Returns the reason why a sink cannot receive this again; null when it can be retried. */
  whyNotRetaken(sink: string, untaken: Untaken): string | null;
  /** Delivers it to the sink once more, out of turn. Throws the sink's errors. */
  retake(sink: string, untaken: Untaken): Promise<void>;
}
