import kafkajs, { type Admin } from 'kafkajs';
import neo4j from 'neo4j-driver';
import { deleteTopics } from '#test/setup/delete-topics.ts';
import type { TestMode } from '#test/setup/test-mode.ts';
import { addresses } from './addresses.ts';
import { dropIndices } from './drop-indices.ts';

const PARTITIONS = 4;

const withAdmin = async (work: (admin: Admin) => Promise<void>): Promise<void> => {
  const { brokers } = addresses();
  const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  await work(admin);
  await admin.disconnect();
};

const deleteGroups = async (admin: Admin): Promise<void> => {
  const { groups } = await admin.listGroups();
  const read = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith('faultline.'));
  if (read.length > 0) await admin.deleteGroups(read);
};

/** The whole log is read again. */
export const rewindLog = (): Promise<void> => withAdmin(deleteGroups);

export const emptyLog = (): Promise<void> =>
  withAdmin(async (admin) => {
    await deleteTopics(admin);
    // The number of the log's epoch is deleted with the store, and the next log is read by groups of the same names.
    await deleteGroups(admin);
  });

export const emptyStore = (): Promise<void> => dropIndices('faultline');

const emptyTopology = async (): Promise<void> => {
  const driver = neo4j.driver(addresses().neo4j);
  await driver.executeQuery('MATCH (n) DETACH DELETE n');
  await driver.close();
};

/** The whole service on the four engines, in one process. They are made empty: no two files of tests may run at a time. */
export const distributed: TestMode = {
  get env() {
    const { brokers, registry, elasticsearch, neo4j: topology } = addresses();
    return {
      FAULTLINE_MODE: 'distributed',
      FAULTLINE_PARTITIONS: String(PARTITIONS),
      KAFKA_BROKERS: brokers.join(','),
      SCHEMA_REGISTRY_URL: registry,
      ELASTICSEARCH_URL: elasticsearch,
      NEO4J_URL: topology,
      // A busy machine answers late; unbound events are a test of their own.
      NEO4J_BINDING_TIMEOUT_MS: '5000',
    };
  },
  async empty() {
    await Promise.all([emptyLog(), emptyStore(), emptyTopology()]);
  },
  decidesLater: true,
};
