import { expect, test } from '@jest/globals';
import type { Incoming } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import { openSlab } from '#infra/kafka/codec/buffer-pool.ts';
import { openCodec } from '#infra/kafka/codec/codec.ts';
import { readerType, schemaText } from '#infra/kafka/codec/schema-file.ts';
import { topics } from '#schemas/topics/topics.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { type Fetched, type TopicReader, toInputs } from './wire.ts';

const topic = 'events.incoming';
const own = schemaText(topics.find(({ name }) => name === topic)!);
/** Written as by a version of the code with one more field. */
const newer = JSON.stringify({
  ...JSON.parse(own),
  fields: [...JSON.parse(own).fields, { name: 'extra', type: ['null', 'string'], default: null }],
});
const value = topicSamples[topic][0] as Incoming;

/** `asked`: ids requested from the registry. */
const open = async () => {
  const registry = openMemoryRegistry();
  const asked: number[] = [];
  const state: { down: boolean } = { down: false };
  const find = (id: number) => {
    asked.push(id);
    if (state.down) throw new Fault('unavailable', 'The registry does not answer');
    return registry.find(id);
  };
  const codecOf = async (text: string) =>
    openCodec<Incoming>({
      topic,
      type: readerType(text),
      schemaId: await registry.register('s', text),
      find,
      write: openSlab(),
    });
  const [reading, writing] = [await codecOf(own), await codecOf(newer)];
  const reader: TopicReader = { topic, epoch: 1, codec: reading as TopicReader['codec'] };
  return { asked, state, reader, known: reading.encode(value), foreign: writing.encode(value) };
};

const fetched = (offset: number, bytes: Buffer | null): Fetched => ({
  offset: String(offset),
  timestamp: String(value.receivedAt),
  key: Buffer.from('acme'),
  value: bytes,
  headers: { writer: 'api00001', serial: Buffer.from(String(offset + 1)), reply: 'p/r/0' },
});

test('records are read in order, with what stands beside their values', async () => {
  const { reader, known } = await open();
  const [first, second] = await toInputs(reader, [fetched(4, known), fetched(5, known)]);
  expect(first).toEqual({
    offset: 4,
    at: value.receivedAt,
    traceparent: null,
    writer: 'api00001',
    serial: 5,
    reply: 'p/r/0',
    raw: known,
    fault: null,
    entry: { tenant: 'acme', position: 2 ** 40 + 4, value },
  });
  expect(second?.offset).toBe(5);
});

test('the schema of another writer is asked for once, before anything is read', async () => {
  const { asked, reader, known, foreign } = await open();
  const inputs = await toInputs(reader, [fetched(0, known), fetched(1, foreign), fetched(2, foreign)]);
  expect(inputs.map(({ fault, entry }) => fault ?? entry.value)).toEqual([value, value, value]);
  expect(asked).toEqual([2]);
});

test('a registry that is needed and down fails the batch, and no record', async () => {
  const { state, reader, known, foreign } = await open();
  state.down = true;
  await expect(toInputs(reader, [fetched(0, known), fetched(1, foreign)])).rejects.toMatchObject({
    kind: 'unavailable',
  });
  expect(await toInputs(reader, [fetched(0, known)])).toHaveLength(1);
});

test('what cannot be read is a fault of its record alone', async () => {
  const { reader, known } = await open();
  const unknown = Buffer.concat([Buffer.from([0, 0, 0, 99, 9]), known.subarray(5)]);
  const records = [null, Buffer.alloc(0), unknown, known.subarray(0, 9), known].map((bytes, n) => fetched(n, bytes));
  const inputs = await toInputs(reader, records);
  expect(inputs.map(({ fault }) => fault === null)).toEqual([false, false, false, false, true]);
  expect(inputs[0]?.fault).toBe('The record has no value');
});
