import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { itemAt } from '#domain/assert.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { Incoming, Saved } from '#domain/event/incoming.ts';
import { withStrategies } from '#schemas/topics/strategies.ts';
import { type Topic, topics } from '#schemas/topics/topics.ts';
import { sender } from '#test/conventions/sender.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { openSlab } from './buffer-pool.ts';
import { openCodec } from './codec.ts';
import { readerType, schemaText } from './schema-file.ts';

/** A schema with its named types by name alone; each is put into `types` as it is written there. */
const flat = (schema: unknown, types: Map<string, unknown>): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => flat(item, types));
  if (typeof schema !== 'object' || schema === null) return schema;
  const type = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, flat(part, types)]));
  if (typeof type.name !== 'string' || !('fields' in type || 'symbols' in type)) return type;
  types.set(type.name, type);
  return type.name;
};

test('what two topics share is the same in both', () => {
  const known = new Map<string, unknown>();
  for (const topic of topics) {
    const types = new Map<string, unknown>();
    flat(JSON.parse(schemaText(topic)), types);
    for (const [name, type] of types) {
      expect({ [name]: type }).toEqual({ [name]: known.get(name) ?? type });
      known.set(name, type);
    }
  }
  expect(known.size).toBeGreaterThan(50);
});

const incoming = topics[0] as Topic;
/** The schema of events.incoming with other fields at the root. */
const changed = (change: (fields: object[]) => object[]): string => {
  const schema = JSON.parse(schemaText(incoming)) as { fields: object[] };
  return JSON.stringify({ ...schema, fields: change(schema.fields) });
};
const extra = { name: 'extra', type: ['null', 'string'], default: null };

describe('values of another version of the code', () => {
  const versions = {
    now: schemaText(incoming),
    before: changed((fields) => fields.slice(0, 2)),
    after: changed((fields) => [extra, ...fields]),
  };
  const codecOf = async (text: string, registry: ReturnType<typeof openMemoryRegistry>) =>
    openCodec<Incoming>({
      topic: incoming.name,
      type: readerType(text),
      find: registry.find,
      write: openSlab(),
      schemaId: await registry.register('s', text),
    });

  test.each(topicSamples['events.incoming'].map((value) => [value.ask.kind, value] as const))(
    '%s is read without the field that its writer did not know',
    async (_kind, value) => {
      const registry = openMemoryRegistry();
      const [reader, writer] = [await codecOf(versions.now, registry), await codecOf(versions.before, registry)];
      const bytes = writer.encode(value);
      expect(reader.knows(bytes)).toBe(false);
      await reader.learn(bytes);
      const { deliveryId: _unknown, ...known } = value;
      expect(reader.decode(bytes)).toStrictEqual(known);
    },
  );

  test('a field that the reader does not know yet is passed over', async () => {
    const registry = openMemoryRegistry();
    const [reader, writer] = [await codecOf(versions.now, registry), await codecOf(versions.after, registry)];
    const [value] = topicSamples['events.incoming'];
    const bytes = writer.encode({ ...value, extra: 'x' } as never);
    await reader.learn(bytes);
    expect(reader.decode(bytes)).toStrictEqual(value);
  });
});

test('what was saved before tenants could be forgotten is read as it was written', async () => {
  const saved = topics.find(({ name }) => name === 'events.saved') as Topic;
  const schema = JSON.parse(schemaText(saved)) as { fields: { name: string; type: unknown; default?: unknown }[] };
  const [happened, event] = schema.fields as unknown as [
    { type: { symbols: string[] } },
    { type: unknown[]; default?: unknown },
  ];
  happened.type.symbols = happened.type.symbols.filter((symbol) => symbol !== 'forgotten');
  delete event.default;
  Object.assign(event, { type: event.type[1] });
  const registry = openMemoryRegistry();
  const codecOf = async (text: string) =>
    openCodec<Saved>({
      topic: saved.name,
      type: readerType(text),
      find: registry.find,
      write: openSlab(),
      schemaId: await registry.register('s', text),
    });
  const [reader, writer] = [await codecOf(schemaText(saved)), await codecOf(JSON.stringify(schema))];
  for (const value of topicSamples['events.saved'].filter(({ happened: what }) => what !== 'forgotten')) {
    const bytes = writer.encode(value);
    await reader.learn(bytes);
    expect(reader.decode(bytes)).toStrictEqual(value);
  }
});

describe('a sixth strategy', () => {
  const fileText = ({ schema }: Topic): string =>
    readFileSync(new URL(`../../../schemas/topics/${schema}`, import.meta.url), 'utf8');
  const six = (topic: Topic): string => withStrategies(fileText(topic), [...strategies, sender]);
  const enriched = topics.find(({ name }) => name === 'events.enriched') as Topic;
  const hits = topics.find(({ name }) => name === 'correlation.hits') as Topic;
  const codecOf = async (topic: Topic, text: string, registry: ReturnType<typeof openMemoryRegistry>) =>
    openCodec<unknown>({
      topic: topic.name,
      type: readerType(text),
      find: registry.find,
      write: openSlab(),
      schemaId: await registry.register('s', text),
    });
  const record = itemAt(topicSamples['events.enriched'], 0);
  const strategiesNow = record.settings.strategies;
  const withSender = {
    ...record,
    settings: { ...record.settings, strategies: { ...strategiesNow, sender: sender.defaults } },
  };
  const hit = { kind: 'hits', strategy: 'sender', eventId: 'e', hits: [], cut: 0 };

  test('has its defaults in what five strategies wrote', async () => {
    const registry = openMemoryRegistry();
    const [writer, reader] = [
      await codecOf(enriched, schemaText(enriched), registry),
      await codecOf(enriched, six(enriched), registry),
    ];
    const bytes = writer.encode(record);
    await reader.learn(bytes);
    expect(reader.decode(bytes)).toStrictEqual(withSender);
  });

  test.each([
    [enriched, withSender],
    [hits, hit],
  ])('comes back as it was: $name', async (topic, value) => {
    const codec = await codecOf(topic, six(topic), openMemoryRegistry());
    expect(codec.decode(codec.encode(value))).toStrictEqual(value);
  });

  test('is passed over where five are known, and its hits wait for a newer program', async () => {
    const registry = openMemoryRegistry();
    const old = await codecOf(enriched, schemaText(enriched), registry);
    const bytes = (await codecOf(enriched, six(enriched), registry)).encode(withSender);
    await old.learn(bytes);
    expect(old.decode(bytes)).toStrictEqual(record);
    const oldHits = await codecOf(hits, schemaText(hits), registry);
    const unknown = (await codecOf(hits, six(hits), registry)).encode(hit);
    await expect(oldHits.learn(unknown)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
