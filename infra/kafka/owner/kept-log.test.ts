import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Fold } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { JournalPage } from '#domain/ports/pipeline-store.ts';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { pipeline } from '#processors/pipeline.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { NOON } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import type { Output } from './journal.ts';
import { type Fetched, toInputs } from './wire.ts';

/** A log, journal pages and commits that the program of commit 5c17e74 wrote. */
const FOLDER = new URL('../../../test/kept/5c17e74-log/', import.meta.url);
const kept = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as T;

interface KeptRecord {
  readonly offset: number;
  readonly at: number;
  readonly writer: string;
  readonly serial: number;
  readonly reply: string | null;
  readonly position: number;
  readonly key: string;
  readonly bytes: string;
}

const schemas = kept<{ topic: string; schema: object }[]>('schemas.json');
const records = kept<Record<TopicName, { value: object; bytes: string }[]>>('records.json');
const logs = kept<Record<TopicName, KeptRecord[]>>('log.json');
const pages = kept<Record<string, JournalPage>>('pages.json');
const commits = kept<Record<string, { offset: number; metadata: string }>>('commits.json');
const metrics: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };

/** Today's codecs over a registry that holds the schemas of that time under their ids. */
const openToday = async () => {
  const registry = openMemoryRegistry();
  for (const { topic, schema } of schemas) await registry.register(topic, JSON.stringify(schema));
  return openCodecs(registry);
};

const jsonOf = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part) =>
      part?.type === 'Buffer' ? { base64: Buffer.from(part.data).toString('base64') } : part,
    ),
  );

const fetched = ({ offset, at, writer, serial, reply, position, key, bytes }: KeptRecord): Fetched => ({
  ...{ offset: String(offset), timestamp: String(at), key: Buffer.from(key), value: Buffer.from(bytes, 'base64') },
  headers: { writer, serial: String(serial), position: String(position), ...(reply !== null && { reply }) },
});

test.each(Object.keys(records) as TopicName[])(
  'every kind of record of %s is read as it was written',
  async (topic) => {
    const codecs = await openToday();
    expect(records[topic].length).toBeGreaterThan(0);
    for (const { value, bytes } of records[topic]) {
      expect(jsonOf(await codecs.decode(topic, Buffer.from(bytes, 'base64')))).toMatchObject(value);
    }
  },
);

test.each(['dedup', 'enrich', 'merge'])('%s finishes its page of that time and goes on', async (name) => {
  const codecs = await openToday();
  const store = new MemoryPipelineStore();
  const page = pages[name] as JournalPage;
  store.journal.set(`1/${name}/0`, page);
  const sent: Output[] = [];
  const processor = pipeline.find((one) => one.name === name) as Fold<unknown, unknown>;
  const owner = new FoldOwner({
    ...{ fold: processor, partition: 0, epoch: 1, store, clock: setClock(NOON), metrics, saved: openEventCache() },
    sources: { graph: { around: async () => null }, records: { get: async () => null } },
    mine: () => true,
    emitter: {
      refuses: () => null,
      send: async (_, outputs) => {
        for (const { topic, entry } of outputs) codecs.encode(topic as TopicName, entry.value);
        sent.push(...outputs);
      },
      answer: async () => {},
      reject: async (_, rejected) => {
        throw new Error(rejected[0]?.reason);
      },
    },
  });
  const from = await owner.open();
  const { outputs, resume } = JSON.parse(page.body) as { outputs: object[]; resume: number };
  expect(sent).toHaveLength(outputs.length);
  expect(from).toBe(resume);
  const topic = processor.input as TopicName;
  const read = logs[topic].slice(from, commits[name]!.offset).map(fetched);
  const inputs = await toInputs({ topic, epoch: 1, codec: codecs.of(topic) }, read);
  expect(inputs.filter(({ fault }) => fault !== null)).toEqual([]);
  await owner.take(inputs);
  // All of these records were read before the page was written.
  expect(sent).toHaveLength(outputs.length);
});

test('the commits of that time are read: a batch number of a fold, a position of a join', () => {
  for (const { name, kind } of pipeline) {
    const { offset, metadata } = commits[name]!;
    expect(offset).toBeGreaterThan(0);
    expect(kind === 'fold' ? Number(metadata) : Number(metadata || -1)).toBeGreaterThan(0);
  }
});
