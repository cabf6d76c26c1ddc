import type { Incoming } from '#domain/event/incoming.ts';
import { errorMessage, Fault } from '#domain/fault.ts';
import { receivedBy } from '#infra/kafka/client/append-time.ts';
import { positionOf } from '#infra/kafka/client/position.ts';
import type { Codec } from '#infra/kafka/codec/codec.ts';
import type { ProducerRecord } from '#infra/kafka/producer/producer.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import type { Output } from './journal.ts';
import type { Input } from './owner.ts';

/** Headers of every record. `position` is missing on events.incoming: there the offset is the position. */
const POSITION = 'position';
const WRITER = 'writer';
const SERIAL = 'serial';
const REPLY = 'reply';

/** A record as the client gives it. */
export interface Fetched {
  readonly offset: string;
  /** Append time, ms. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** By the clock of this process, ms; where it is noted. */
  readonly fetchedAt?: number;
}

/** How far a strategy is concerns all tenants of the partition. */
const keyOf = (partition: number, tenant: string): string => (tenant === '' ? String(partition) : tenant);

/** `value`: the entry's, encoded. */
export const toMessage = (writer: string, partition: number, output: Output, value: Buffer): ProducerRecord => {
  const { topic, entry, serial, reply } = output;
  const headers: Record<string, string> = { [WRITER]: writer, [SERIAL]: String(serial) };
  if (topic !== eventsIncoming) headers[POSITION] = String(entry.position);
  if (reply !== null) headers[REPLY] = reply;
  return { key: keyOf(partition, entry.tenant), value, headers };
};

const text = (header: unknown): string | null =>
  typeof header === 'string' ? header : Buffer.isBuffer(header) ? header.toString() : null;

/** How the records of a topic are read. */
export interface TopicReader {
  readonly topic: TopicName;
  readonly epoch: number;
  readonly codec: Pick<Codec<unknown>, 'knows' | 'learn' | 'decode'>;
  /** Instead of the codec's, for values that are read more than once. */
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
    ...(fetchedAt !== undefined && { fetchedAt }),
  };
};

/**
 * Throws Fault `unavailable` while the registry is needed and down. A value that cannot be read becomes an input with a `fault`: it
 * goes to the dead letters in its turn.
 */
export const toInputs = async (reader: TopicReader, records: readonly Fetched[]): Promise<Input[]> => {
  await learnAll(reader, records);
  return records.map((record) => toInput(reader, record));
};
