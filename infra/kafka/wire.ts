import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import type { Output } from './journal.ts';
import type { Input } from './owner.ts';

/** Headers of every record. `position` is missing on events.incoming: there the offset is the position. */
const POSITION = 'position';
const WRITER = 'writer';
const SERIAL = 'serial';
const REPLY = 'reply';

export interface Message {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A record as the client gives it. */
export interface Fetched {
  readonly offset: string;
  /** Append time, ms. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Codec {
  encode(topic: TopicName, value: unknown): Buffer;
  /** Throws when the bytes are not of a schema that the registry knows. */
  decode(topic: TopicName, value: Buffer): Promise<unknown>;
}

/** Records of one epoch; more than any partition will ever hold. */
const EPOCH = 2 ** 40;
export const positionOf = (epoch: number, offset: number): number => epoch * EPOCH + offset;

export const toMessage = ({ encode }: Codec, writer: string, output: Output): Message => {
  const { topic, entry, serial, reply } = output;
  const headers: Record<string, string> = { [WRITER]: writer, [SERIAL]: String(serial) };
  if (topic !== eventsIncoming) headers[POSITION] = String(entry.position);
  if (reply !== null) headers[REPLY] = reply;
  return { key: entry.tenant, value: encode(topic as TopicName, entry.value), headers };
};

const text = (header: unknown): string | null =>
  typeof header === 'string' ? header : Buffer.isBuffer(header) ? header.toString() : null;

/** A value that cannot be read becomes an input with a `fault`: it goes to the dead letters in its turn. */
export const toInput = async (codec: Codec, topic: TopicName, epoch: number, record: Fetched): Promise<Input> => {
  const { key, value, headers = {} } = record;
  const offset = Number(record.offset);
  const position = topic === eventsIncoming ? positionOf(epoch, offset) : Number(text(headers[POSITION]));
  const read = async (): Promise<{ value: unknown; fault: string | null }> => {
    try {
      if (value === null) throw new Error('The record has no value');
      if (!Number.isSafeInteger(position)) throw new Error('The record has no position');
      return { value: await codec.decode(topic, value), fault: null };
    } catch (error) {
      return { value: null, fault: error instanceof Error ? error.message : String(error) };
    }
  };
  const { value: body, fault } = await read();
  return {
    ...{ offset, at: Number(record.timestamp), fault, raw: value ?? Buffer.alloc(0) },
    entry: { tenant: key?.toString() ?? '', position: Number.isSafeInteger(position) ? position : 0, value: body },
    writer: text(headers[WRITER]) ?? '',
    serial: Number(text(headers[SERIAL]) ?? 0),
    reply: text(headers[REPLY]),
  };
};
