import type { Actor } from '#domain/event/event.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';

/** One partition of what a processor reads. */
export interface PartitionReport {
  readonly partition: number;
  /** Offset of the next record that it reads, and of the next that comes. */
  readonly position: number;
  readonly end: number;
  readonly lag: number;
  /** Id of the member that reads it; null when nobody does. */
  readonly member: string | null;
  /** How long the oldest record that is not done has waited at least, ms; absent where records do not wait in a log. */
  readonly waitingMs?: number;
}

/** One process that runs a processor. */
export interface MemberReport {
  readonly id: string;
  readonly host: string;
  readonly partitions: readonly number[];
}

/**
 * Why a processor needs somebody's attention. `missing`: nobody runs it, or nobody reads some partition. `standing`: it has
 * records to read and has read none for a minute. `behind`: its lag is above 10,000 and grows. `failing`: its batches fail.
 */
export interface Trouble {
  readonly kind: 'missing' | 'standing' | 'behind' | 'failing';
  readonly detail: string;
}

/** State of one processor or sink, whoever runs it. */
export interface ProcessorReport {
  readonly name: string;
  readonly kind: 'fold' | 'join' | 'sink';
  /** Of a sink that somebody has paused. */
  readonly paused: Pause | null;
  /** Topic. */
  readonly input: string;
  readonly members: readonly MemberReport[];
  readonly partitions: readonly PartitionReport[];
  /** The newest of its members that is not over; `at` in ms, null when it is not known. */
  readonly lastError: { readonly message: string; readonly at: number | null } | null;
  readonly trouble: Trouble | null;
}

/** One topic, as it is kept. */
export interface TopicReport {
  readonly name: string;
  readonly key: string;
  /** `memory`: gone when it was read. */
  readonly storage: 'kafka' | 'memory';
  readonly compacted: boolean;
  /** How long records stay, ms; null when that is no matter of time. */
  readonly retentionMs: number | null;
  readonly schema: {
    readonly subject: string;
    /** In the registry; null where there is none. */
    readonly version: number | null;
    readonly id: number | null;
  };
  /** Offset of the first record that is kept, and of the next that comes. */
  readonly partitions: readonly { readonly partition: number; readonly first: number; readonly end: number }[];
}

/** The received value. `avro`: bytes in base64. `document`: JSON of the changes that the store refused of a batch, whose rest was saved. */
export type LetterContent =
  | { readonly kind: 'json'; readonly record: unknown }
  | { readonly kind: 'avro'; readonly base64: string }
  | { readonly kind: 'document'; readonly base64: string };

export interface Settled {
  readonly state: 'replayed' | 'discarded';
  /** ms. */
  readonly at: number;
  readonly by: Actor;
  readonly outcome: string;
}

/** A record that a processor could not handle, as it was received. */
export interface DeadLetter {
  /** Formed like a ULID, so ids sort by time; the same for the same record. */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Of the incoming record that caused it; 0 when that is not known. */
  readonly position: number;
  readonly processor: string;
  readonly reason: string;
  readonly attempts: number;
  /** Time of rejection, ms. */
  readonly at: number;
  readonly content: LetterContent;
  /** The action taken; null while it waits. */
  readonly settled: Settled | null;
}

/** Kind of the stored records in which dead letters are kept, in their tenant; in the system's when that cannot be read. */
export const DEAD_LETTER_KIND = 'dead-letter';
/** How long a dead letter waits, and how long one stays that was replayed or discarded. */
export const LETTER_WAITS_MS = 30 * 24 * 3_600_000;
export const LETTER_STAYS_MS = 7 * 24 * 3_600_000;

/** The state of the pipeline. Everything but `partitionOf` throws Fault `unavailable` when the log does not answer. */
export interface Operations {
  /** In reading order. */
  pipeline(): Promise<readonly ProcessorReport[]>;
  /** In which all records of a tenant are. */
  partitionOf(tenant: string): number;
  topics(): Promise<readonly TopicReport[]>;
  /** The record of a dead letter. Throws Fault `invalid` when it cannot be read. */
  readLetter(letter: DeadLetter): Promise<unknown>;
  /** Why what a dead letter of kind `document` holds cannot be saved again; null when it can be tried. */
  whyNotSaved(letter: DeadLetter): string | null;
  /**
   * Saves what a dead letter of kind `document` holds; `kept` when the store has a later state. Throws Fault `unprocessable` when the
   * store refuses it again, `invalid` when the letter does not hold what was refused.
   */
  saveAgain(letter: DeadLetter): Promise<'saved' | 'kept'>;
}
