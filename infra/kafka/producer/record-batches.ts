import { Fault } from '#domain/fault.ts';
import { topics } from '#schemas/topics/topics.ts';

/** A record ready for the log: its value encoded, its writer named. */
export interface ReadyRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Records that go together. */
export interface RecordBatch {
  readonly messages: ReadyRecord[];
  /** An upper bound, before compression. */
  bytes: number;
}

/** The size at which a send is split where it need not be one batch. */
const BATCH_BYTES = 2 ** 20;
/** Lengths, deltas and attributes of a record; and the overhead of a batch beside its records. */
const RECORD_OVERHEAD = 48;
const BATCH_OVERHEAD = 128;
/** Maximum UTF-8 bytes of a UTF-16 code unit. */
const WIDEST = 3;

const LIMITS: ReadonlyMap<string, number> = new Map(topics.map(({ name, maxMessageBytes }) => [name, maxMessageBytes]));

/** The largest size of the headers of a record. */
const HEADERS_ROOM = 1_024;

/** Returns the reason why the log would never accept this value; null when it will. */
export const refusalOf = (topic: string, key: string, value: Buffer): string | null => {
  const bytes = BATCH_OVERHEAD + RECORD_OVERHEAD + HEADERS_ROOM + key.length * WIDEST + value.length;
  const limit = LIMITS.get(topic) ?? Number.POSITIVE_INFINITY;
  return bytes > limit ? `Record of ${topic} too large: ${bytes} bytes, maximum ${limit}` : null;
};

const sizeOf = ({ key, value, headers }: ReadyRecord): number => {
  let bytes = RECORD_OVERHEAD + value.length + key.length * WIDEST;
  for (const name in headers) bytes += (name.length + (headers[name] as string).length) * WIDEST;
  return bytes;
};

/** Checked before sending: a rejection by the broker costs the connection, and every partition waits for a new one. */
const checked = (topic: string, batch: RecordBatch): RecordBatch => {
  const limit = LIMITS.get(topic);
  if (limit !== undefined && batch.bytes > limit)
    throw new Fault('too-large', `Records too large for one append: ${batch.bytes} bytes, maximum ${limit}`);
  return batch;
};

/** A request is one batch, all or nothing (`whole`); other sends are cut into batches. Throws Fault `too-large`. */
export const recordBatches = (topic: string, records: readonly ReadyRecord[], whole = false): RecordBatch[] => {
  const most = whole ? Number.POSITIVE_INFINITY : BATCH_BYTES;
  const batches: RecordBatch[] = [];
  let last: RecordBatch | undefined;
  for (const record of records) {
    const bytes = sizeOf(record);
    if (last === undefined || last.bytes + bytes > most) {
      last = { messages: [], bytes: BATCH_OVERHEAD };
      batches.push(last);
    }
    last.messages.push(record);
    last.bytes += bytes;
  }
  return batches.map((batch) => checked(topic, batch));
};
