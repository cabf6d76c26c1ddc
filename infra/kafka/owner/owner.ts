import type { Entry } from '#domain/pipeline/processor.ts';
import type { Output, ReceiptReply } from './journal.ts';
import type { Emitted, Rejected } from './step-batch.ts';

/** One record of a topic as an owner takes it in. */
export interface Input {
  readonly offset: number;
  /** When the broker appended it, ms. */
  readonly at: number;
  /** When this process fetched it, by its own clock, ms; where it is noted. */
  readonly fetchedAt?: number;
  readonly entry: Entry<unknown>;
  /** Who wrote it and its number among the writer's records of this partition; 0 when it has none. */
  readonly writer: string;
  readonly serial: number;
  /** Where the request waits that caused it. */
  readonly reply: string | null;
  /** The value as it was received. */
  readonly raw: Buffer;
  /** Why the value cannot be read; null when it can. */
  readonly fault: string | null;
}

/** Sends an owner's results. Each call resolves only when everything is in the log. */
export interface Emitter {
  /** Why the log would never accept this output; null when it would. The output is encoded once. */
  refuses(emitted: Emitted): string | null;
  send(partition: number, outputs: readonly Output[]): Promise<void>;
  answer(answers: readonly ReceiptReply[]): Promise<void>;
  /** Stores failed records as dead letters. Idempotent per record. */
  reject(partition: number, rejected: readonly Rejected[]): Promise<void>;
}

/** Records stepped at once, and entries that wait and are worked off at once: they share a journal page and a save. */
export const RECORDS_AT_ONCE = 1_000;

/** How far an owner is after a batch. */
export interface Taken {
  /** To be written beside the committed offset. */
  readonly metadata: string;
  /** Offset that a new owner reads from; absent: the one behind the batch. */
  readonly resume?: number;
  /** Whether there is work without further records: `take` wants to be called with none. */
  readonly more?: boolean;
  /** Offset to read from instead of going on; null: go on. */
  readonly back?: number | null;
}

/** A processor on one partition. After a throw its memory is worth nothing: open it again. */
export interface Owner {
  /**
   * Finishes what was left, refills memory, and tells the offset to read from. Where nobody has finished anything that is 0, not the
   * first record that came: earlier ones may have gone to one who was cut off.
   */
  open(): Promise<number>;
  /**
   * Everything that the inputs lead to is durable and sent when it resolves. At most `most` entries that wait in memory are worked off.
   * Throws Fault `too-large` when the batch is larger than the store takes at once.
   */
  take(inputs: readonly Input[], most?: number): Promise<Taken>;
  /** A batch that is at work may end early: nobody waits for what it has not done. */
  stop?(): void;
  /** Nothing is done though there are records: it is not time for them. */
  isWaiting?(): boolean;
  /** Entries in memory, by what they are. */
  sizes(): Readonly<Record<string, number>>;
}

/** Somebody else has written a batch of this partition: what this process knows of it is old. */
export class LostPartition extends Error {
  constructor(owner: string) {
    super(`${owner} is owned by another process`);
  }
}
