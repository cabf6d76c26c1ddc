import { Fault } from '#domain/fault.ts';
import type { PartitionQueue, PendingAppend } from './partition-queue.ts';
import { type NumberedQueue, openProducerPool, type ProducerPoolOptions } from './producer-pool.ts';
import { type ReadyRecord, type RecordBatch, recordBatches } from './record-batches.ts';

export interface ProducerRecord {
  /** The tenant, on all topics but events.receipts. */
  readonly key: string;
  readonly value: Buffer;
  /** Without a `writer` the record gets this producer's, and a `serial` that grows by one per record of the partition. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Offset of the first record; null when the broker had the records already. */
interface Appended {
  readonly offset: number | null;
}

/** The one path by which records are appended to the log. */
export interface Producer {
  /**
   * Resolves when the records are in the log. Throws Fault `too-large`, and after `deadlineMs`, else 5 minutes, `unavailable`: they may still
   * come. With `deadlineMs` also `rate-limited` when too much waits. `whole`: all of the records, or none.
   */
  send(
    topic: string,
    partition: number,
    records: readonly ProducerRecord[],
    options?: { readonly deadlineMs?: number; readonly whole?: boolean },
  ): Promise<Appended>;
  /** Records sent and not yet acknowledged. */
  waiting(): number;
  /** Waits at most `waitMs` for sends under way; nothing is sent afterwards. */
  close(waitMs: number): Promise<void>;
}

export interface ProducerOptions extends ProducerPoolOptions {
  /** Names this start of the process among all writers; 8 characters. */
  readonly writer: string;
  /** Of sends without a deadline of their own. */
  readonly longestMs?: number;
}

/** Of all sends with a deadline of their own. Those without come from processors: one batch per partition, which they send again. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;
/** While no broker answers, kafkajs rejects nothing. Long, so that the outputs of the largest page get through a slow line. */
const LONGEST_MS = 5 * 60_000;

const late = (): Fault => new Fault('unavailable', 'The log did not answer in time', [], { retryAfter: 5 });
const full = (): Fault => new Fault('rate-limited', 'Too much is waiting for the log', [], { retryAfter: 1 });

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
