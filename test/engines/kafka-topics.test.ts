import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { type KafkaClient, openClient } from '#infra/kafka/client/client.ts';
import { ensureTopics, UnfitTopics } from '#infra/kafka/client/ensure-topics.ts';
import { topics } from '#schemas/topics/topics.ts';
import { deleteTopics } from '#test/setup/delete-topics.ts';
import { addresses } from './addresses.ts';

const options = { partitions: 6, groupsMs: 86_400_000, replicas: 3 };
const names = topics.map(({ name }) => name as string);
let kafka: { brokers: readonly string[]; clientId: string };
let client: KafkaClient;
let admin: Admin;

beforeAll(async () => {
  kafka = { brokers: addresses().brokers, clientId: 'faultline-test' };
  client = openClient(kafka, 10);
  admin = client.kafka.admin();
  await admin.connect();
  await deleteTopics(admin);
});
afterAll(async () => {
  await deleteTopics(admin);
  await admin.disconnect();
  client.end();
});

test('topics are created once, with their partitions and settings', async () => {
  expect(await ensureTopics(kafka, options)).toEqual({ partitions: 6, created: names });
  expect(await ensureTopics(kafka, options)).toEqual({ partitions: 6, created: [] });
  const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
  const counts = Object.fromEntries(found.map(({ name, partitions }) => [name, partitions.length]));
  expect(counts).toMatchObject({ 'events.incoming': 6, 'events.saved': 6, 'events.rejected': 6, 'events.receipts': 1 });
  const resources = [{ type: 2, name: 'correlation.hits', configNames: ['retention.ms', 'message.timestamp.type'] }];
  const { resources: described } = await admin.describeConfigs({ includeSynonyms: false, resources });
  const values = Object.fromEntries(described[0]!.configEntries.map((entry) => [entry.configName, entry.configValue]));
  expect(values).toEqual({ 'retention.ms': '86400000', 'message.timestamp.type': 'LogAppendTime' });
});

test('two processes that start together agree', async () => {
  await deleteTopics(admin);
  const results = await Promise.all([ensureTopics(kafka, options), ensureTopics(kafka, options)]);
  expect(results.flatMap(({ created }) => created).sort()).toEqual([...names].sort());
});

test('other numbers of partitions are refused, and every one is named', async () => {
  const refused = await ensureTopics(kafka, { ...options, partitions: 4 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnfitTopics);
  const { message } = refused as Error;
  expect(message).toContain('events.incoming has 6 partitions and must have 4');
  expect(message).toContain('correlation.hits has 6 partitions and must have 4');
  expect(message).not.toContain('events.receipts');
  expect(message).toContain('FAULTLINE_PARTITIONS');
});

test('one topic with more partitions than the others is refused', async () => {
  await admin.createPartitions({ topicPartitions: [{ topic: 'events.saved', count: 8 }] });
  await expect(ensureTopics(kafka, options)).rejects.toThrow('events.saved has 8 partitions and must have 6');
});

test("topics that would refuse a large request or take writers' clocks are refused", async () => {
  await deleteTopics(admin);
  await admin.createTopics({ topics: [{ topic: 'events.incoming', numPartitions: 6 }], waitForLeaders: false });
  const refused = (await ensureTopics(kafka, options).catch((error: unknown) => error)) as Error;
  expect(refused.message).toContain('max.message.bytes of events.incoming is 1048588 and must be at least 16777216');
  expect(refused.message).toContain(
    'message.timestamp.type of events.incoming is CreateTime and must be LogAppendTime',
  );
});

test('without a broker it says where it looked', async () => {
  const nowhere = { ...kafka, brokers: ['127.0.0.1:1'] };
  await expect(ensureTopics(nowhere, options)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('127.0.0.1:1'),
  });
});
