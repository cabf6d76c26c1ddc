import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { openRegistry, type RegisteredSchemas } from '#infra/kafka/codec/registry.ts';
import { schemaText } from '#infra/kafka/codec/schema-file.ts';
import { topics } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { addresses } from './addresses.ts';

let url: string;
let registry: RegisteredSchemas;
/** Subjects of this run alone: a registry stores them permanently. */
const own = `test-${process.pid}-${process.hrtime.bigint()}`;
const renamed = (inner: RegisteredSchemas): RegisteredSchemas => ({
  register: (subject, text) => inner.register(`${own}-${subject}`, text),
  find: inner.find,
});

beforeAll(() => {
  url = addresses().registry;
  registry = renamed(openRegistry({ url }));
});

const samples = topics.flatMap(({ name }) => topicSamples[name].map((value) => [name, value] as [TopicName, never]));

test('a process reads what another has written, and asks for each schema once', async () => {
  const writer = await openCodecs(registry);
  let asked = 0;
  // A reader that wrote none of these schemas itself.
  const find: RegisteredSchemas['find'] = (id) => {
    asked += 1;
    return registry.find(id);
  };
  const stranger: RegisteredSchemas = { register: async () => 0, find };
  const reader = await openCodecs(stranger);
  for (const [topic, value] of samples)
    expect(await reader.decode(topic, writer.encode(topic, value))).toStrictEqual(value);
  expect(asked).toBe(topics.length);
});

test('registering again gives the same ids, also when several processes start together', async () => {
  const opened = await Promise.all([1, 2, 3].map(() => openCodecs(renamed(openRegistry({ url })))));
  for (const { schemaIds } of opened) expect(schemaIds).toEqual(opened[0]?.schemaIds);
});

describe('the registry refuses', () => {
  const text = schemaText(topics[0]!);
  const withField = (field: object): string => {
    const schema = JSON.parse(text) as { fields: object[] };
    return JSON.stringify({ ...schema, fields: [...schema.fields, field] });
  };

  test('a new field without a default, and says which subject', async () => {
    await registry.register('evolving', text);
    await registry.register('evolving', withField({ name: 'more', type: ['null', 'string'], default: null }));
    await expect(registry.register('evolving', withField({ name: 'must', type: 'string' }))).rejects.toThrow(
      /evolving isn't BACKWARD compatible/,
    );
  });

  test('what is no schema', async () => {
    await expect(registry.register('broken', '{"type":"record","name":"X"}')).rejects.toThrow();
  });

  test('a subject that somebody else has set to another compatibility, and says what to do', async () => {
    const subject = `${own}-other`;
    const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const post = { method: 'POST', headers, body: JSON.stringify({ schema: text }) };
    expect((await fetch(`${url}/subjects/${subject}/versions`, post)).status).toBe(200);
    const put = { method: 'PUT', headers, body: '{"compatibility":"NONE"}' };
    expect((await fetch(`${url}/config/${subject}`, put)).status).toBe(200);
    await expect(registry.register('other', text)).rejects.toThrow(/must be BACKWARD: PUT .*\/config\/.*other/);
  });
});

test('an unknown schema is a bad record; a registry that is down is not', async () => {
  await expect(registry.find(2_000_000_000)).rejects.toMatchObject({ kind: 'invalid' });
  const nowhere = openRegistry({ url: 'http://127.0.0.1:1' });
  await expect(nowhere.find(1)).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(openCodecs(nowhere)).rejects.toThrow('http://127.0.0.1:1');
});
