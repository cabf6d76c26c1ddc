import { Fault } from '#domain/fault.ts';
import type { Lane, Parcel } from './partition-queue.ts';
import { openWays, type Way, type WaysOptions } from './producer-pool.ts';
import { type Part, partsOf, type ReadyRecord } from './record-batches.ts';

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

/** The only way into the log. */
export interface Producer {
  /**
   * Resolves when the records are in the log. Throws Fault `too-large`; `unavailable` when they are not known to be there: then they
   * may still come. With `deadlineMs` it throws that in time, and `rate-limited` when too much is waiting; without, it waits as
   * long as the log is down. `whole`: all of the records come into the log, or none.
   */
  send(
    topic: string,
    partition: number,
    records: readonly ProducerRecord[],
    options?: { readonly deadlineMs?: number; readonly whole?: boolean },
  ): Promise<Appended>;
  /** Records on their way into the log. */
  waiting(): number;
  /** Waits for what is under way, at most so many ms; nothing is sent afterwards. */
  close(waitMs: number): Promise<void>;
}

export interface ProducerOptions extends WaysOptions {
  /** Names this start of the process among all writers; 8 characters. */
  readonly writer: string;
}

/** Of all sends with a deadline. Those without are bounded by whoever waits for them. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;

const late = (): Fault => new Fault('unavailable', 'The log did not answer in time', [], { retryAfter: 5 });
const full = (): Fault => new Fault('rate-limited', 'Too much is waiting for the log', [], { retryAfter: 1 });

const timeout = (ms: number | undefined, run: () => void): (() => void) => {
  if (ms === undefined) return () => undefined;
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

type Settle = Parcel['settle'];

/** Puts a part into its lane; settles when its outcome is known, or at the deadline. `open` has the records of what is not settled. */
const put = (
  open: Map<Settle, number>,
  lane: Lane,
  { messages, bytes }: Part,
  deadlineMs?: number,
): Promise<Appended> =>
  new Promise((resolve, reject) => {
    const settle: Settle = (result) => {
      clear();
      open.delete(settle);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const parcel = { messages, bytes, settle };
    const clear = timeout(deadlineMs, () => {
      lane.withdraw(parcel);
      settle(late());
    });
    open.set(settle, messages.length);
    lane.push(parcel);
  });

export const openProducer = ({ writer, ...options }: ProducerOptions): Producer => {
  const ways = openWays(options);
  const open = new Map<Settle, number>();
  const underWay = new Set<Promise<unknown>>();
  let waitingBytes = 0;
  let closed = false;

  const stamped = (way: Way, { key, value, headers = {} }: ProducerRecord): ReadyRecord => {
    if (headers.writer !== undefined) return { key, value, headers };
    way.serial += 1;
    return { key, value, headers: { ...headers, writer, serial: String(way.serial) } };
  };
  const within = async (part: Part, sending: () => Promise<Appended>): Promise<Appended> => {
    if (waitingBytes > 0 && waitingBytes + part.bytes > MAX_WAITING_BYTES) throw full();
    waitingBytes += part.bytes;
    return sending().finally(() => {
      waitingBytes -= part.bytes;
    });
  };
  const sendPart = (way: Way, part: Part, deadlineMs: number | undefined): Promise<Appended> =>
    deadlineMs === undefined ? put(open, way.lane, part) : within(part, () => put(open, way.lane, part, deadlineMs));

  return {
    async send(topic, partition, records, { deadlineMs, whole = false } = {}) {
      if (closed) throw late();
      const way = ways.to(topic, partition);
      const parts = partsOf(
        topic,
        records.map((record) => stamped(way, record)),
        whole,
      );
      const sending = Promise.all(parts.map((part) => sendPart(way, part, deadlineMs)));
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
      ways.end();
      for (const settle of open.keys()) settle(late());
    },
  };
};
