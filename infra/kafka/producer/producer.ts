import type { Message } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { pause } from '#infra/wait.ts';
import { type Appender, openAppender, type ProducerConnection } from './appender.ts';
import { type ReadyRecord, type RecordBatch, recordBatches } from './record-batches.ts';

/** Records that are appended together, and the callback for the outcome. */
interface PendingAppend {
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly finish: (result: { readonly offset: number | null } | Error) => void;
}

/** Queued appends are joined into batches up to this size; a larger one is sent alone. */
const BATCH_BYTES = 2 ** 20;
/** Smaller batches are not worth a compression of their own. */
const COMPRESSED_BYTES = 1_024;
/**
 * A rejected append is not sent again after 5 minutes: readers forget the numbers of a writer after 10. While no broker
 * answers there is no rejection: kafkajs retries, and callers have a deadline.
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
  return kind === undefined ? null : new Fault(kind, `The log rejected the records: ${message}`, [], { cause: error });
};

interface PartitionQueueOptions {
  readonly topic: string;
  readonly partition: number;
  readonly appender: Appender;
  /** Clock, epoch ms. */
  readonly now: () => number;
  /** Called before an append is retried. */
  readonly retried: () => void;
}

/**
 * Appends to one partition, one at a time, in the order of arrival. A second append before the outcome is known would
 * reuse the sequence number of the first, and the broker would acknowledge it without writing it.
 */
class PartitionQueue {
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

  /** The caller canceled: the append is not sent, unless it is in flight. */
  withdraw(append: PendingAppend): void {
    this.#waiting.delete(append);
  }

  async #run(): Promise<void> {
    // Appends pushed in the same turn share the first batch.
    await Promise.resolve();
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#append(batch);
    // The next push starts a new run: this is the same turn as the last check of the queue.
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
  new Fault('unavailable', 'Event log unreachable', [], { retryAfter: 5, cause });

/** The queue of one partition, and the number of its last record. */
interface NumberedQueue {
  readonly queue: PartitionQueue;
  /** Serial of the last record. */
  serial: number;
}

interface ProducerPoolOptions {
  readonly connect: () => ProducerConnection;
  readonly clock: Pick<Clock, 'steady'>;
  readonly log: { info(fields: object, message: string): void };
  /** Connections that the partitions are spread over, each partition on one of them. */
  readonly connections?: number;
  /** Called for every append that is retried. */
  readonly retried?: () => void;
}

interface ProducerPool {
  to(topic: string, partition: number): NumberedQueue;
  /** Nothing is appended any more; an append in flight may never resolve. */
  end(): void;
}

/** kafkajs waits for the outcome of an append before it begins the next one of a connection, for any partition. */
const CONNECTIONS = 6;

const openProducerPool = (options: ProducerPoolOptions): ProducerPool => {
  const { connect, clock, log, connections = CONNECTIONS, retried = () => undefined } = options;
  const appenders: Appender[] = [];
  const queues = new Map<string, NumberedQueue>();

  const begun = (count: number): void => {
    if (count > 1) log.info({ connections: count }, 'Kafka rejected an append, reconnecting producer');
  };
  /** Round robin, so that each serves as many partitions. */
  const nextAppender = (): Appender => {
    const turn = queues.size % connections;
    appenders[turn] ??= openAppender(connect, begun);
    return appenders[turn];
  };

  return {
    to(topic, partition) {
      const key = `${topic}/${partition}`;
      const known = queues.get(key);
      if (known !== undefined) return known;
      const queue = new PartitionQueue({ topic, partition, appender: nextAppender(), retried, now: clock.steady });
      const numbered: NumberedQueue = { queue, serial: 0 };
      queues.set(key, numbered);
      return numbered;
    },
    end() {
      for (const appender of appenders) appender.end();
    },
  };
};

export interface ProducerRecord {
  /** The tenant, on all topics but events.receipts. */
  readonly key: string;
  readonly value: Buffer;
  /**
   * Headers; without a `writer` the record gets this producer's, and a `serial` that grows by one per record of the
   * partition.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Offset of the first record; null when the broker had the records already. */
interface Appended {
  readonly offset: number | null;
}

/** The one path by which records are appended to the log. */
export interface Producer {
  /**
   * Resolves when the records are in the log. Throws Fault `too-large`, and after `deadlineMs`, else 5 minutes,
   * `unavailable`: they may still arrive. With `deadlineMs` also `rate-limited` when too much waits. `whole`: all of
   * the records, or none.
   */
  send(
    topic: string,
    partition: number,
    records: readonly ProducerRecord[],
    options?: { readonly deadlineMs?: number; readonly whole?: boolean },
  ): Promise<Appended>;
  /** Records sent and not yet acknowledged. */
  waiting(): number;
  /** Waits at most `waitMs` for sends in flight; nothing is sent afterwards. */
  close(waitMs: number): Promise<void>;
}

export interface ProducerOptions extends ProducerPoolOptions {
  /** Names this start of the process among all writers; 8 characters. */
  readonly writer: string;
  /** Limit of sends without a deadline of their own. */
  readonly longestMs?: number;
}

/**
 * Limit of all sends with a deadline of their own. Those without are from processors: one batch per partition, which
 * they send again.
 */
const MAX_WAITING_BYTES = 64 * 2 ** 20;
/** While no broker answers, kafkajs rejects nothing. Long, so that the outputs of the largest page get through a slow line. */
const LONGEST_MS = 5 * 60_000;

const late = (): Fault => new Fault('unavailable', 'Event log timed out', [], { retryAfter: 5 });
const full = (): Fault => new Fault('rate-limited', 'Event log overloaded. Retry later', [], { retryAfter: 1 });

const timeout = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

type Finish = PendingAppend['finish'];

/** Queues a batch; resolves when its outcome is known, or rejects at the deadline. `open` counts the records of every unfinished batch. */
const put = (
  open: Map<Finish, number>,
  queue: PartitionQueue,
  { messages, bytes }: RecordBatch,
  deadlineMs: number,
): Promise<Appended> =>
  new Promise((resolve, reject) => {
    const finish: Finish = (result) => {
      clear();
      open.delete(finish);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const append = { messages, bytes, finish };
    const clear = timeout(deadlineMs, () => {
      queue.withdraw(append);
      finish(late());
    });
    open.set(finish, messages.length);
    queue.push(append);
  });

export const openProducer = ({ writer, longestMs = LONGEST_MS, ...options }: ProducerOptions): Producer => {
  const pool = openProducerPool(options);
  const open = new Map<Finish, number>();
  const underWay = new Set<Promise<unknown>>();
  let waitingBytes = 0;
  let closed = false;

  const stamped = (numbered: NumberedQueue, { key, value, headers = {} }: ProducerRecord): ReadyRecord => {
    if (headers.writer !== undefined) return { key, value, headers };
    numbered.serial += 1;
    return { key, value, headers: { ...headers, writer, serial: String(numbered.serial) } };
  };
  const within = async (batch: RecordBatch, sending: () => Promise<Appended>): Promise<Appended> => {
    if (waitingBytes > 0 && waitingBytes + batch.bytes > MAX_WAITING_BYTES) throw full();
    waitingBytes += batch.bytes;
    return sending().finally(() => {
      waitingBytes -= batch.bytes;
    });
  };
  const sendBatch = (numbered: NumberedQueue, batch: RecordBatch, deadlineMs: number | undefined): Promise<Appended> =>
    deadlineMs === undefined
      ? put(open, numbered.queue, batch, longestMs)
      : within(batch, () => put(open, numbered.queue, batch, deadlineMs));

  return {
    async send(topic, partition, records, { deadlineMs, whole = false } = {}) {
      if (closed) throw late();
      const numbered = pool.to(topic, partition);
      const batches = recordBatches(
        topic,
        records.map((record) => stamped(numbered, record)),
        whole,
      );
      const sending = Promise.all(batches.map((batch) => sendBatch(numbered, batch, deadlineMs)));
      underWay.add(sending);
      try {
        const [first] = await sending;
        return first ?? { offset: null };
      } finally {
        underWay.delete(sending);
      }
    },
    waiting() {
      let records = 0;
      for (const count of open.values()) records += count;
      return records;
    },
    async close(waitMs) {
      closed = true;
      const end = Promise.withResolvers<void>();
      const clear = timeout(waitMs, end.resolve);
      await Promise.race([Promise.allSettled(underWay), end.promise]);
      clear();
      pool.end();
      for (const finish of open.keys()) finish(late());
    },
  };
};
