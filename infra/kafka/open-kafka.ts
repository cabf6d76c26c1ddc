import type { Clock } from '#domain/ports/clock.ts';
import type { EventLog, ProcessorStatus } from '#domain/ports/event-log.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Operations } from '#domain/ports/operations.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { AnyProcessor, Pipeline } from '#domain/ports/processor.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { openConnection } from './appender.ts';
import { type KafkaOptions, openClient } from './client.ts';
import { type Codecs, openCodecs } from './codecs.ts';
import { type ConsumerOptions, ProcessorConsumer } from './consumer.ts';
import { ensureTopics } from './ensure-topics.ts';
import { openEpoch } from './epoch.ts';
import { openEventLog } from './event-log.ts';
import { FoldOwner } from './fold-owner.ts';
import { JoinOwner } from './join-owner.ts';
import { lagOf } from './lag.ts';
import { openMeasure } from './measure.ts';
import { openOperations } from './operations.ts';
import { openOutlet } from './outlet.ts';
import type { Owner } from './owner.ts';
import { partitionOf } from './partition.ts';
import { openProducer, type Producer } from './producer.ts';
import { writerOf } from './read-numbers.ts';
import { openReceipts, type Receipts } from './receipts.ts';
import { openRegistry, type RegistryOptions } from './registry.ts';
import { openSharedErrors } from './shared-errors.ts';
import { announced, openHearing, openTelling } from './topology-changes.ts';

export interface KafkaPipelineOptions {
  readonly kafka: KafkaOptions;
  readonly registry: RegistryOptions;
  /** Of every pipeline topic. */
  readonly partitions: number;
  /** How long groups are kept, ms. */
  readonly groupsMs: number;
  /** All processors, and those of them that this process runs. */
  readonly pipeline: Pipeline;
  readonly own: Pipeline;
  /** Whether this process takes requests. */
  readonly answers: boolean;
  readonly store: PipelineStore;
  readonly topology: TopologyStore;
  /** Another process has changed the topology of a tenant; null: anybody's may have changed. */
  heardOfTopology(tenant: string | null): void;
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly log: ConsumerOptions['log'];
}

export interface KafkaPipeline {
  readonly log: EventLog;
  /** As given, and every change is told to the other processes. */
  readonly topology: TopologyStore;
  readonly operations: Operations;
  /** Of every processor, whoever runs it. */
  status(): Promise<readonly ProcessorStatus[]>;
  /** Of those that run here; null when all is well. */
  lastError(): string | null;
  /** Sets the gauges; to be called before measurements are shown. */
  measure(): Promise<void>;
  /** Resolves when nothing is left to read. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const GROUP = 'faultline';
/** With a new epoch every group begins at the start of its topic. */
const groupOf = ({ name }: AnyProcessor, epoch: number): string => `${GROUP}.${epoch}.${name}`;
const CLOSE_MS = 5_000;
const REPLICAS = 3;
/** Between two times that errors of this process are told to the others. */
const TELL_MS = 5_000;

interface Opened {
  readonly options: KafkaPipelineOptions;
  readonly client: ReturnType<typeof openClient>;
  readonly admin: ReturnType<ReturnType<typeof openClient>['kafka']['admin']>;
  readonly codecs: Codecs;
  readonly producer: Producer;
  readonly epoch: number;
}

const ownerOf = (opened: Opened, processor: AnyProcessor, partition: number): Owner => {
  const { options, admin, codecs, producer, epoch } = opened;
  const { store, topology, records, clock, metrics, partitions } = options;
  const outlet = openOutlet({ producer, codecs, records, writer: writerOf(processor.name) });
  const mine = (tenant: string): boolean => partitionOf(tenant, partitions) === partition;
  const common = { partition, store, outlet, clock, metrics, mine };
  if (processor.kind === 'fold')
    return new FoldOwner({ ...common, epoch, fold: processor, sources: { topology, records } });
  const committed = async (): Promise<string | null> => {
    const [found] = await admin.fetchOffsets({ groupId: groupOf(processor, epoch), topics: [processor.input] });
    const own = found?.partitions.find((one) => one.partition === partition);
    return own === undefined || Number(own.offset) < 0 ? null : (own.metadata ?? null);
  };
  return new JoinOwner({ ...common, join: processor, committed });
};

const consumerOf = (opened: Opened, processor: AnyProcessor): ProcessorConsumer =>
  new ProcessorConsumer({
    ...{ kafka: opened.client.kafka, codecs: opened.codecs, epoch: opened.epoch, log: opened.options.log },
    now: opened.options.clock.now,
    ...{ name: processor.name, group: groupOf(processor, opened.epoch), topic: processor.input as TopicName },
    openOwner: (partition) => ownerOf(opened, processor, partition),
  });

const statusOf = async ({ options, admin, epoch }: Opened, consumers: readonly ProcessorConsumer[]) => {
  const errors = new Map(consumers.map(({ status }) => [status.name, status.lastError]));
  return Promise.all(
    options.pipeline.map(async (processor): Promise<ProcessorStatus> => {
      const lags = await lagOf(admin, groupOf(processor, epoch), processor.input);
      const sum = (of: (lag: (typeof lags)[number]) => number): number =>
        lags.reduce((total, lag) => total + of(lag), 0);
      const { name } = processor;
      return {
        name,
        position: sum((lag) => lag.committed),
        lag: sum((lag) => lag.lag),
        lastError: errors.get(name) ?? null,
      };
    }),
  );
};

const POLL_MS = 50;

/** How far every processor is, when none has anything left to read. */
const quietAt = async (opened: Opened): Promise<string | null> => {
  const stages = await statusOf(opened, []);
  return stages.every(({ lag }) => lag === 0) ? stages.map(({ position }) => position).join() : null;
};

/** Quiet twice at the same positions: in between nothing was under way, since what is emitted is in the log before the commit. */
const untilIdle = async (opened: Opened): Promise<void> => {
  for (let before: string | null = null; ; ) {
    const now = await quietAt(opened);
    if (now !== null && now === before) return;
    before = now;
    if (now === null) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const noReceipts: Receipts = {
  expect: () => {
    throw new Error('This process takes no requests');
  },
  waiting: () => 0,
  close: async () => {},
};

/** The pipeline on Kafka: topics made or checked, schemas registered, consumers of this process running. */
export const openKafka = async (options: KafkaPipelineOptions): Promise<KafkaPipeline> => {
  const { clock, ids, partitions, log } = options;
  const codecs = await openCodecs(openRegistry(options.registry));
  const topics = await ensureTopics(options.kafka, { partitions, groupsMs: options.groupsMs, replicas: REPLICAS });
  const epoch = await openEpoch(options.records, topics);
  const writer = ids.ulid().slice(-8);
  const client = openClient({ ...options.kafka, clientId: `${options.kafka.clientId}-${writer}` });
  const admin = client.kafka.admin();
  await admin.connect();
  const retried = (): void => options.metrics.count('faultline_producer_retries_total');
  const producer = openProducer({ connect: () => openConnection(options.kafka), writer, clock, log, retried });
  const opened: Opened = { options, client, admin, codecs, producer, epoch };
  const group = `${GROUP}.receipts.${writer}`;
  const told = { kafka: client.kafka, codecs, writer, group: `${GROUP}.topology.${writer}` };
  const [receipts, hearing] = await Promise.all([
    options.answers ? openReceipts({ kafka: client.kafka, codecs, process: writer, group }) : noReceipts,
    openHearing({ ...told, heard: options.heardOfTopology }),
  ]);
  const consumers = options.own.map((processor) => consumerOf(opened, processor));
  await Promise.all(consumers.map((consumer) => consumer.start()));
  const status = () => statusOf(opened, consumers);
  const { metrics } = options;
  const errors = openSharedErrors(options.records, writer, clock);
  const telling = setInterval(() => {
    // Told again in a moment.
    errors.tell(consumers.map((consumer) => consumer.status)).catch(() => undefined);
  }, TELL_MS).unref();
  const processors = options.pipeline.map((processor) => ({
    ...{ name: processor.name, input: processor.input, group: groupOf(processor, epoch) },
  }));
  const { registry } = options;
  const operations = openOperations({ admin, codecs, registry, partitions, processors, errors });
  return {
    log: openEventLog({ producer, codecs, partitions, receipts, metrics, status }),
    topology: announced(options.topology, openTelling({ producer, codecs, partitions, metrics, log })),
    operations,
    measure: openMeasure({ metrics, operations, consumers, producer, receipts }),
    status,
    lastError: () => consumers.map((consumer) => consumer.status.lastError).find((error) => error !== null) ?? null,
    idle: () => untilIdle(opened),
    async close() {
      clearInterval(telling);
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await Promise.all([receipts.close(), hearing.close()]);
      await producer.close(CLOSE_MS);
      await admin.disconnect();
      client.end();
    },
  };
};
