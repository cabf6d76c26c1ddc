import type { Actor } from '#domain/event/event.ts';

/** The person who paused a sink, and the time in ms. */
export interface Pause {
  readonly by: Actor;
  readonly at: number;
}
/** By name of the sink. */
export type Pauses = ReadonlyMap<string, Pause>;

/** The value that a sink refused, as a dead letter stores it: a happening, or a value of the topic that it reads. */
export interface Untaken {
  readonly tenant: string;
  readonly position: number;
  /** When it became a dead letter, ms. */
  readonly at: number;
  readonly record: unknown;
}

/** The sinks, whichever process runs them. */
export interface Sinks {
  readonly names: readonly string[];
  /** Those that run here rest while they are named, and no others. */
  pause(pauses: Pauses): void;
  /** Why a sink cannot be given this again; null when it can be tried. */
  whyNotRetaken(sink: string, untaken: Untaken): string | null;
  /** Gives it to the sink once more, apart from its turn. Throws what the sink throws. */
  retake(sink: string, untaken: Untaken): Promise<void>;
}
