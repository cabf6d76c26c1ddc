import type { Message } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import { pause } from '#infra/wait.ts';
import type { Appender } from './appender.ts';

/** Records that are appended together, and the callback for the outcome. */
export interface PendingAppend {
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly finish: (result: { readonly offset: number | null } | Error) => void;
}

/** Queued appends are joined into batches up to this size; a larger one goes alone. */
const BATCH_BYTES = 2 ** 20;
/** Smaller batches are not worth a compression of their own. */
const COMPRESSED_BYTES = 1_024;
/**
 * A rejected append is not sent again after 5 minutes: readers forget the numbers of a writer after 10. While no broker answers there is no
 * rejection: kafkajs goes on trying, and whoever waits has a deadline.
 */
const RESEND_MS = 5 * 60_000;
const PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** Errors of the broker about the records themselves: only other records would succeed. */
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

export interface PartitionQueueOptions {
  readonly topic: string;
  readonly partition: number;
  readonly appender: Appender;
  /** Clock, epoch ms. */
  readonly now: () => number;
  /** Told before an append is tried again. */
  readonly retried: () => void;
}

/**
 * Appends to one partition, one at a time, in the order of arrival. A second append before the outcome is known would take
 * the sequence number of the first, and the broker would acknowledge it without writing it.
 */
export class PartitionQueue {
  readonly #options: PartitionQueueOptions;
  readonly #waiting = new Set<PendingAppend>();
  #running = false;

  constructor(options: PartitionQueueOptions) {
    this.#options = options;
  }

  push(append: PendingAppend): void {
    this.#waiting.add(append);
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  /** The caller gave up: the append is not sent, unless it is under way. */
  withdraw(append: PendingAppend): void {
    this.#waiting.delete(append);
  }

  async #run(): Promise<void> {
    // Appends pushed in the same turn share the first batch.
    await Promise.resolve();
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#append(batch);
    // In the same turn as the last look at the queue: the next push starts a new run.
    this.#running = false;
  }

  #next(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    let bytes = 0;
    for (const append of this.#waiting) {
      bytes += append.bytes;
      if (batch.length > 0 && bytes > BATCH_BYTES) break;
      batch.push(append);
      this.#waiting.delete(append);
    }
    return batch;
  }

  /** Ends when the outcome of each append is known, or when it may not be sent again. */
  async #append(batch: readonly PendingAppend[]): Promise<void> {
    const { appender, now, retried } = this.#options;
    const until = now() + RESEND_MS;
    for (let ms = PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const error = await this.#try(batch);
      if (error === null) return;
      const refused = refusalOf(error);
      if (refused) return this.#refuse(batch, refused);
      if (appender.ended || now() + ms >= until) return finishAll(batch, unavailable(error));
      retried();
      await pause(ms);
    }
  }

  async #try(batch: readonly PendingAppend[]): Promise<unknown> {
    const { topic, partition, appender } = this.#options;
    const messages = batch.flatMap((append) => append.messages);
    const compress = batch.reduce((sum, { bytes }) => sum + bytes, 0) >= COMPRESSED_BYTES;
    try {
      const { baseOffset } = await appender.append({ topic, partition, messages, compress });
      let offset = baseOffset;
      for (const append of batch) {
        append.finish({ offset });
        if (offset !== null) offset += append.messages.length;
      }
      return null;
    } catch (error) {
      return error ?? new Error('The append was rejected without a reason');
    }
  }

  /** No record of a refused batch is in the log, so each append can be tried alone. */
  async #refuse(batch: readonly PendingAppend[], refused: Fault): Promise<void> {
    if (batch.length === 1) return finishAll(batch, refused);
    for (const append of batch) await this.#append([append]);
  }
}

const finishAll = (batch: readonly PendingAppend[], result: Error): void => {
  for (const { finish } of batch) finish(result);
};

const unavailable = (cause: unknown): Fault =>
  new Fault('unavailable', 'The log does not answer', [], { retryAfter: 5, cause });
