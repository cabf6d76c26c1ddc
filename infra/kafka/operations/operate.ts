import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Operations } from '#domain/ports/operations.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { ProcessorConsumer } from '#infra/kafka/consumer/consumer.ts';
import type { Producer } from '#infra/kafka/producer/producer.ts';
import type { Receipts } from '#infra/kafka/producer/receipts.ts';
import { type OperationsOptions, openOperations } from './operations.ts';
import { openSharedErrors } from './shared-errors.ts';

interface MeasureParts {
  readonly metrics: Metrics;
  readonly operations: Pick<Operations, 'pipeline'>;
  readonly consumers: readonly ProcessorConsumer[];
  readonly producer: Pick<Producer, 'waiting'>;
  readonly receipts: Pick<Receipts, 'waiting'>;
}

/** Sets sizes over the partitions of this process; revoked ones are 0. */
const measureSizes = (metrics: Metrics, consumers: readonly ProcessorConsumer[], shown: Map<string, Set<string>>) => {
  for (const consumer of consumers) {
    const { name: processor } = consumer.status;
    const sizes = consumer.sizes();
    const known = shown.get(processor) ?? new Set<string>();
    shown.set(processor, known);
    for (const what of Object.keys(sizes)) known.add(what);
    for (const what of known) metrics.gauge('faultline_state_size', { processor, what }, sizes[what] ?? 0);
    if (known.has('open_groups')) metrics.gauge('faultline_groups_open', {}, sizes.open_groups ?? 0);
  }
};

/** Measurements of all processors in every process. Without the log the last numbers stay. */
const measureLag = async (metrics: Metrics, operations: Pick<Operations, 'pipeline'>): Promise<void> => {
  const reports = await operations.pipeline().catch(() => []);
  for (const { name: processor, members, partitions } of reports) {
    const lags = partitions.map(({ lag }) => lag);
    metrics.gauge(
      'faultline_processor_lag',
      { processor },
      lags.reduce((sum, lag) => sum + lag, 0),
    );
    metrics.gauge('faultline_partition_lag_max', { processor }, Math.max(0, ...lags));
    const waiting = Math.max(0, ...partitions.map(({ waitingMs = 0 }) => waitingMs));
    metrics.gauge('faultline_partition_waiting_seconds_max', { processor }, waiting / 1000);
    metrics.gauge('faultline_processor_members', { processor }, members.length);
  }
};

/** Sets the gauges at the time of the call. */
export const openMeasure = ({ metrics, operations, consumers, producer, receipts }: MeasureParts) => {
  const shown = new Map<string, Set<string>>();
  return async (): Promise<void> => {
    metrics.gauge('faultline_queue_depth', {}, producer.waiting());
    metrics.gauge('faultline_receipts_waiting', {}, receipts.waiting());
    measureSizes(metrics, consumers, shown);
    await measureLag(metrics, operations);
  };
};

export interface OperatingOptions extends Omit<OperationsOptions, 'errors'>, Omit<MeasureParts, 'operations'> {
  readonly records: RecordStore;
  /** Names this start of the process. */
  readonly process: string;
  readonly clock: Clock;
}

/** Operator view of the pipeline; publishes this process's errors to the others. */
export const openOperating = (options: OperatingOptions) => {
  const { records, process, clock, consumers } = options;
  const errors = openSharedErrors(records, process, clock);
  const operations = openOperations({ ...options, errors });
  return {
    operations: operations satisfies Operations,
    measure: openMeasure({ ...options, operations }),
    /** Must be called every few seconds. */
    shareErrors: () => errors.tell(consumers.map((consumer) => consumer.status)),
  };
};
