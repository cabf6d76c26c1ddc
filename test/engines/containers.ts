import { randomBytes } from 'node:crypto';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { freePorts } from '#tools/engines/ports.ts';

/** The same versions as from Maven. */
const IMAGES = {
  kafka: 'apache/kafka:4.3.1',
  registry: 'apicurio/apicurio-registry:3.3.3',
  elasticsearch: 'docker.elastic.co/elasticsearch/elasticsearch:9.5.2',
  neo4j: 'neo4j:2026.08.1-community',
};
/** Pulling an image counts as starting it. */
const START_MS = 300_000;

interface Running {
  readonly container: StartedTestContainer;
  readonly address: string;
}

const at = (container: StartedTestContainer, port: number): string =>
  `${container.getHost()}:${container.getMappedPort(port)}`;

/** A broker announces its address to its clients, so its port must be known before it starts. */
const kafka = async (host: string): Promise<Running> => {
  const port = await freePorts(1, process.pid);
  const container = await new GenericContainer(IMAGES.kafka)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      CLUSTER_ID: randomBytes(16).toString('hex').slice(0, 22),
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INSIDE',
      KAFKA_LISTENERS: 'CLIENTS://:9092,CONTROLLER://:9093,INSIDE://:9094',
      KAFKA_ADVERTISED_LISTENERS: `CLIENTS://${host}:${port},INSIDE://localhost:9094`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,INSIDE:PLAINTEXT',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(START_MS)
    .start();
  return { container, address: `${host}:${port}` };
};

const registry = async (): Promise<Running> => {
  const container = await new GenericContainer(IMAGES.registry)
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080))
    .withStartupTimeout(START_MS)
    .start();
  return { container, address: `http://${at(container, 8080)}/apis/ccompat/v7` };
};

const elasticsearch = async (): Promise<Running> => {
  const container = await new GenericContainer(IMAGES.elasticsearch)
    .withExposedPorts(9200)
    .withEnvironment({
      'discovery.type': 'single-node',
      'xpack.security.enabled': 'false',
      'cluster.routing.allocation.disk.threshold_enabled': 'false',
      'action.destructive_requires_name': 'false',
      ES_JAVA_OPTS: '-Xms512m -Xmx512m',
    })
    .withWaitStrategy(Wait.forHttp('/_cluster/health?wait_for_status=yellow&timeout=1s', 9200))
    .withStartupTimeout(START_MS)
    .start();
  return { container, address: `http://${at(container, 9200)}` };
};

const neo4j = async (): Promise<Running> => {
  const container = await new GenericContainer(IMAGES.neo4j)
    .withExposedPorts(7687)
    .withEnvironment({ NEO4J_AUTH: 'none', NEO4J_server_memory_heap_max__size: '512m' })
    .withWaitStrategy(Wait.forLogMessage(/Started\./))
    .withStartupTimeout(START_MS)
    .start();
  return { container, address: `bolt://${at(container, 7687)}` };
};

/** The four engines as containers. Throws an Error when there is no Docker or an image does not start; then none runs. */
export const startContainers = async (progress: (line: string) => void) => {
  const client = await getContainerRuntimeClient();
  const running: Running[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map(({ container }) => container.stop()));
  };
  const start = async (name: keyof typeof IMAGES, open: () => Promise<Running>): Promise<string> => {
    progress(`${name}: starting ${IMAGES[name]}`);
    const started = await open();
    running.push(started);
    return started.address;
  };
  try {
    const addresses = {
      KAFKA_BROKERS: await start('kafka', () => kafka(client.info.containerRuntime.host)),
      SCHEMA_REGISTRY_URL: await start('registry', registry),
      ELASTICSEARCH_URL: await start('elasticsearch', elasticsearch),
      NEO4J_URL: await start('neo4j', neo4j),
    };
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
