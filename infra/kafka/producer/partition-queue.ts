import type { Message } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import type { Appender } from './appender.ts';

/** Records that are appended together, and who waits for that. */
export interface Parcel {
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly settle: (result: { readonly offset: number | null } | Error) => void;
}

/** What parcels are joined up to; a larger parcel goes alone. */
const BATCH_BYTES = 2 ** 20;
/** Smaller batches are not worth a compression of their own. */
const COMPRESSED_BYTES = 1_024;
/** After 5 minutes nobody sends again: readers forget whom they have seen after 10. */
const RESEND_MS = 5 * 60_000;
const PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** What the broker says of the records themselves, which nothing but other records changes. */
const CONTENT: Readonly<Record<string, Fault['kind']>> = {
  MESSAGE_TOO_LARGE: 'too-large',
  RECORD_LIST_TOO_LARGE: 'too-large',
  INVALID_TIMESTAMP: 'invalid',
  INVALID_RECORD: 'invalid',
};

const refusalOf = (error: unknown): Fault | null => {
  const { type, message } = error as { type?: string; message?: string };
  const kind = CONTENT[type ?? ''];
  return kind === undefined ? null : new Fault(kind, `The log refuses the records: ${message}`, [], { cause: error });
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface LaneOptions {
  readonly topic: string;
  readonly partition: number;
  readonly appender: Appender;
  /** Clock, epoch ms. */
  readonly now: () => number;
  /** Told before an append is tried again. */
  readonly retried: () => void;
}

/**
 * The way into one partition: one append at a time, in the order of arrival. A further one before the outcome is known would take
 * the sequence number of the first, and the broker would acknowledge it without writing it.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting = new Set<Parcel>();
  #running = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  push(parcel: Parcel): void {
    this.#waiting.add(parcel);
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  /** Nobody waits for it any more: it is not sent, unless it is under way. */
  withdraw(parcel: Parcel): void {
    this.#waiting.delete(parcel);
  }

  async #run(): Promise<void> {
    // What is pushed in the same turn shares the first batch too.
    await Promise.resolve();
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#append(batch);
    // In the same turn as the last look: whoever pushes next starts anew.
    this.#running = false;
  }

  #next(): Parcel[] {
    const batch: Parcel[] = [];
    let bytes = 0;
    for (const parcel of this.#waiting) {
      bytes += parcel.bytes;
      if (batch.length > 0 && bytes > BATCH_BYTES) break;
      batch.push(parcel);
      this.#waiting.delete(parcel);
    }
    return batch;
  }

  /** Ends when the outcome of each parcel is known, or when it may not be sent again. */
  async #append(batch: readonly Parcel[]): Promise<void> {
    const { appender, now, retried } = this.#options;
    const until = now() + RESEND_MS;
    for (let ms = PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const error = await this.#try(batch);
      if (error === null) return;
      const refused = refusalOf(error);
      if (refused) return this.#refuse(batch, refused);
      if (appender.ended || now() + ms >= until) return settleAll(batch, unavailable(error));
      retried();
      await pause(ms);
    }
  }

  async #try(batch: readonly Parcel[]): Promise<unknown> {
    const { topic, partition, appender } = this.#options;
    const messages = batch.length === 1 ? [...batch[0]!.messages] : batch.flatMap((parcel) => parcel.messages);
    const compress = batch.reduce((sum, { bytes }) => sum + bytes, 0) >= COMPRESSED_BYTES;
    try {
      const { baseOffset } = await appender.append({ topic, partition, messages, compress });
      let offset = baseOffset;
      for (const parcel of batch) {
        parcel.settle({ offset });
        if (offset !== null) offset += parcel.messages.length;
      }
      return null;
    } catch (error) {
      return error ?? new Error('The append was rejected without a reason');
    }
  }

  /** Nothing of a refused batch is in the log, so each parcel can be tried alone. */
  async #refuse(batch: readonly Parcel[], refused: Fault): Promise<void> {
    if (batch.length === 1) return settleAll(batch, refused);
    for (const parcel of batch) await this.#append([parcel]);
  }
}

const settleAll = (batch: readonly Parcel[], result: Error): void => {
  for (const { settle } of batch) settle(result);
};

const unavailable = (cause: unknown): Fault =>
  new Fault('unavailable', 'The log does not answer', [], { retryAfter: 5, cause });
