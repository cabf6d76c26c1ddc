import type { Housekeeping } from '#domain/ports/jobs.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { Config, EngineConfig } from '#infra/config.ts';
import { openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { rememberedRecords } from '#infra/elasticsearch/remembered-records.ts';
import type { KafkaOptions } from '#infra/kafka/client/client.ts';
import { type KafkaPipeline, openKafka } from '#infra/kafka/open-kafka.ts';
import { openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { countBuffersWithHeap } from '#infra/system/buffers-in-heap.ts';
import {
  type Backend,
  type BackendCheck,
  type BackendOptions,
  picked,
  processorChecks,
  STORES,
  TOPOLOGY_READERS,
} from './backend.ts';

const DAY_MS = 24 * 3_600_000;

const login = ({ username, password }: Pick<EngineConfig, 'username' | 'password'>) =>
  username === null ? {} : { username, password: password ?? '' };

const given = <T>(name: string, value: T | null): T => {
  if (value === null) throw new Error(`FAULTLINE_MODE=distributed requires ${name}; \`npm run engines\` prints one`);
  return value;
};

/** The processors and sinks that this process runs. Throws when a name is not one of them. */
const ownOf = ({ role, processors }: Config, { pipeline, sinks }: Pick<BackendOptions, 'pipeline' | 'sinks'>) => {
  const names = [...pipeline, ...sinks].map(({ name }) => name);
  const unknown = processors?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`FAULTLINE_PROCESSORS: unknown ${unknown.join(', ')}; expected some of ${names.join(', ')}`);
  const isOwn = ({ name }: { readonly name: string }): boolean =>
    role !== 'api' && (processors === null || processors.includes(name));
  return { own: pipeline.filter(isOwn), ownSinks: sinks.filter(isOwn) };
};

/** Returns the address and login of Elasticsearch. Throws when the address is missing. */
export const elasticsearchOf = ({ elasticsearch: es }: Config) => ({
  node: given('ELASTICSEARCH_URL', es.url),
  ...(es.ca !== null && { ca: es.ca }),
  ...(es.apiKey === null ? login(es) : { apiKey: es.apiKey }),
});

/** Returns the address of Kafka, with TLS and login. Throws when the address is missing. */
export const kafkaOf = ({ kafka: { brokers, tls, mechanism, username, password } }: Config): KafkaOptions => ({
  brokers: given('KAFKA_BROKERS', brokers),
  clientId: 'faultline',
  ...(tls !== null && { ssl: Object.fromEntries(Object.entries(tls).filter(([, pem]) => pem !== null)) }),
  ...(username !== null && { sasl: { mechanism, username, password: password ?? '' } as KafkaOptions['sasl'] }),
});

const openStores = async (config: Config, { clock, deadline: { left } }: BackendOptions) => {
  const { neo4j } = config;
  const cluster = elasticsearchOf(config);
  const url = given('NEO4J_URL', neo4j.url);
  const elasticsearch = await openElasticsearch({ ...cluster, clock, left });
  try {
    const user = neo4j.username === null ? {} : { user: neo4j.username, password: neo4j.password ?? '' };
    const { bindingTimeoutMs } = neo4j;
    const topology = await openNeo4j({ url, clock, left, bindingTimeoutMs, keep: elasticsearch.keep, ...user });
    return { elasticsearch, topology };
  } catch (error) {
    await elasticsearch.close();
    throw error;
  }
};

const openPipeline = (config: Config, options: BackendOptions, stores: Awaited<ReturnType<typeof openStores>>) => {
  const { registry, partitions, retentionDays, role } = config;
  const { elasticsearch, topology } = stores;
  return openKafka({
    ...options,
    kafka: kafkaOf(config),
    registry: {
      url: given('SCHEMA_REGISTRY_URL', registry.url),
      ...(registry.username !== null && { auth: { username: registry.username, password: registry.password ?? '' } }),
    },
    partitions,
    groupsMs: retentionDays * DAY_MS,
    limitMs: config.lagLimitMinutes * 60_000,
    ...ownOf(config, options),
    answers: role !== 'worker',
    store: elasticsearch.pipeline,
    cis: topology.ports.cis,
    relationships: topology.ports.relationships,
    graph: topology.ports.graph,
    heardOfTopology(tenant) {
      topology.invalidate(tenant);
      options.heardOfTopology?.(tenant);
    },
    recheckTopology: topology.recheck,
    records: elasticsearch.records,
  });
};

/** Work of jobs inside the engines; every process may do it, and twice does no harm. */
const housekeepingOf = (
  { elasticsearch, topology }: Awaited<ReturnType<typeof openStores>>,
  pipeline: KafkaPipeline,
): Housekeeping => ({
  tidyRecords: (byTime) => elasticsearch.tidy(byTime),
  tidyTopology: () => topology.tidy(),
  deleteEvents: elasticsearch.retention(pipeline.log).purge,
  shareErrors: () => pipeline.shareErrors(),
});

const answering = (name: string, ok: boolean): BackendCheck => ({ name, ok, detail: ok ? 'reachable' : 'unreachable' });

const checksOf = async (
  { elasticsearch, topology }: Awaited<ReturnType<typeof openStores>>,
  pipeline: KafkaPipeline,
): Promise<BackendCheck[]> => {
  const [stored, drawn, reports] = await Promise.all([
    elasticsearch.ready(),
    topology.ready(),
    pipeline.operations.pipeline().catch((): null => null),
  ]);
  const error = pipeline.lastError();
  return [
    answering('elasticsearch', stored),
    answering('kafka', reports !== null),
    // Events are accepted without it, and find their CI later.
    { ...answering('neo4j', drawn), advisory: true },
    { name: 'pipeline', ok: error === null, detail: error ?? 'running' },
    ...processorChecks(reports ?? []),
  ];
};

/** Other processes drop their caches of the tenant by age, after a minute at most. */
export const tenantsIn = (...stores: readonly TenantPurge[]): TenantPurge => ({
  async purge(tenant, isStopping) {
    for (const store of stores) if (!(await store.purge(tenant, isStopping))) return false;
    return true;
  },
});

/**
 * Opens Kafka, Schema Registry, Elasticsearch and Neo4j. Throws an error with instructions when one of them is missing
 * or unfit.
 */
export const openDistributedBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  countBuffersWithHeap();
  const stores = await openStores(config, options);
  const { elasticsearch, topology } = stores;
  const closeStores = (): Promise<unknown> => Promise.all([elasticsearch.close(), topology.close()]);
  let pipeline: KafkaPipeline;
  try {
    pipeline = await openPipeline(config, options, stores);
  } catch (error) {
    await closeStores();
    throw error;
  }
  return {
    ports: {
      eventLog: pipeline.log,
      ...picked(elasticsearch, ...STORES),
      ...picked(topology.ports, ...TOPOLOGY_READERS),
      ...picked(pipeline, 'cis', 'relationships', 'operations', 'live'),
      records: rememberedRecords(elasticsearch.records),
      tenants: tenantsIn(topology.tenants, elasticsearch.tenants),
    },
    databasePath: null,
    housekeeping: housekeepingOf(stores, pipeline),
    checks: () => checksOf(stores, pipeline),
    sinks: { start: pipeline.startSinks, pause: pipeline.pauseSinks },
    measure: () => pipeline.measure(),
    idle: () => pipeline.idle(),
    async close() {
      await pipeline.close();
      await closeStores();
    },
  };
};
