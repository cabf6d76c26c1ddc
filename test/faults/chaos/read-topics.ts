import type { Kafka, KafkaMessage } from 'kafkajs';
import type { TopicName } from '#schemas/topics/values.ts';
import { randomIds } from '#test/setup/random-ids.ts';

/** The records of each partition, in their order. */
export type Records = ReadonlyMap<number, readonly KafkaMessage[]>;

const READ_MS = 60_000;

/** Everything that these topics hold now. Throws an Error when it cannot be read within a minute. */
export const readTopics = async (kafka: Kafka, names: readonly TopicName[]): Promise<Map<TopicName, Records>> => {
  const admin = kafka.admin();
  await admin.connect();
  const left = new Map<string, number>();
  const found = new Map<TopicName, Map<number, KafkaMessage[]>>();
  for (const name of names) {
    found.set(name, new Map());
    for (const { partition, high } of await admin.fetchTopicOffsets(name)) {
      found.get(name)!.set(partition, []);
      if (Number(high) > 0) left.set(`${name}/${partition}`, Number(high));
    }
  }
  const groupId = `chaos.${randomIds.ulid()}`;
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
  await consumer.connect();
  await consumer.subscribe({ topics: [...names], fromBeginning: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`not read in time: ${[...left.keys()].join(', ')}`)), READ_MS);
  if (left.size === 0) resolve();
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch: { topic, partition, messages } }) => {
      found
        .get(topic as TopicName)!
        .get(partition)!
        .push(...messages);
      if (Number(messages.at(-1)?.offset ?? -1) + 1 >= (left.get(`${topic}/${partition}`) ?? 0))
        left.delete(`${topic}/${partition}`);
      if (left.size === 0) resolve();
    },
  });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined);
    await admin.disconnect();
  }
  return found;
};
