import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { start } from '#app';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import { readConfig } from '#infra/config.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import { type KafkaPipeline, openKafka } from '#infra/kafka/open-kafka.ts';
import { pipeline } from '#processors/pipeline.ts';
import { topics } from '#schemas/topics/topics.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { NOON, occurs } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openTestApp } from '#test/setup/test-app.ts';
import { addresses } from './addresses.ts';
import { distributed } from './distributed.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

const PARTITIONS = 4;
const keyed = topics.filter(({ partitions }) => partitions === 'pipeline').map(({ name }) => name as string);

const client = () => new kafkajs.Kafka({ brokers: [...addresses().brokers], logLevel: kafkajs.logLevel.NOTHING });

const withAdmin = async <T>(work: (admin: kafkajs.Admin) => Promise<T>): Promise<T> => {
  const admin = client().admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

describe('the whole start', () => {
  const starting = () =>
    start(readConfig({ ...distributed.env, PORT: '0', FAULTLINE_LOG_LEVEL: 'silent' })).then(async (app) => {
      await app.stop();
      return 'it started';
    });

  test('is refused when one topic has another number of partitions, and the message names it', async () => {
    await distributed.empty();
    await withAdmin((admin) => admin.createTopics({ topics: [{ topic: 'events.saved', numPartitions: 6 }] }));
    await expect(starting()).rejects.toThrow('events.saved has 6 partitions and must have 4');
  });

  test('is refused when a log is to be read with another number than it was written with', async () => {
    const app = await openTestApp();
    await app.stop();
    await withAdmin((admin) =>
      admin.createPartitions({ topicPartitions: keyed.map((topic) => ({ topic, count: PARTITIONS + 1 })) }),
    );
    const more = readConfig({ ...distributed.env, PORT: '0', FAULTLINE_PARTITIONS: String(PARTITIONS + 1) });
    await expect(start(more)).rejects.toThrow(`over ${PARTITIONS} partitions`);
  });
});

/** Key and partition of every record of every pipeline topic, with the headers. */
const everything = async () => {
  const ends = await withAdmin((admin) =>
    Promise.all(keyed.map(async (topic) => ({ topic, ends: await admin.fetchTopicOffsets(topic) }))),
  );
  const total = ends.flatMap((one) => one.ends).reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const found: { topic: string; partition: number; key: string }[] = [];
  const done = Promise.withResolvers<void>();
  const consumer = client().consumer({ groupId: `test-${randomIds.ulid()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: keyed, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      found.push({ topic, partition, key: message.key?.toString() ?? '' });
      if (found.length === total) done.resolve();
    },
  });
  await done.promise;
  await consumer.disconnect();
  return found;
};

test("a tenant's records lie in one partition, the same in every topic", async () => {
  const app = await openTestApp();
  const tenants = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];
  for (const tenant of tenants) {
    const token = await app.tenant(tenant);
    for (const title of ['Disk full', 'PostgreSQL unreachable', 'Disk full'])
      await app.send(
        'POST',
        '/api/events/ingest',
        { source: 'test', sourceId: title, severity: 'critical', title, hostname: 'db-1' },
        { token },
      );
  }
  await app.app.idle();
  await app.stop();
  const records = await everything();
  const flow = ['events.incoming', 'events.saved', 'events.enriched', 'correlation.hits', 'correlation.changes'];
  for (const tenant of tenants) {
    const own = records.filter(({ key }) => key === tenant);
    expect([...new Set(own.map(({ topic }) => topic))].sort()).toEqual(flow.toSorted());
    expect([...new Set(own.map(({ partition }) => partition))]).toEqual([partitionOf(tenant, PARTITIONS)]);
  }
  // Progress of a strategy concerns all tenants of its partition.
  const others = records.filter(({ key }) => !tenants.includes(key));
  expect(
    others.filter(({ topic, key, partition }) => topic !== 'correlation.hits' || key !== String(partition)),
  ).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
}, 180_000);

describe('two tenants', () => {
  const MANY = 12;
  const silent: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };
  const log = { info: () => {}, warn: () => {} };
  let own: OwnElasticsearch;
  let kafka: KafkaPipeline;
  let gate = Promise.withResolvers<void>();
  /** Partitions whose pages are held up. */
  const stopped = new Set<number>();

  /** The real store, with some partitions blocked as if their work were very slow. */
  const slow = (store: PipelineStore): PipelineStore => ({
    ...store,
    async writeJournal(owner, page) {
      if (stopped.has(Number(owner.split('/').at(-1)))) await gate.promise;
      return store.writeJournal(owner, page);
    },
  });

  beforeAll(async () => {
    await distributed.empty();
    own = await ownElasticsearch();
    const { brokers, registry } = addresses();
    kafka = await openKafka({
      kafka: { brokers, clientId: 'faultline-test' },
      registry: { url: registry },
      partitions: MANY,
      groupsMs: 86_400_000,
      limitMs: 0,
      pipeline,
      own: pipeline,
      answers: true,
      sinks: [],
      ownSinks: [],
      store: slow(own.pipeline),
      ...memoryTopology().ports,
      records: own.records,
      heardOfTopology: () => undefined,
      tracing: null,
      recheckTopology: () => undefined,
      clock: setClock(NOON),
      ids: randomIds,
      metrics: silent,
      log,
    });
  }, 120_000);
  afterEach(() => {
    gate.resolve();
    gate = Promise.withResolvers();
    stopped.clear();
  });
  afterAll(async () => {
    await kafka.close();
    await own.close();
  });

  let sent = 0;
  const send = async (tenant: string): Promise<boolean> => {
    sent += 1;
    const record: Incoming = occurs({ id: `e${sent}`, hostname: tenant, title: `Disk ${sent} full`, timestamp: NOON });
    return (await kafka.log.request(tenant, [record], { timeoutMs: 50_000 })).done;
  };
  /** A tenant in each partition, and another one in the first's. */
  const inEach = Array.from({ length: MANY }, (_, partition) => {
    for (let n = 0; ; n++) if (partitionOf(`tenant-${n}`, MANY) === partition) return `tenant-${n}`;
  });
  const neighbour = (): string => {
    for (let n = 1_000; ; n++) if (partitionOf(`tenant-${n}`, MANY) === 0) return `tenant-${n}`;
  };

  test('wait for each other only in a partition that they share, however many others stand still', async () => {
    const done: string[] = [];
    for (let partition = 0; partition < MANY - 1; partition++) stopped.add(partition);
    const held = [...inEach.slice(0, MANY - 1), neighbour()];
    const waiting = held.map((tenant) => send(tenant).then(() => done.push(tenant)));
    const free = inEach.at(-1) as string;
    // Three in a row: each is fetched again, while all the others are at work.
    for (let n = 0; n < 3; n++) expect(await send(free)).toBe(true);
    expect(done).toEqual([]);
    gate.resolve();
    await Promise.all(waiting);
    expect(done.toSorted()).toEqual(held.toSorted());
  });
});
