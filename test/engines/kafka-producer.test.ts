import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import { type KafkaClient, openClient } from '#infra/kafka/client/client.ts';
import { lagOf } from '#infra/kafka/client/lag.ts';
import { openConnection } from '#infra/kafka/producer/appender.ts';
import { openProducer, type Producer } from '#infra/kafka/producer/producer.ts';
import { systemClock } from '#infra/system/time.ts';
import { addresses } from './addresses.ts';

const own = `test-${process.pid}-${process.hrtime.bigint()}`;
/** Topics of this file alone, with a limit below the producer's. */
const losing = `${own}-losing`;
const kept = `${own}-kept`;
const large = `${own}-large`;
const small = `${own}-small`;
const LIMIT = 20_000;

let options: { brokers: readonly string[]; clientId: string };
let client: KafkaClient;
let kafka: Kafka;
let admin: Admin;
const producers: Producer[] = [];
let connections = 0;

const open = (): Producer => {
  const connect = () => {
    connections += 1;
    return openConnection(options);
  };
  const log = { info: () => undefined };
  const producer = openProducer({ connect, writer: 'writer-1', clock: systemClock, log });
  producers.push(producer);
  return producer;
};

beforeAll(async () => {
  options = { brokers: addresses().brokers, clientId: 'faultline-test' };
  client = openClient(options);
  kafka = client.kafka;
  admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: 'max.message.bytes', value: String(LIMIT) }];
  const limited = [losing, kept, small].map((topic) => ({ topic, numPartitions: 4, configEntries }));
  const roomy = { topic: large, numPartitions: 1, configEntries: [{ name: 'max.message.bytes', value: '16777216' }] };
  await admin.createTopics({ topics: [...limited, roomy], waitForLeaders: true });
});
afterAll(async () => {
  for (const producer of producers) await producer.close(1_000);
  await admin.deleteTopics({ topics: [losing, kept, large, small] });
  await admin.disconnect();
  client.end();
});

/** Everything of a topic, by partition, with the headers. */
const read = async (topic: string): Promise<Map<number, { text: string; serial: string; bytes: number }[]>> => {
  const ends = await admin.fetchTopicOffsets(topic);
  const left = new Map(ends.map(({ partition, high }) => [partition, Number(high)]));
  const found = new Map(
    ends.map(({ partition }) => [partition, [] as { text: string; serial: string; bytes: number }[]]),
  );
  const group = `${topic}-${process.hrtime.bigint()}`;
  const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: 50, retry: { retries: 5 } });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const done = Promise.withResolvers<void>();
  const finished = () => [...left].every(([partition, end]) => (found.get(partition)?.length ?? 0) >= end);
  if (finished()) done.resolve();
  await consumer.run({
    eachMessage: async ({ partition, message: { value, headers } }) => {
      const text = value?.subarray(0, 20).toString() ?? '';
      found.get(partition)?.push({ text, serial: String(headers?.serial), bytes: value?.length ?? 0 });
      if (finished()) done.resolve();
    },
  });
  await done.promise;
  await consumer.disconnect();
  await admin.deleteGroups([group]);
  return found;
};
const texts = (found: Awaited<ReturnType<typeof read>>, partition: number) =>
  found.get(partition)?.map(({ text }) => text) ?? [];

const record = (text: string) => ({ key: 't', value: Buffer.from(text) });
/** Random, so that compression does not make it fit. */
const noise = (bytes: number) => ({ key: 't', value: randomBytes(bytes) });

describe('a rejected append among several partitions', () => {
  test('makes kafkajs lose a record that it acknowledges: why the producer is as it is', async () => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
    await producer.connect();
    const send = (...messages: object[]) => producer.send({ topic: losing, acks: -1, messages: messages as never });
    const big = { ...noise(2 * LIMIT), partition: 0 };
    await expect(send(big, { value: 'A', partition: 1 })).rejects.toMatchObject({ type: 'MESSAGE_TOO_LARGE' });
    await send({ value: 'B', partition: 1 });
    await send({ value: 'C', partition: 1 });
    await producer.disconnect();
    expect(texts(await read(losing), 1)).toEqual(['A', 'C']);
  });

  test('costs ours nothing: what is acknowledged is there, once and in order', async () => {
    const producer = open();
    const before = connections;
    const sent: { partition: number; text: string; done: Promise<unknown> }[] = [];
    const refused: Promise<unknown>[] = [];
    for (let n = 0; n < 300; n++) {
      const partition = n % 4;
      if (n % 50 === 7) refused.push(producer.send(kept, partition, [noise(2 * LIMIT)]));
      const text = `record ${n}`;
      sent.push({ partition, text, done: producer.send(kept, partition, [record(text)]) });
      if (n % 10 === 0) await sent.at(-1)?.done;
    }
    const outcomes = await Promise.allSettled(refused);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.kind)).toEqual(
      refused.map(() => 'too-large'),
    );
    await Promise.all(sent.map(({ done }) => done));
    expect(connections).toBeGreaterThan(before);
    const found = await read(kept);
    for (const partition of [0, 1, 2, 3])
      expect(texts(found, partition)).toEqual(
        sent.filter((one) => one.partition === partition).map(({ text }) => text),
      );
  });
});

test('connections that break in the middle of appends lose and double nothing', async () => {
  const sockets: net.Socket[] = [];
  const connect = net.connect;
  const spy = jest.spyOn(net, 'connect').mockImplementation(((...given: Parameters<typeof connect>) => {
    const socket = connect(...given);
    sockets.push(socket);
    return socket;
  }) as typeof connect);
  const producer = open();
  const sent: { text: string; done: Promise<unknown> }[] = [];
  for (let n = 0; n < 200; n++) {
    const text = `record ${n}`;
    sent.push({ text, done: producer.send(small, 2, [record(text)]) });
    if (n % 7 === 0) await sent.at(-1)?.done;
    // The next append is in flight: its answer will not be read.
    if (n % 25 === 3) setImmediate(() => sockets.at(-1)?.destroy(new Error('cut')));
  }
  await Promise.all(sent.map(({ done }) => done));
  spy.mockRestore();
  expect(sockets.length).toBeGreaterThan(3);
  expect(texts(await read(small), 2)).toEqual(sent.map(({ text }) => text));
});

test('a request of 15 MiB is one append; the offset of its first record is known', async () => {
  const producer = open();
  const records = Array.from({ length: 15 }, () => noise(2 ** 20));
  expect(await producer.send(large, 0, [record('first')])).toEqual({ offset: 0 });
  expect(await producer.send(large, 0, records, { deadlineMs: 30_000 })).toEqual({ offset: 1 });
  const found = (await read(large)).get(0);
  expect(found?.map(({ serial }) => Number(serial))).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  expect(found?.at(-1)?.bytes).toBe(2 ** 20);
});

test('a broker that is away: unavailable at the deadline, and nothing hangs', async () => {
  const connect = () => openConnection({ ...options, brokers: ['127.0.0.1:1'] });
  const log = { info: () => undefined };
  const producer = openProducer({ connect, writer: 'writer-3', clock: systemClock, log });
  const sending = producer.send(small, 0, [record('a')], { deadlineMs: 300 });
  await expect(sending).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  await producer.close(100);
  await expect(producer.send(small, 0, [record('b')])).rejects.toMatchObject({ kind: 'unavailable' });
});

test('lag is what the group has not committed', async () => {
  const groupId = `${own}-group`;
  const total = (await admin.fetchTopicOffsets(kept)).reduce((sum, { high }) => sum + Number(high), 0);
  const sum = async () => (await lagOf(admin, groupId, kept)).reduce((all, { lag }) => all + lag, 0);
  expect(await sum()).toBe(total);
  await admin.setOffsets({ groupId, topic: kept, partitions: [{ partition: 1, offset: '10' }] });
  expect(await sum()).toBe(total - 10);
  expect((await lagOf(admin, groupId, kept)).map(({ partition }) => partition)).toEqual([0, 1, 2, 3]);
});

test('zstd is known to this client', () => {
  expect(kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD]).toBeDefined();
});
