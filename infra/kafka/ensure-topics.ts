import type { Admin, ITopicConfig } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import { type Topic, topics } from '#schemas/topics/topics.ts';
import { type KafkaOptions, openClient } from './client.ts';
import { topicConfig, wrongConfig } from './topic-config.ts';

export interface TopicsOptions {
  /** Of every pipeline topic. */
  readonly partitions: number;
  /** How long groups are kept, ms. */
  readonly groupsMs: number;
  /** Brokers that hold each partition; fewer where there are fewer brokers. */
  readonly replicas: number;
}

export interface EnsuredTopics {
  readonly partitions: number;
  /** What was not there: when events.incoming is among them, positions begin a new epoch. */
  readonly created: readonly string[];
}

/** About 8 seconds: whoever starts the service is told soon. */
const RETRIES = 10;

export const partitionsOf = ({ partitions }: Topic, pipeline: number): number =>
  partitions === 'pipeline' ? pipeline : partitions;

const createMissing = async (admin: Admin, options: TopicsOptions): Promise<string[]> => {
  const existing = new Set(await admin.listTopics());
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(options.replicas, brokers.length);
  const created: string[] = [];
  for (const topic of topics) {
    if (existing.has(topic.name)) continue;
    const wanted: ITopicConfig = {
      ...{ topic: topic.name, numPartitions: partitionsOf(topic, options.partitions), replicationFactor },
      configEntries: Object.entries(topicConfig(topic, options.groupsMs)).map(([name, value]) => ({ name, value })),
    };
    // False: another process was faster.
    if (await admin.createTopics({ topics: [wanted], waitForLeaders: false })) created.push(topic.name);
  }
  return created;
};

const LEADER_TRIES = 100;
const LEADER_PAUSE_MS = 100;

/** Partitions of each topic, as soon as all have a leader: brokers learn of new topics one after the other. */
const partitionCounts = async (admin: Admin, left = LEADER_TRIES): Promise<Map<string, number>> => {
  const names = topics.map(({ name }) => name);
  const reply = await admin.fetchTopicMetadata({ topics: names }).catch((error: { type?: string }) => error);
  if (!('topics' in reply) && reply.type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw reply;
  const found = 'topics' in reply ? reply.topics : [];
  const led =
    found.length === names.length && found.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  if (led || left === 0) return new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  await new Promise((resolve) => setTimeout(resolve, LEADER_PAUSE_MS));
  return partitionCounts(admin, left - 1);
};

/** Everything that is not as it must be, one line each. */
const complaints = async (admin: Admin, { partitions }: TopicsOptions): Promise<string[]> => {
  const counts = await partitionCounts(admin);
  const wrong = topics.flatMap((topic) => {
    const [is, must] = [counts.get(topic.name) ?? 0, partitionsOf(topic, partitions)];
    return is === must ? [] : [`${topic.name} has ${is} partitions and must have ${must}`];
  });
  return [...wrong, ...(await wrongConfig(admin))];
};

/**
 * Creates the topics that are missing and checks all of them. Throws an Error that names everything that is wrong: a tenant has to lie
 * in the same partition of every topic, so they must have equal numbers of partitions. Throws Fault `unavailable` without a broker.
 */
export const ensureTopics = async (kafka: KafkaOptions, options: TopicsOptions): Promise<EnsuredTopics> => {
  const client = openClient(kafka, RETRIES);
  const admin = client.kafka.admin();
  try {
    await admin.connect();
    const created = await createMissing(admin, options);
    const wrong = await complaints(admin, options);
    if (wrong.length > 0) throw new UnfitTopics(wrong);
    return { partitions: options.partitions, created };
  } catch (cause) {
    if (cause instanceof UnfitTopics) throw cause;
    throw new Fault('unavailable', `Kafka at ${kafka.brokers.join(', ')} does not answer: ${String(cause)}`, [], {
      cause,
    });
  } finally {
    await admin.disconnect().catch(() => undefined);
    client.end();
  }
};

/** The topics are not as the pipeline needs them; its message says what to do. */
export class UnfitTopics extends Error {
  constructor(wrong: readonly string[]) {
    super(
      `The topics do not fit:\n- ${wrong.join('\n- ')}\nSet FAULTLINE_PARTITIONS to the number that they all have, or delete them all to begin a new log.`,
    );
    this.name = 'UnfitTopics';
  }
}
