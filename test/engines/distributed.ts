import kafkajs from 'kafkajs';
import { topics } from '#schemas/topics/topics.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { addresses } from './addresses.ts';

const PARTITIONS = 4;

/** A log without any records: the tests of the log leave theirs behind. */
const emptyLog = async (brokers: readonly string[]): Promise<void> => {
  const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  const existing = new Set(await admin.listTopics());
  const ours = topics.map(({ name }) => name as string).filter((name) => existing.has(name));
  if (ours.length > 0) await admin.deleteTopics({ topics: ours });
  await admin.disconnect();
};

/** The whole service on the four engines, in one process. */
export const openDistributedApp = async (): Promise<TestApp> => {
  const { brokers, registry, elasticsearch, neo4j } = addresses();
  await emptyLog(brokers);
  return openTestApp({
    FAULTLINE_MODE: 'distributed',
    FAULTLINE_PARTITIONS: String(PARTITIONS),
    KAFKA_BROKERS: brokers.join(','),
    SCHEMA_REGISTRY_URL: registry,
    ELASTICSEARCH_URL: elasticsearch,
    NEO4J_URL: neo4j,
  });
};
