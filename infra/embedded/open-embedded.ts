import type { Pipeline } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { Deadline } from '#domain/ports/deadline.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { LiveChanges } from '#domain/ports/live/live-changes.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Operations } from '#domain/ports/operations.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { announcedCis, announcedRelationships } from '#infra/announced-topology.ts';
import { openCorrelationHistory } from './correlation-history.ts';
import { openCorrelationStore } from './correlation-store.ts';
import { measureDisk } from './disk.ts';
import { openEventLog } from './event-log.ts';
import { openEventPorts } from './event-store.ts';
import { openGroupRows } from './group-rows.ts';
import { type Opening, openDatabase } from './journal/database.ts';
import { openLiveChanges } from './live/live-changes.ts';
import { openMaintenance } from './maintenance.ts';
import { measure, measureWaits } from './measure.ts';
import { openTables } from './open-tables.ts';
import { openOperations } from './operations.ts';
import { openReader } from './reader/reader.ts';
import { openRecordStore } from './record-store.ts';
import { openRetention, type Retention } from './retention.ts';
import { openBatchStore } from './runner/batch-store.ts';
import { Runner, type RunnerOptions } from './runner/runner.ts';
import { openSearchIndex } from './search-index.ts';
import { SinkRunner } from './sinks/sink-runner.ts';
import { openTenantPurge } from './tenant-purge.ts';
import { HISTORY_IN_MEMORY } from './topology/memory.ts';
import { openTopology } from './topology-store.ts';
import { openSnapshots } from './warmup/snapshot.ts';

export interface EmbeddedOptions {
  /** A folder, or `:memory:`. */
  readonly data: string;
  readonly pipeline: Pipeline;
  readonly sinks?: readonly Sink[];
  readonly clock: Clock;
  /** Tells what is asked for a request. */
  readonly deadline?: Pick<Deadline, 'left'>;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly log: RunnerOptions['log'] & { warn(details: object, message: string): void };
}

/** Named in one line of the log. */
const REFUSED_SHOWN = 10;

/** Everything of embedded mode: one file, one process. */
export interface Embedded extends EventPorts, TopologyPorts {
  readonly log: EventLog;
  readonly correlation: CorrelationStore;
  readonly correlationHistory: CorrelationHistory;
  readonly groupRows: GroupRows;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
  readonly operations: Operations;
  readonly tenants: TenantPurge;
  readonly live: LiveChanges;
  /** Of the database; null: it is in memory. */
  readonly path: string | null;
  readonly runner: Runner;
  readonly sinks: SinkRunner;
  readonly retention: Retention;
  /** Deletes answered deliveries, recoveries and records that have expired. */
  tidy(byTime: boolean): Promise<void>;
  /** Sets the gauges; to be called before measurements are shown. */
  measure(): Promise<void>;
  /** Ends the pipeline after what it has accepted, then closes the file. */
  close(): Promise<void>;
}

/** Operators are told what becomes of the file. */
const troubles = ({ data, metrics, log }: Pick<EmbeddedOptions, 'data' | 'metrics' | 'log'>): Partial<Opening> => ({
  damaged: ({ lost, behind: [first, last] }, files) =>
    log.error(
      { lost, behind: { first, last }, files },
      'the redo log is damaged: acknowledged batches from the number `lost` to the last behind it are not in the database, unless a loss of power cut one write off; its files are kept under the names in `files`',
    ),
  waited: (ms) => metrics.observe('faultline_apply_wait_seconds', {}, ms / 1_000),
  isShared: (mode) =>
    log.warn(
      { directory: data, mode: mode.toString(8) },
      'others may replace files of the data directory: chmod go-w would keep them from it',
    ),
  refused: (all) => {
    metrics.count('faultline_rejected_total', { processor: 'store' }, all.length);
    const shown = all.slice(0, REFUSED_SHOWN).map(({ number, reason, text }) => ({ number, reason, text }));
    log.error({ changes: shown, count: all.length }, 'the database refused durable changes; see the dead letters');
  },
});

/** Opens the file and refills the pipeline's memory. Throws when the directory is open elsewhere or of a newer program. */
export const openEmbedded = async ({
  data,
  pipeline,
  sinks = [],
  clock,
  deadline = { left: () => Number.POSITIVE_INFINITY },
  ids,
  metrics,
  log,
}: EmbeddedOptions): Promise<Embedded> => {
  const database = openDatabase(data, troubles({ data, metrics, log }));
  const reader = openReader(database, {
    origin: () => (deadline.left() < Number.POSITIVE_INFINITY ? 'request' : 'background'),
  });
  const tables = openTables(database, sinks);
  // Reads while the topology is loaded.
  const refills = openSnapshots(database, tables.names, clock);
  const topology = openTopology(database, tables, HISTORY_IN_MEMORY, reader);
  const live = openLiveChanges(ids);
  const store = openBatchStore(database, tables, topology.aroundNow, clock, ids, refills, live);
  const runner = new Runner({ store, pipeline, clock, metrics, log });
  const sinkRunner = new SinkRunner({
    sinks,
    database,
    records: tables.records,
    outbox: tables.outbox,
    clock,
    ids,
    metrics,
    log,
    letterKept: live.tellDeadLetter,
  });
  await runner.start();
  const tidyTables = openMaintenance(database, tables.records, clock);
  const eventLog = openEventLog(runner, database, metrics);
  return {
    log: eventLog,
    retention: openRetention(database, tables, eventLog, clock),
    async tidy(byTime) {
      if (byTime) await tidyTables();
      await sinkRunner.tidy(byTime);
    },
    ...openEventPorts(database, tables.events, reader),
    correlation: openCorrelationStore(database, tables.correlation, reader),
    correlationHistory: openCorrelationHistory(reader),
    groupRows: openGroupRows(database, tables.correlation, reader),
    ...topology.ports,
    cis: announcedCis(topology.ports.cis, live.tellTopology),
    relationships: announcedRelationships(topology.ports.relationships, live.tellTopology),
    live,
    path: database.path,
    records: openRecordStore(database, tables.records, clock),
    searchIndex: openSearchIndex(database, reader),
    operations: openOperations(runner, sinkRunner.loops),
    tenants: openTenantPurge(database, tables, topology),
    runner,
    sinks: sinkRunner,
    async measure() {
      measure(runner, sinkRunner.loops, metrics, clock.now());
      measureWaits(runner.status, database.unapplied, reader, metrics);
      await measureDisk(data, metrics);
    },
    async close() {
      live.end();
      await sinkRunner.stop();
      await runner.stop();
      await Promise.all([reader.close(), database.endWriter()]);
      database.close();
    },
  };
};
