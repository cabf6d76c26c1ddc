import type { Ask, Incoming } from '#domain/event/incoming.ts';
import { believable } from '#domain/event/lifecycle/change.ts';
import { errorMessage, Fault } from '#domain/fault.ts';
import type { Codec } from '#infra/kafka/codec/codec.ts';
import type { ProducerRecord } from '#infra/kafka/producer/producer.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import type { Output } from './journal.ts';
import type { Input } from './owner.ts';

/** The times that an API process has believed by its own clock. */
const askAt = (ask: Ask, receivedAt: number): Ask => {
  if (ask.kind === 'occurred') {
    const { occurrence } = ask;
    return { ...ask, occurrence: { ...occurrence, timestamp: believable(occurrence.timestamp, receivedAt) } };
  }
  return 'at' in ask ? { ...ask, at: believable(ask.at, receivedAt) } : ask;
};

/**
 * Limits receipt times to the append time of the broker. An API process with a clock that is ahead would otherwise
 * raise the watermark of its tenants, and events of all others would be late.
 */
export const receivedBy = (record: Incoming, appendedAt: number): Incoming =>
  record.receivedAt <= appendedAt ? record : { ...record, receivedAt: appendedAt, ask: askAt(record.ask, appendedAt) };

/** An epoch has room for 2^40 offsets: 1.7 years at 20,000 records a second in one partition. */
const OFFSETS = 2 ** 40;
/** Positions stay below 2^53 − 1, so that they are exact numbers, also as Avro's long. */
export const MAX_EPOCH = 2 ** 13 - 2;

const whole = (value: number, below: number, what: string): number => {
  if (!Number.isInteger(value) || value < 0 || value >= below) throw new RangeError(`${what} ${value} is out of range`);
  return value;
};

/**
 * Returns the position of a record of `events.incoming`: epoch · 2^40 + offset. The epoch is raised when topics are
 * recreated.
 */
export const positionOf = (epoch: number, offset: number | string): number =>
  whole(epoch, MAX_EPOCH + 1, 'Epoch') * OFFSETS + whole(Number(offset), OFFSETS, 'Offset');

/** Headers of every record. `position` is missing on events.incoming: there the offset is the position. */
const POSITION = 'position';
const WRITER = 'writer';
const SERIAL = 'serial';
const REPLY = 'reply';
/** W3C Trace Context; missing where there are no traces. */
const TRACEPARENT = 'traceparent';

/** A record as the client returns it. */
export interface Fetched {
  readonly offset: string;
  /** Append time, ms. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Time by the clock of this process, ms; where it is noted. */
  readonly fetchedAt?: number;
}

/** Progress of a strategy concerns all tenants of the partition. */
const keyOf = (partition: number, tenant: string): string => (tenant === '' ? String(partition) : tenant);

/** `value`: the entry's, encoded. */
export const toMessage = (
  writer: string,
  partition: number,
  output: Output,
  value: Buffer,
  traceparent?: string,
): ProducerRecord => {
  const { topic, entry, serial, reply } = output;
  const headers: Record<string, string> = { [WRITER]: writer, [SERIAL]: String(serial) };
  if (topic !== eventsIncoming) headers[POSITION] = String(entry.position);
  if (reply !== null) headers[REPLY] = reply;
  if (traceparent !== undefined) headers[TRACEPARENT] = traceparent;
  return { key: keyOf(partition, entry.tenant), value, headers };
};

const text = (header: unknown): string | null =>
  typeof header === 'string' ? header : Buffer.isBuffer(header) ? header.toString() : null;

/** Reader of the records of a topic. */
export interface TopicReader {
  readonly topic: TopicName;
  readonly epoch: number;
  readonly codec: Pick<Codec<unknown>, 'knows' | 'learn' | 'decode'>;
  /** Replaces the codec's for values that are read more than once. */
  readonly decode?: (value: Buffer, record: Fetched) => unknown;
}

const isBad = (error: unknown): boolean => !(error instanceof Fault && error.kind === 'unavailable');

/** Asks for the schemas of other writers, which are rare, before anything is read. */
const learnAll = async ({ codec }: TopicReader, records: readonly Fetched[]): Promise<void> => {
  for (const { value } of records)
    try {
      if (value !== null && !codec.knows(value)) await codec.learn(value);
    } catch (error) {
      if (!isBad(error)) throw error;
    }
};

const toInput = ({ topic, epoch, codec, decode = codec.decode }: TopicReader, record: Fetched): Input => {
  const { key, value, headers = {}, fetchedAt } = record;
  const offset = Number(record.offset);
  const position = topic === eventsIncoming ? positionOf(epoch, offset) : Number(text(headers[POSITION]));
  let body: unknown = null;
  let fault: string | null = null;
  try {
    if (value === null) throw new Error('The record has no value');
    if (!Number.isSafeInteger(position)) throw new Error('The record has no position');
    body = decode(value, record);
    if (topic === eventsIncoming) body = receivedBy(body as Incoming, Number(record.timestamp));
  } catch (error) {
    fault = errorMessage(error);
  }
  return {
    offset,
    at: Number(record.timestamp),
    fault,
    raw: value ?? Buffer.alloc(0),
    entry: { tenant: key?.toString() ?? '', position: Number.isSafeInteger(position) ? position : 0, value: body },
    writer: text(headers[WRITER]) ?? '',
    serial: Number(text(headers[SERIAL]) ?? 0),
    reply: text(headers[REPLY]),
    traceparent: text(headers[TRACEPARENT]),
    ...(fetchedAt !== undefined && { fetchedAt }),
  };
};

/**
 * Throws Fault `unavailable` while the registry is needed and down. An unreadable value becomes an input with a
 * `fault`: it becomes a dead letter in its turn.
 */
export const toInputs = async (reader: TopicReader, records: readonly Fetched[]): Promise<Input[]> => {
  await learnAll(reader, records);
  return records.map((record) => toInput(reader, record));
};
