import { expect, test } from '@jest/globals';
import type { Metrics } from '#domain/ports/metrics.ts';
import { openSlab } from '#infra/kafka/codec/buffer-pool.ts';
import { openCodec } from '#infra/kafka/codec/codec.ts';
import { readerType, schemaText } from '#infra/kafka/codec/schema-file.ts';
import { PartitionWork } from '#infra/kafka/consumer/partition-work.ts';
import { dedup } from '#processors/dedup.ts';
import { correlationHits, eventsSaved, topics } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { NOON, occurs } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { until } from '#test/setup/until.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import { NewerPage, PAGE_FORMAT } from './journal.ts';
import { type Input, LostPartition } from './owner.ts';
import { toInputs } from './wire.ts';

/* Programs of two versions side by side on one log and one store, as during an upgrade worker by worker. */

const metrics: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };

const ownerOf = (store: MemoryPipelineStore, format: number, answers: string[] = []): FoldOwner =>
  new FoldOwner({
    fold: dedup,
    partition: 0,
    epoch: 1,
    store,
    format,
    clock: setClock(NOON),
    metrics,
    saved: openEventCache(),
    sources: { graph: { around: async () => null }, records: { get: async () => null } },
    emitter: {
      refuses: () => null,
      send: async () => {},
      reject: async () => {},
      answer: async (given) => void answers.push(...given.map(({ receipt }) => (receipt.ok ? receipt.outcome : '!'))),
    },
    mine: () => true,
  });

const said = (offset: number): Input => ({
  offset,
  at: NOON,
  fault: null,
  raw: Buffer.alloc(0),
  writer: 'api00001',
  serial: offset + 1,
  reply: 'p/r/0',
  entry: { tenant: 'acme', position: offset + 1, value: occurs({ id: 'e1', timestamp: NOON + offset }) },
});

test('a newer version takes over the page of an older one; the older one leaves a newer page alone and rests', async () => {
  const store = new MemoryPipelineStore();
  const answers: string[] = [];
  const older = ownerOf(store, PAGE_FORMAT, answers);
  await older.open();
  await older.take([said(0)]);
  const newer = ownerOf(store, PAGE_FORMAT + 1, answers);
  expect(await newer.open()).toBe(1);
  await newer.take([said(1)]);
  await expect(older.take([said(1)])).rejects.toThrow(LostPartition);
  await expect(older.open()).rejects.toThrow(NewerPage);
  expect(answers).toEqual(['created', 'created', 'duplicate_updated']);
  const before = JSON.stringify([...store.journal]);
  const failures: unknown[] = [];
  const work = new PartitionWork({
    control: { seek() {}, pause() {}, resume() {} },
    openOwner: () => ownerOf(store, PAGE_FORMAT, answers),
    read: async () => [said(2)],
    done: () => failures.push('done'),
    failed: (error) => failures.push(error),
    before: Promise.resolve(),
  });
  work.push([{ offset: '2', timestamp: String(NOON), key: null, value: null }]);
  await until(async () => failures.length > 0);
  expect([work.owner, work.isFailing, String(failures[0])]).toEqual([
    null,
    true,
    expect.stringContaining('newer version'),
  ]);
  await work.stop();
  expect(JSON.stringify([...store.journal])).toBe(before);
  await newer.take([said(2)]);
  expect(answers.at(-1)).toBe('duplicate_updated');
});

/** The schema of a later program: one kind more, and a field more. */
const later = (topic: TopicName): string => {
  const text = schemaText(topics.find(({ name }) => name === topic)!);
  const schema = JSON.parse(text);
  const [first] = schema.fields;
  if (topic === eventsSaved) {
    first.type.symbols.push('exploded');
    schema.fields.push({ name: 'extra', type: ['null', 'string'], default: null });
  } else {
    const kind = { name: 'kind', type: { type: 'enum', name: 'NewKind', symbols: ['novel'] } };
    first.type.push({ type: 'record', name: 'Novel', fields: [kind] });
  }
  return JSON.stringify(schema);
};

test.each([
  [eventsSaved, { happened: 'exploded', event: null, receivedAt: NOON }],
  [correlationHits, { kind: 'novel' }],
] as const)('records of %s by a program that knows more kinds wait for one that does, too', async (topic, novel) => {
  const registry = openMemoryRegistry();
  const codecOf = async (text: string) =>
    openCodec<unknown>({
      topic,
      type: readerType(text),
      find: registry.find,
      write: openSlab(),
      schemaId: await registry.register(topic, text),
    });
  const [reader, writer] = [
    await codecOf(schemaText(topics.find(({ name }) => name === topic)!)),
    await codecOf(later(topic)),
  ];
  const values: unknown[] = [...topicSamples[topic], novel];
  const fetched = values.map((value, offset) => ({
    offset: String(offset),
    timestamp: '0',
    key: Buffer.from('acme'),
    value: writer.encode(value),
    headers: { position: String(offset) },
  }));
  const reading = toInputs({ topic, epoch: 1, codec: reader as never }, fetched);
  await expect(reading).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/newer version/) });
});
