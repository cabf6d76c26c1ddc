import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SavedEvent } from '#domain/event/incoming.ts';
import { eventsReceipts, topics } from '#schemas/topics/topics.ts';
import type { TopicName, TopicValues } from '#schemas/topics/values.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { openCodecs } from './codecs.ts';
import { schemaText } from './schema-file.ts';

const codecs = await openCodecs(openMemoryRegistry());
const through = <Name extends TopicName>(topic: Name, value: TopicValues[Name]): TopicValues[Name] =>
  codecs.of(topic).decode(codecs.of(topic).encode(value));

const samples = topics.flatMap(({ name }) =>
  topicSamples[name].map((value, index) => [name, index, value] as [TopicName, number, never]),
);

test('every topic has a schema, samples and a name of its own', () => {
  expect(topics.map(({ name }) => name).sort()).toEqual(Object.keys(topicSamples).sort());
  expect(new Set(topics.map(schemaText)).size).toBe(topics.length);
});

test.each(samples)('%s: sample %d comes back as it was', (topic, _index, value) => {
  expect(through(topic, value)).toStrictEqual(value);
});

test.each(samples)('%s: sample %d begins with 0 and the id of the schema', (topic, _index, value) => {
  const bytes = codecs.of(topic).encode(value);
  expect(bytes[0]).toBe(0);
  expect(bytes.readInt32BE(1)).toBe(codecs.schemaIds.get(topic));
});

test('details of any form come back as they were', () => {
  const letter = { ok: false, fault: 'conflict', message: 'no' } as const;
  // JSON.parse of V8 13.6 confuses keys that are a backslash and a quote, in otherwise equal objects.
  const name = fc.string().filter((text) => !/["\\]/.test(text));
  const details = fc.dictionary(name, fc.jsonValue());
  fc.assert(
    fc.property(details, (data) => {
      const value = { request: 'r', receipts: [{ index: 0, receipt: { ...letter, data } }] };
      expect(JSON.stringify(through(eventsReceipts, value))).toBe(JSON.stringify(value));
    }),
  );
});

test('values larger than a slab come back as they were, and many small ones do not touch each other', () => {
  const saved = topicSamples['events.saved'][0] as SavedEvent;
  const values = Array.from({ length: 3_000 }, (_, n): SavedEvent => {
    const title = n % 500 === 0 ? 'ü'.repeat(1_200_000) : `title ${n}`;
    return { ...saved, event: { ...saved.event, title } };
  });
  const codec = codecs.of('events.saved');
  const written = values.map(codec.encode);
  expect(written.map((bytes) => (codec.decode(bytes) as SavedEvent).event.title)).toEqual(
    values.map(({ event }) => event.title),
  );
});

describe('what is no record of the topic is a fault of the record', () => {
  const whole = codecs.of('events.incoming').encode(topicSamples['events.incoming'][0] as never);
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('{"a":1}')],
    ['only a header', whole.subarray(0, 5)],
    ['the first half', whole.subarray(0, whole.length >> 1)],
    ['one byte too many', Buffer.concat([whole, Buffer.from([0])])],
    ['an unknown schema', Buffer.concat([Buffer.from([0, 0, 0, 99, 9]), whole.subarray(5)])],
    ['a record of another topic', codecs.of('topology.changed').encode(topicSamples['topology.changed'][0] as never)],
  ])('%s', async (_name, bytes) => {
    await expect(codecs.decode('events.incoming', bytes)).rejects.toMatchObject({ name: 'Fault', kind: 'invalid' });
  });
});

test('a kind that is not in the schema is not written', () => {
  expect(() => codecs.encode('events.incoming', { ask: { kind: 'made-up' }, receivedAt: 0 })).toThrow('made-up');
});
