import { expect, test } from '@jest/globals';
import type { Receipt } from '#domain/event/incoming.ts';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import type { ProducerRecord } from '#infra/kafka/producer/producer.ts';
import { writeReply } from '#infra/kafka/producer/reply.ts';
import { correlationChanges, eventsIncoming, eventsReceipts } from '#schemas/topics/topics.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { openEmitter } from './emitter.ts';
import type { Output } from './journal.ts';

const codecs = await openCodecs(openMemoryRegistry());

/** An emitter, and the records that it has sent: with their targets, in the order of the log. */
const emitterTo = () => {
  const sent: { topic: string; partition: number; records: readonly ProducerRecord[] }[] = [];
  const producer = {
    send: async (topic: string, partition: number, records: readonly ProducerRecord[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      sent.push({ topic, partition, records });
      return { offset: 0 };
    },
  } as never;
  const records = { put: async () => 1 } as never;
  return { sent, emitter: openEmitter({ producer, codecs, records, writer: '@merge' }) };
};

const receipt = (id: string): Receipt => ({ ok: true, outcome: 'created', id, count: 1, correlationId: null });

test('a request gets one record with all its answers, under the name of the process that waits', async () => {
  const { sent, emitter } = emitterTo();
  const answerTo = (process: string, request: string, index: number) => ({
    reply: writeReply({ process, request, index }),
    receipt: receipt(`${request}${index}`),
  });
  await emitter.answer([
    answerTo('p1', 'a', 0),
    answerTo('p2', 'a', 0),
    answerTo('p1', 'a', 1),
    answerTo('p1', 'b', 0),
  ]);
  const records = sent.flatMap((one) => one.records);
  expect(sent.map(({ topic, partition }) => [topic, partition])).toEqual([[eventsReceipts, 0]]);
  expect(records.map(({ key, value }) => [key, codecs.of(eventsReceipts).decode(value)])).toEqual([
    ['p1', { request: 'a', receipts: [0, 1].map((index) => ({ index, receipt: receipt(`a${index}`) })) }],
    ['p2', { request: 'a', receipts: [{ index: 0, receipt: receipt('a0') }] }],
    ['p1', { request: 'b', receipts: [{ index: 0, receipt: receipt('b0') }] }],
  ]);
  expect(await emitter.answer([])).toBeUndefined();
  expect(sent).toHaveLength(1);
});

test('one topic follows the other, and each record says who wrote it, its number and the position that caused it', async () => {
  const { sent, emitter } = emitterTo();
  const output = (topic: Output['topic'], serial: number, reply: string | null = null): Output => ({
    topic,
    serial,
    reply,
    entry: { tenant: 'acme', position: 70 + serial, value: topicSamples[topic as typeof eventsIncoming][0] },
  });
  await emitter.send(5, [output(eventsIncoming, 1), output(correlationChanges, 2, 'p/r/0'), output(eventsIncoming, 3)]);
  expect(
    sent.map(({ topic, partition, records }) => [topic, partition, records.map(({ headers }) => headers)]),
  ).toEqual([
    [eventsIncoming, 5, [1, 3].map((serial) => ({ writer: '@merge', serial: String(serial) }))],
    [correlationChanges, 5, [{ writer: '@merge', serial: '2', position: '72', reply: 'p/r/0' }]],
  ]);
});
