import type { Actor } from '#domain/event/event.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';

/** One partition that a processor reads. */
export interface PartitionReport {
  readonly partition: number;
  /** Offset of the next record to read, and of the next to arrive. */
  readonly position: number;
  readonly end: number;
  readonly lag: number;
  /** Id of the member that reads it; null when none does. */
  readonly member: string | null;
  /** Minimum time that the oldest unprocessed record has waited, ms; absent where records do not wait in a log. */
  readonly waitingMs?: number;
}

/** One process that runs a processor. */
export interface MemberReport {
  readonly id: string;
  readonly host: string;
  readonly partitions: readonly number[];
}

/**
 * Reason why a processor needs attention. `missing`: no process runs it, or reads some partition. `standing`: it has
 * records to read and has read none for a minute. `behind`: its lag is above 10,000 and grows. `failing`: its batches
 * fail.
 */
export interface Trouble {
  readonly kind: 'missing' | 'standing' | 'behind' | 'failing';
  readonly detail: string;
}

/** State of one processor or sink, whichever process runs it. */
export interface ProcessorReport {
  readonly name: string;
  readonly kind: 'fold' | 'join' | 'sink';
  /** Pause of a sink, set by a user. */
  readonly paused: Pause | null;
  /** Topic. */
  readonly input: string;
  readonly members: readonly MemberReport[];
  readonly partitions: readonly PartitionReport[];
  /** The newest of its members that is not over; `at` in ms, null when it is not known. */
  readonly lastError: { readonly message: string; readonly at: number | null } | null;
  readonly trouble: Trouble | null;
}

/** One topic, as it is stored. */
export interface TopicReport {
  readonly name: string;
  readonly key: string;
  /** `memory`: gone when it was read. */
  readonly storage: 'kafka' | 'memory';
  readonly compacted: boolean;
  /** Retention of records, ms; null when it does not depend on time. */
  readonly retentionMs: number | null;
  readonly schema: {
    readonly subject: string;
    /** Version in the registry; null where there is none. */
    readonly version: number | null;
    readonly id: number | null;
  };
  /** Offset of the first stored record, and of the next to arrive. */
  readonly partitions: readonly { readonly partition: number; readonly first: number; readonly end: number }[];
}

/**
 * The received value. `avro`: bytes in base64. `document`: JSON of the refused changes of a batch, whose rest was
 * saved.
 */
export type DeadLetterContent =
  | { readonly kind: 'json'; readonly record: unknown }
  | { readonly kind: 'avro'; readonly base64: string }
  | { readonly kind: 'document'; readonly base64: string };

export interface DeadLetterOutcome {
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
  /** Position of the incoming record that caused it; 0 when unknown. */
  readonly position: number;
  readonly processor: string;
  readonly reason: string;
  readonly attempts: number;
  /** Time of rejection, ms. */
  readonly at: number;
  readonly content: DeadLetterContent;
  /** The action that resolved it; null while it waits. */
  readonly settled: DeadLetterOutcome | null;
}

/** Kind of the records that store dead letters, in their tenant; in the system's when that cannot be read. */
export const DEAD_LETTER_KIND = 'dead-letter';
/** Time that a dead letter waits, and that a replayed or discarded one stays. */
export const LETTER_WAITS_MS = 30 * 24 * 3_600_000;
export const LETTER_STAYS_MS = 7 * 24 * 3_600_000;

/** The state of the pipeline. Everything but `partitionOf` throws Fault `unavailable` when the log does not answer. */
export interface Operations {
  /** Returns the processors in reading order. */
  pipeline(): Promise<readonly ProcessorReport[]>;
  /** Returns the partition with all records of a tenant. */
  partitionOf(tenant: string): number;
  topics(): Promise<readonly TopicReport[]>;
  /** The record of a dead letter. Throws Fault `invalid` when it cannot be read. */
  readLetter(letter: DeadLetter): Promise<unknown>;
  /**
   * Returns the reason why the content of a dead letter of kind `document` cannot be saved again; null when it can be
   * retried.
   */
  whyNotSaved(letter: DeadLetter): string | null;
  /**
   * Saves the content of a dead letter of kind `document`; `kept` when the store has a later state. Throws Fault
   * `unprocessable` when the store refuses it again, `invalid` when the letter does not contain the refused document.
   */
  saveAgain(letter: DeadLetter): Promise<'saved' | 'kept'>;
}
