import { lastItem } from '#domain/assert.ts';
import type { AnyProcessor, Pipeline } from '#domain/pipeline/processor.ts';
import type { Pauses } from '#domain/pipeline/sinks.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { LiveChanges } from '#domain/ports/live/live-changes.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Operations } from '#domain/ports/operations.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { GraphQueries } from '#domain/ports/topology/graph-queries.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import {
  changePublishingCis,
  changePublishingRelationships,
  type PublishChange,
} from '#infra/change-publishing-topology.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { type KafkaOptions, openClient } from './client/client.ts';
import { ensureTopics } from './client/ensure-topics.ts';
import { openEpoch } from './client/epoch.ts';
import { partitionOf } from './client/partition.ts';
import { type Codecs, openCodecs } from './codec/codecs.ts';
import { openRegistry, type RegistryOptions } from './codec/registry.ts';
import { type ConsumerOptions, ProcessorConsumer } from './consumer/consumer.ts';
import { DecodedValueCache } from './consumer/decoded-value-cache.ts';
import { openLiveChanges } from './live/live-changes.ts';
import { untilIdle } from './operations/idle-consumers.ts';
import { type OperatingOptions, openOperating } from './operations/operate.ts';
import { committedOf } from './owner/committed.ts';
import { openEmitter } from './owner/emitter.ts';
import { type EventCache, openEventCache } from './owner/event-cache.ts';
import { FoldOwner } from './owner/fold-owner.ts';
import { JoinOwner } from './owner/join-owner.ts';
import type { Owner } from './owner/owner.ts';
import { writerOf } from './owner/sequence-filter.ts';
import { tracedOwner } from './owner/traced-owner.ts';
import { openConnection } from './producer/appender.ts';
import { openEventLog } from './producer/event-log.ts';
import { openLagGate } from './producer/lag-gate.ts';
import { openProducer, type Producer } from './producer/producer.ts';
import { openReceipts, type Receipts } from './producer/receipts.ts';
import { openHearing, openTelling } from './producer/topology-changes.ts';
import { sinkOwners } from './sink-owners.ts';

export interface KafkaPipelineOptions {
  readonly kafka: KafkaOptions;
  readonly registry: RegistryOptions;
  /** Partitions of every pipeline topic. */
  readonly partitions: number;
  /** Retention of groups, ms. */
  readonly groupsMs: number;
  /** Maximum lag of grouping before new events are rejected, ms; 0: no limit. */
  readonly limitMs: number;
  /** All processors, and those of them that this process runs. */
  readonly pipeline: Pipeline;
  readonly own: Pipeline;
  /** All sinks, and those of them that this process runs. */
  readonly sinks: readonly Sink[];
  readonly ownSinks: readonly Sink[];
  /** True if this process serves requests. */
  readonly answers: boolean;
  readonly store: PipelineStore;
  readonly cis: CiStore;
  readonly relationships: RelationshipStore;
  readonly graph: GraphQueries;
  /** Another process has changed the topology of a tenant; null: any tenant's may have changed. */
  heardOfTopology(tenant: string | null): void;
  /** The next answer about the topology around a CI of the tenant is to be as of now. */
  recheckTopology(tenant: string): void;
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  readonly log: ConsumerOptions['log'];
}

export interface KafkaPipeline {
  readonly log: EventLog;
  /** The given store, with every change published to the other processes. */
  readonly cis: CiStore;
  readonly relationships: RelationshipStore;
  readonly operations: Operations;
  readonly live: LiveChanges;
  /** Sinks of this process run from now on until `close`. */
  startSinks(ports: Ports): Promise<void>;
  /** Pauses these sinks where they run, and no others. */
  pauseSinks(pauses: Pauses): void;
  /** Returns the last error of the local processors; null when all is well. */
  lastError(): string | null;
  /** Sets the gauges; to be called before measurements are shown. */
  measure(): Promise<void>;
  /** Stores the current errors of this process's processors, for other processes to show. To be called every few seconds. */
  shareErrors(): Promise<void>;
  /** Resolves when nothing is left to read. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const GROUP = 'faultline';
/** A processor or a sink. */
type Consumer = Pick<AnyProcessor, 'name' | 'input'>;
/** Every group begins at the start of its topic with a new epoch. */
export const groupOf = ({ name }: Pick<AnyProcessor, 'name'>, epoch: number): string => `${GROUP}.${epoch}.${name}`;
const CLOSE_MS = 5_000;
/** Records that a sink filters together: about one in ten concerns it. */
const SINK_RECORDS = 4_000;
const REPLICAS = 3;

interface Opened {
  readonly options: KafkaPipelineOptions;
  readonly client: ReturnType<typeof openClient>;
  readonly admin: ReturnType<ReturnType<typeof openClient>['kafka']['admin']>;
  readonly codecs: Codecs;
  readonly producer: Producer;
  readonly saved: EventCache;
  readonly epoch: number;
  /** Name of this process. */
  readonly writer: string;
}

const committedBy = ({ admin, epoch }: Opened, reading: Consumer, partition: number): ReturnType<typeof committedOf> =>
  committedOf(admin, { group: groupOf(reading, epoch), topic: reading.input }, partition);

const ownerOf = (opened: Opened, processor: AnyProcessor, partition: number): Owner => {
  const { options, codecs, producer, saved, epoch } = opened;
  const { store, graph, records, recheckTopology, clock, metrics, tracing, partitions } = options;
  const emitter = openEmitter({ producer, codecs, records, writer: writerOf(processor.name), tracing });
  const mine = (tenant: string): boolean => partitionOf(tenant, partitions) === partition;
  const common = { partition, store, emitter, clock, metrics, mine };
  if (processor.kind === 'fold')
    return new FoldOwner({ ...common, epoch, fold: processor, saved, sources: { graph, records, recheckTopology } });
  return new JoinOwner({ ...common, join: processor, committed: () => committedBy(opened, processor, partition) });
};

const consumerOf = (
  opened: Opened,
  values: DecodedValueCache,
  processor: Consumer,
  { openOwner, ...rest }: Pick<ConsumerOptions, 'openOwner' | 'notesFetches' | 'atOnce'>,
): ProcessorConsumer => {
  const { tracing } = opened.options;
  // Sinks have spans of their own in both modes.
  const span = 'kind' in processor && processor.kind === 'sink' ? null : processor.name;
  return new ProcessorConsumer({
    kafka: opened.client.kafka,
    codecs: opened.codecs,
    values,
    epoch: opened.epoch,
    log: opened.options.log,
    now: opened.options.clock.now,
    name: processor.name,
    group: groupOf(processor, opened.epoch),
    topic: processor.input as TopicName,
    openOwner: (partition) => {
      const owner = openOwner(partition);
      return tracing === null ? owner : tracedOwner(owner, span, tracing);
    },
    ...rest,
  });
};

const sinkConsumer = (
  opened: Opened,
  values: DecodedValueCache,
  sink: KafkaPipelineOptions['ownSinks'][number],
  use: {
    readonly ports: Ports;
    readonly operations: Operations;
    isPaused(name: string): boolean;
    isHurried(): boolean;
  },
): ProcessorConsumer => {
  const { producer, codecs, options } = opened;
  const { clock, metrics, records } = options;
  const openOwner = sinkOwners(sink, {
    open: sink.open(use.ports),
    operations: use.operations,
    clock,
    metrics,
    emitter: openEmitter({ producer, codecs, records, writer: writerOf(sink.name) }),
    committed: (partition) => committedBy(opened, sink, partition),
    isPaused: () => use.isPaused(sink.name),
    isHurried: use.isHurried,
  });
  return consumerOf(opened, values, sink, { openOwner, notesFetches: true, atOnce: SINK_RECORDS });
};

const processorsOf = ({ pipeline, sinks }: KafkaPipelineOptions, epoch: number) =>
  [...pipeline, ...sinks].map((processor) => ({
    name: processor.name,
    kind: processor.kind,
    input: processor.input,
    group: groupOf(processor, epoch),
  }));

const noReceipts: Receipts = {
  expect: () => {
    throw new Error("This process doesn't serve requests");
  },
  waiting: () => 0,
  close: async () => {},
};

const connect = async ({ kafka, metrics, clock, log }: KafkaPipelineOptions, writer: string) => {
  const client = openClient({ ...kafka, clientId: `${kafka.clientId}-${writer}` });
  const admin = client.kafka.admin();
  await admin.connect();
  const retried = (): void => metrics.count('faultline_producer_retries_total');
  const producer = openProducer({ connect: () => openConnection(kafka), writer, clock, log, retried });
  return { client, admin, producer };
};

const open = async (options: KafkaPipelineOptions): Promise<Opened> => {
  const { kafka, registry, partitions, groupsMs, records, ids } = options;
  const codecs = await openCodecs(openRegistry(registry));
  const topics = await ensureTopics(kafka, { partitions, groupsMs, replicas: REPLICAS });
  const epoch = await openEpoch(records, topics);
  const writer = ids.ulid().slice(-8);
  return { options, ...(await connect(options, writer)), codecs, saved: openEventCache(), epoch, writer };
};

type Operated = Pick<OperatingOptions, 'processors' | 'consumers' | 'receipts' | 'pauses'>;

const operatingOf = ({ options, admin, codecs, producer, writer }: Opened, operated: Operated) => {
  const { registry, partitions, records, clock, metrics, store } = options;
  const own = { admin, codecs, registry, partitions, records, process: writer, clock, metrics, producer, store };
  return openOperating({ ...own, ...operated });
};

const liveOf = ({ options, client, admin, codecs, epoch, writer }: Opened, tellTopology: PublishChange) => {
  const { partitions, log } = options;
  const group = `${GROUP}.live.${writer}`;
  return openLiveChanges({ kafka: client.kafka, admin, codecs, partitions, epoch, log, tellTopology, group });
};

/** The pipeline on Kafka: topics made or checked, schemas registered, consumers of this process running. */
export const openKafka = async (options: KafkaPipelineOptions): Promise<KafkaPipeline> => {
  const { metrics, partitions, log } = options;
  const opened = await open(options);
  const { client, admin, codecs, producer, epoch, writer } = opened;
  const group = `${GROUP}.receipts.${writer}`;
  const told = { kafka: client.kafka, codecs, writer, group: `${GROUP}.topology.${writer}` };
  const [receipts, hearing] = await Promise.all([
    options.answers ? openReceipts({ kafka: client.kafka, codecs, process: writer, group }) : noReceipts,
    openHearing({ ...told, heard: options.heardOfTopology }),
  ]);
  const values = new DecodedValueCache([...options.own, ...options.ownSinks].map(({ input }) => input));
  const consumers = options.own.map((processor) =>
    consumerOf(opened, values, processor, { openOwner: (partition) => ownerOf(opened, processor, partition) }),
  );
  await Promise.all(consumers.map((consumer) => consumer.start()));
  const processors = processorsOf(options, epoch);
  const pauses: { current: Pauses } = { current: new Map() };
  let idleCallers = 0;
  const { operations, measure, shareErrors } = operatingOf(opened, {
    processors,
    consumers,
    receipts,
    pauses: () => pauses.current,
  });
  const { limitMs } = options;
  const gate = openLagGate({ pipeline: operations.pipeline, processor: lastItem(options.pipeline).name, limitMs });
  const tell = openTelling({ producer, codecs, partitions, metrics, log });
  const live = liveOf(opened, tell);
  return {
    live,
    log: openEventLog({ producer, codecs, partitions, receipts, metrics, gate, tracing: options.tracing }),
    cis: changePublishingCis(options.cis, tell),
    relationships: changePublishingRelationships(options.relationships, tell),
    operations,
    async startSinks(ports) {
      const isPaused = (name: string): boolean => pauses.current.has(name);
      const started = options.ownSinks.map((sink) =>
        sinkConsumer(opened, values, sink, { ports, operations, isPaused, isHurried: () => idleCallers > 0 }),
      );
      consumers.push(...started);
      await Promise.all(started.map((consumer) => consumer.start()));
    },
    pauseSinks(current) {
      pauses.current = current;
    },
    measure,
    shareErrors,
    lastError: () => consumers.map((consumer) => consumer.status.lastError).find((error) => error !== null) ?? null,
    async idle() {
      idleCallers += 1;
      try {
        await untilIdle(admin, processors, (group, partition) =>
          consumers.some((consumer) => consumer.status.group === group && consumer.isWaiting(partition)),
        );
      } finally {
        idleCallers -= 1;
      }
    },
    async close() {
      gate.close();
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await Promise.all([receipts.close(), hearing.close(), live.close()]);
      await producer.close(CLOSE_MS);
      await admin.disconnect();
      client.end();
    },
  };
};
