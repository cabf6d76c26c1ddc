import type { Admin, ITopicConfig } from 'kafkajs';
import kafkajs from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import { pause } from '#infra/wait.ts';
import { type Topic, topics } from '#schemas/topics/topics.ts';
import { type KafkaOptions, openClient } from './client.ts';

const HOUR = 3_600_000;

/** Settings of a new topic. Times are the broker's: no client clock can hold a record back or let it expire at once. */
export const topicConfig = (topic: Topic, groupsMs: number): Record<string, string> => {
  const retention = topic.retention === 'groups' ? groupsMs : topic.retention;
  return {
    'cleanup.policy': topic.compacted ? 'compact' : 'delete',
    'retention.ms': String(retention),
    // Only closed segments expire.
    'segment.ms': String(Math.max(HOUR / 6, Math.min(24 * HOUR, Math.floor(retention / 4)))),
    'max.message.bytes': String(topic.maxMessageBytes),
    'message.timestamp.type': 'LogAppendTime',
    // Our writers compress; the broker stores records unchanged.
    'compression.type': 'producer',
  };
};

/** Settings that an existing topic must have; an operator may change its retention. */
const mustBe = ({ maxMessageBytes }: Topic) => ({
  'max.message.bytes': {
    fits: (value: string) => Number(value) >= maxMessageBytes,
    must: `at least ${maxMessageBytes}`,
  },
  'message.timestamp.type': { fits: (value: string) => value === 'LogAppendTime', must: 'LogAppendTime' },
  'cleanup.policy': { fits: (value: string) => value === 'delete', must: 'delete' },
});

/** Settings of existing topics that would lose or refuse records, one line each. */
const wrongConfig = async (admin: Admin): Promise<string[]> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((topic) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: topic.name,
      configNames: Object.keys(mustBe(topic)),
    })),
  });
  const byName = new Map(topics.map((topic) => [topic.name as string, topic]));
  return resources.flatMap(({ resourceName, configEntries }) => {
    const topic = byName.get(resourceName);
    if (topic === undefined) return [];
    return Object.entries(mustBe(topic)).flatMap(([name, { fits, must }]) => {
      const value = configEntries.find(({ configName }) => configName === name)?.configValue ?? '';
      return fits(value) ? [] : [`${name} of ${topic.name} is ${value} and must be ${must}`];
    });
  });
};

export interface TopicsOptions {
  /** Partitions of every pipeline topic. */
  readonly partitions: number;
  /** Retention of groups, ms. */
  readonly groupsMs: number;
  /** Brokers that hold each partition; fewer where there are fewer brokers. */
  readonly replicas: number;
}

export interface EnsuredTopics {
  readonly partitions: number;
  /** Topics that it made: when events.incoming is among them, positions begin a new epoch. */
  readonly created: readonly string[];
}

/** About 8 seconds: the operator who starts the service gets an error soon. */
const RETRIES = 10;

const partitionsOf = ({ partitions }: Topic, pipeline: number): number =>
  partitions === 'pipeline' ? pipeline : partitions;

/** Adds to `created` one by one: a later failure must not hide created topics. */
const createMissing = async (admin: Admin, options: TopicsOptions, created: string[]): Promise<void> => {
  const existing = new Set(await admin.listTopics());
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(options.replicas, brokers.length);
  for (const topic of topics) {
    if (existing.has(topic.name)) continue;
    const wanted: ITopicConfig = {
      topic: topic.name,
      numPartitions: partitionsOf(topic, options.partitions),
      replicationFactor,
      configEntries: Object.entries(topicConfig(topic, options.groupsMs)).map(([name, value]) => ({ name, value })),
    };
    // False: another process was faster.
    if (await admin.createTopics({ topics: [wanted], waitForLeaders: false })) created.push(topic.name);
  }
};

/** Time for the brokers to agree about topics. */
const SETTLE_MS = 10_000;
const PAUSE_MS = 100;

/** Everything that is not as it must be, one line each; undefined as long as a partition has no leader. Throws where a topic is missing. */
const complaints = async (admin: Admin, { partitions }: TopicsOptions): Promise<string[] | undefined> => {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
  if (found.some((topic) => topic.partitions.some(({ leader }) => leader < 0))) return undefined;
  const counts = new Map(found.map((topic) => [topic.name, topic.partitions.length]));
  const wrong = topics.flatMap((topic) => {
    const [is, must] = [counts.get(topic.name) ?? 0, partitionsOf(topic, partitions)];
    return is === must ? [] : [`${topic.name} has ${is} partitions and must have ${must}`];
  });
  return [...wrong, ...(await wrongConfig(admin))];
};

/**
 * Brokers learn of topics one after the other: a list may name a deleted topic, and a broker may not know a new one. So
 * all of it is repeated until it succeeds, after any failure in between.
 */
const createAndCheck = async (admin: Admin, options: TopicsOptions) => {
  const created: string[] = [];
  for (const deadline = performance.now() + SETTLE_MS; ; ) {
    try {
      await createMissing(admin, options, created);
      const wrong = await complaints(admin, options);
      if (wrong !== undefined) return { created, wrong };
      if (performance.now() > deadline)
        throw new Error(`a partition has had no leader for ${SETTLE_MS / 1_000} seconds`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(PAUSE_MS);
  }
};

/**
 * Creates missing topics and checks all. Throws an Error that names everything wrong: a tenant is in the same partition
 * of every topic, so all need equal numbers of partitions. Throws Fault `unavailable` without a broker.
 */
export const ensureTopics = async (kafka: KafkaOptions, options: TopicsOptions): Promise<EnsuredTopics> => {
  const client = openClient(kafka, RETRIES);
  const admin = client.kafka.admin();
  try {
    await admin.connect();
    const { created, wrong } = await createAndCheck(admin, options);
    if (wrong.length > 0) throw new UnfitTopics(wrong);
    return { partitions: options.partitions, created };
  } catch (cause) {
    if (cause instanceof UnfitTopics) throw cause;
    throw new Fault('unavailable', `Can't reach Kafka at ${kafka.brokers.join(', ')}: ${String(cause)}`, [], { cause });
  } finally {
    await admin.disconnect().catch(() => undefined);
    client.end();
  }
};

/** The topics do not meet the requirements of the pipeline; its message has instructions. */
export class UnfitTopics extends Error {
  constructor(wrong: readonly string[]) {
    super(
      `Incompatible topics:\n- ${wrong.join('\n- ')}\nSet FAULTLINE_PARTITIONS to the partition count of these topics, or delete all of them to start a new log.`,
    );
    this.name = 'UnfitTopics';
  }
}
