import type { Kafka, KafkaMessage } from 'kafkajs';
import type { TopicName } from '#schemas/topics/values.ts';

export interface BroadcastOptions {
  readonly kafka: Kafka;
  readonly topic: TopicName;
  /** Group of this process alone; it is removed when the process ends. */
  readonly group: string;
  take(message: KafkaMessage): Promise<void>;
  /** Called whenever reading begins at the end of the topic: at the start, and after this process was away. */
  begun?(): void;
}

const START_MS = 30_000;
/** Consumers that read at the end of a topic. */
export const CONSUMER = {
  sessionTimeout: 10_000,
  heartbeatInterval: 1_000,
  maxWaitTimeInMs: 250,
  allowAutoTopicCreation: false,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 1_000 },
};

/** Reads records for every process as they arrive. Resolves after the first fetch: from then on nothing is missed. */
export const openBroadcast = async (options: BroadcastOptions): Promise<{ close(): Promise<void> }> => {
  const { kafka, topic, group, take, begun } = options;
  const consumer = kafka.consumer({ groupId: group, ...CONSUMER });
  const first = Promise.withResolvers<void>();
  const late = (): void => first.reject(new Error(`Timed out reading ${topic} from the log`));
  const timer = setTimeout(late, START_MS);
  let isNew = true;
  consumer.on(consumer.events.GROUP_JOIN, () => {
    isNew = true;
  });
  consumer.on(consumer.events.FETCH, () => {
    if (!isNew) return;
    isNew = false;
    clearTimeout(timer);
    first.resolve();
    begun?.();
  });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: false });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      for (const message of batch.messages) await take(message);
    },
  });
  await first.promise;
  return {
    async close() {
      await consumer.disconnect();
      const admin = kafka.admin();
      await admin.connect();
      await admin.deleteGroups([group]).catch(() => undefined);
      await admin.disconnect();
    },
  };
};
