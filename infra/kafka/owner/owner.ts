import type { Entry } from '#domain/pipeline/processor.ts';
import type { Output, ReceiptReply } from './journal.ts';
import type { Emitted, Rejected } from './step-batch.ts';

/** One record of a topic as input of an owner. */
export interface Input {
  readonly offset: number;
  /** Time when the broker appended it, ms. */
  readonly at: number;
  /** Time when this process fetched it, by its own clock, ms; where it is noted. */
  readonly fetchedAt?: number;
  readonly entry: Entry<unknown>;
  /** Its writer and its number among the writer's records of this partition; 0 when it has none. */
  readonly writer: string;
  readonly serial: number;
  /** Address of the waiting request that caused it. */
  readonly reply: string | null;
  readonly traceparent?: string | null;
  /** The value as it was received. */
  readonly raw: Buffer;
  /** Reason why the value cannot be read; null when it can. */
  readonly fault: string | null;
}

/** Sends an owner's results. Each call resolves only when everything is in the log. */
export interface Emitter {
  /** Returns the reason why the log would never accept this output; null when it would. The output is encoded once. */
  refuses(emitted: Emitted): string | null;
  send(partition: number, outputs: readonly Output[]): Promise<void>;
  answer(answers: readonly ReceiptReply[]): Promise<void>;
  /** Stores failed records as dead letters. Idempotent per record. */
  reject(partition: number, rejected: readonly Rejected[]): Promise<void>;
}

/** Records stepped at once, and entries that wait and are worked off at once: they share a journal page and a save. */
export const RECORDS_AT_ONCE = 1_000;

/** Progress of an owner after a batch. */
export interface Taken {
  /** Metadata to be stored with the committed offset. */
  readonly metadata: string;
  /** Offset that a new owner reads from; absent: the one behind the batch. */
  readonly resume?: number;
  /** True if there is work without further records: `take` must be called with none. */
  readonly more?: boolean;
  /** Offset to read from next; null: continue. */
  readonly back?: number | null;
}

/** A processor on one partition. After a throw its memory is worth nothing: open it again. */
export interface Owner {
  /**
   * Finishes remaining work, refills memory, and returns the offset to read from. Where no owner has finished anything
   * that is 0, not the first received record: an owner that was cut off may have received earlier ones.
   */
  open(): Promise<number>;
  /**
   * Every result of the inputs is durable and sent when it resolves. At most `most` entries of the backlog are
   * processed. Throws Fault `too-large` when the batch is larger than the store accepts at once.
   */
  take(inputs: readonly Input[], most?: number): Promise<Taken>;
  /** A running batch may end early: no caller waits for its unfinished part. */
  stop?(): void;
  /** Time to wait for further records before a batch that is not full, ms. */
  gatherMs?(): number;
  /** Nothing is done though there are records: it is not time for them. */
  isWaiting?(): boolean;
  /** Returns entries in memory, by kind. */
  sizes(): Readonly<Record<string, number>>;
}

/** Another process has written a batch of this partition: the state in this process is outdated. */
export class LostPartition extends Error {
  constructor(owner: string) {
    super(`${owner} is owned by another process`);
  }
}
