import { expect, test } from '@jest/globals';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { Owner } from '#infra/kafka/owner/owner.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { ProcessorConsumer } from './consumer.ts';
import { DecodedValueCache } from './decoded-value-cache.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A client that has joined its group, and passes on records that the test fetches for it. */
const openClient = () => {
  let eachBatch: (payload: EachBatchPayload) => Promise<void> = async () => {};
  const resolved: string[] = [];
  const disconnecting = Promise.withResolvers<void>();
  const consumer = {
    events: { GROUP_JOIN: 'joined' },
    on: () => {},
    connect: async () => {},
    subscribe: async () => {},
    commitOffsets: async () => {},
    seek: () => {},
    pause: () => {},
    resume: () => {},
    run: async (options: { eachBatch: typeof eachBatch }) => {
      eachBatch = options.eachBatch;
    },
    disconnect: () => disconnecting.promise,
  };
  const fetched = async (...offsets: string[]): Promise<void> => {
    const messages = offsets.map((offset) => ({ offset, timestamp: '0', key: null, value: null }));
    const payload = {
      batch: { partition: 0, messages },
      resolveOffset: (offset: string) => resolved.push(offset),
      isStale: () => false,
      isRunning: () => true,
    };
    await eachBatch(payload as unknown as EachBatchPayload);
    for (let i = 0; i < 5; i++) await turn();
  };
  return { kafka: { consumer: () => consumer } as unknown as Kafka, fetched, resolved, disconnecting };
};

test('who is stopping begins nothing new: its client goes on behind records that nobody may have worked on', async () => {
  const client = openClient();
  const taken: number[] = [];
  const opening = Promise.withResolvers<void>();
  const owner: Owner = {
    open: async () => {
      await opening.promise;
      return 0;
    },
    take: async (inputs) => {
      taken.push(...inputs.map(({ offset }) => offset));
      return { metadata: '' };
    },
    sizes: () => ({}),
  };
  const consumer = new ProcessorConsumer({
    kafka: client.kafka,
    codecs: { of: () => ({}) as never },
    values: new DecodedValueCache([]),
    name: 'dedup',
    group: 'faultline.1.dedup',
    topic: eventsIncoming,
    epoch: 1,
    now: () => 0,
    log: { info: () => {}, warn: () => {} },
    openOwner: () => owner,
  });
  await consumer.start();
  await client.fetched('0', '1');
  const stopped = consumer.stop();
  await client.fetched('2', '3');
  opening.resolve();
  await client.fetched('2', '3');
  expect(taken).toEqual([]);
  expect(client.resolved).toEqual(['1']);
  client.disconnecting.resolve();
  await stopped;
});
