import { expect, test } from '@jest/globals';
import { openClient } from '#infra/kafka/client/client.ts';
import { ProcessorConsumer } from '#infra/kafka/consumer/consumer.ts';
import { DecodedValueCache } from '#infra/kafka/consumer/decoded-value-cache.ts';
import type { Owner } from '#infra/kafka/owner/owner.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { addresses } from './addresses.ts';

const RECORDS = 10;
const GONE = 4;

test('a processor that has read nothing yet begins at the oldest record that the log still has', async () => {
  const topic = `test-${randomIds.ulid()}`;
  const client = openClient({ brokers: addresses().brokers, clientId: 'test' });
  const [admin, producer] = [client.kafka.admin(), client.kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
  await producer.send({ topic, messages: Array.from({ length: RECORDS }, (_, n) => ({ value: String(n) })) });
  // The client learns who leads a topic that is new.
  await admin.fetchTopicOffsets(topic);
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(GONE) }] });

  const taken: number[] = [];
  const done = Promise.withResolvers<void>();
  const owner: Owner = {
    open: async () => 0,
    take: async (inputs) => {
      taken.push(...inputs.map(({ offset }) => offset));
      if (taken.at(-1) === RECORDS - 1) done.resolve();
      return { metadata: '' };
    },
    sizes: () => ({}),
  };
  const consumer = new ProcessorConsumer({
    kafka: client.kafka,
    topic: topic as TopicName,
    name: 'test',
    group: topic,
    epoch: 1,
    now: () => 0,
    codecs: { of: () => ({ knows: () => true, learn: async () => {}, decode: () => null }) as never },
    values: new DecodedValueCache([]),
    log: { info: () => {}, warn: () => {} },
    openOwner: () => owner,
  });
  await consumer.start();
  await done.promise;
  await consumer.stop();
  await admin.deleteTopics({ topics: [topic] });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  client.end();
  expect(taken).toEqual([4, 5, 6, 7, 8, 9]);
}, 60_000);
