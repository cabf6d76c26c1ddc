import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { EVERY_PART } from '#domain/pipeline/batch.ts';
import type { Pipeline } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { Deadline } from '#domain/ports/deadline.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { BackendPorts } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { changePublishingCis, changePublishingRelationships } from '#infra/change-publishing-topology.ts';
import { openLinks } from '#infra/event-links.ts';
import { packDecision } from './correlation/decision-row.ts';
import { groupRow } from './correlation/group-rows.ts';
import type { CorrelationTable } from './correlation/table.ts';
import { openEventLog } from './event-log.ts';
import type { EventTable } from './events/table.ts';
import { openLiveChanges } from './live/live-changes.ts';
import { measure, measureWaits } from './measure.ts';
import { openTables } from './open-tables.ts';
import { openOperations } from './operations.ts';
import { openReader, type Reader } from './reader/reader.ts';
import { openRecordStore } from './record-store.ts';
import { openDeliveryTable } from './records/delivery-table.ts';
import { openRecoveryTable } from './records/recovery-table.ts';
import type { RecordTable } from './records/table.ts';
import { type Database, MEMORY, type Opening, openDatabase } from './redo-log/database.ts';
import { openRetention, type Retention } from './retention.ts';
import { openBatchStore } from './runner/batch-store.ts';
import { Runner, type RunnerOptions } from './runner/runner.ts';
import { openSearchIndex } from './search-index.ts';
import { SinkRunner } from './sinks/sink-runner.ts';
import { openTenantPurge } from './tenant-purge.ts';
import { HISTORY_IN_MEMORY } from './topology/memory.ts';
import { openTopology } from './topology-store.ts';
import { openSnapshots } from './warmup/snapshot.ts';

/** Points are read here, lists and counts in the reader thread. */
export const openEventPorts = (database: Database, table: EventTable, reader: Reader): EventPorts => ({
  events: {
    save: (events) =>
      database.exclusive(() =>
        database.transaction(() => events.filter((event) => table.write(event, EVERY_PART)).length),
      ),
    get: async (tenant, id) => table.get(tenant, id) ?? null,
    getMany: async (tenant, ids) => table.getMany(ids.map((id) => ({ tenant, id }))),
    find: (tenant, filter, page) => reader.run('events.find', { tenant, filter, page }),
    part: (tenant, filter, page) => reader.run('events.part', { tenant, filter, page }),
  },
  sweeps: {
    unbound: (tenant, page) => reader.run('events.unbound', { tenant, page }),
    silent: (tenant, filter, page) => reader.run('events.silent', { tenant, filter, page }),
    silencers: () => reader.run('events.silencers', undefined),
    silenced: (silencer, page) => reader.run('events.silenced', { silencer, page }),
    refresh: async () => undefined,
  },
  eventCounts: {
    stats: (tenant, from, to) => reader.run('events.stats', { tenant, from, to }),
    openOn: (tenant, ciIds, statuses) => reader.run('events.open-on', { tenant, ciIds, statuses }),
    caught: (tenant, by) => reader.run('events.caught', { tenant, by }),
  },
  eventHistory: {
    history: (tenant, signatures, range) => reader.run('events.history', { tenant, signatures, ...range }),
  },
  eventAggregates: {
    aggregate: (tenant, filter, request) => reader.run('events.aggregate', { tenant, filter, request }),
  },
  eventSummaries: {
    facets: (tenant, filter) => reader.run('events.facets', { tenant, filter }),
    histogram: (tenant, filter, range) => reader.run('events.histogram', { tenant, filter, range }),
  },
});

/** Files of the directory by content. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  database: ['faultline.db'],
  wal: ['faultline.db-wal'],
  redo: ['faultline.redo', 'faultline.redo2'],
};

/** A file may appear and disappear with every checkpoint. */
const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

/** Sets the gauges of the directory and of the disk that it is on. A database in memory has neither. */
export const measureDisk = async (data: string, metrics: Metrics): Promise<void> => {
  if (data === MEMORY) return;
  for (const [file, names] of Object.entries(FILES)) {
    const sizes = await Promise.all(names.map((name) => sizeOf(join(data, name))));
    metrics.gauge(
      'faultline_database_bytes',
      { file },
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  const { bsize, blocks, bavail } = await statfs(data);
  metrics.gauge('faultline_disk_size_bytes', { disk: 'data' }, bsize * blocks);
  metrics.gauge('faultline_disk_free_bytes', { disk: 'data' }, bsize * bavail);
};

/** Points are read here, lists in the reader thread. */
export function openCorrelationStore(database: Database, table: CorrelationTable, reader: Reader): CorrelationStore {
  return {
    save: ({ enriched = [], decisions = [], groups = [] }) =>
      database.exclusive(() =>
        database.transaction(() => {
          for (const record of enriched) table.writeEnriched(record);
          for (const decision of decisions) table.writeDecision(packDecision(decision));
          for (const group of groups) table.writeGroup(group);
        }),
      ),
    group: async (tenant, idOrAlias) => table.group(tenant, idOrAlias) ?? null,
    groups: (tenant, filter, page) => reader.run('groups.find', { tenant, filter, page }),
    async decisionsOf(tenant, eventIds, limit) {
      // A caller that wants hundreds of events reads them in several queries; requests run in between.
      await setImmediate();
      return table.decisionsOf(tenant, eventIds, limit);
    },
    enriched: async (tenant, eventIds) =>
      eventIds.map((id) => table.enriched(tenant, id)).filter((record) => record !== undefined),
    enrichedBetween: (tenant, from, to, options) => reader.run('enriched.between', { tenant, from, to, ...options }),
    analyze: (tenant, range) => reader.analyze({ tenant, ...range }),
  };
}

/** Points are read here, lists in the reader thread. */
export function openGroupRows(database: Database, table: CorrelationTable, reader: Reader): GroupRows {
  // Nearly all are asked for by their own ids.
  const rowOf = (tenant: string, idOrAlias: string): ListedGroup | null => {
    const own = groupRow(database, tenant, idOrAlias);
    if (own !== null && own.group.status !== 'merged') return own;
    const group = table.group(tenant, idOrAlias);
    return group === undefined ? null : groupRow(database, tenant, group.id);
  };
  return {
    find: (tenant, filter, page) => reader.run('groups.rows', { tenant, filter, page }),
    get: async (tenant, idOrAlias) => rowOf(tenant, idOrAlias),
    getMany: async (tenant, ids) =>
      new Map(
        ids.flatMap((id) => {
          const row = rowOf(tenant, id);
          return row === null ? [] : [[id, row] as const];
        }),
      ),
    countByAge: (tenant, now) => reader.run('groups.ages', { tenant, now }),
    // A row is brought up to date with the record that was put.
    refresh: () => database.applied(),
  };
}

/** Read in the reader thread. */
export const openCorrelationHistory = (reader: Reader): CorrelationHistory => ({
  extent: (tenant, from) => reader.run('correlation.extent', { tenant, from }),
  records: (tenant, since) => reader.run('correlation.records', { tenant, ...since }),
  demanded: (tenant, after, limit) => reader.run('correlation.demanded', { tenant, after, limit }),
});

const MINUTE_MS = 60_000;
const DELIVERIES_MS = 24 * 60 * MINUTE_MS;
const RECOVERIES_MS = 60 * MINUTE_MS;

/** Returns a function that deletes answered deliveries, recoveries and records that have expired. */
const openMaintenance = (database: Database, records: RecordTable, clock: Clock): (() => Promise<void>) => {
  const deliveries = openDeliveryTable(database);
  const recoveries = openRecoveryTable(database);
  return () =>
    database.exclusive(() => {
      const now = clock.now();
      deliveries.prune(now - DELIVERIES_MS);
      recoveries.prune(now - RECOVERIES_MS);
      records.prune(now);
    });
};

export interface EmbeddedOptions {
  /** A folder, or `:memory:`. */
  readonly data: string;
  readonly pipeline: Pipeline;
  readonly sinks?: readonly Sink[];
  readonly clock: Clock;
  /** Deadline of the current request. */
  readonly deadline?: Pick<Deadline, 'left'>;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly tracing?: RunnerOptions['tracing'];
  readonly log: RunnerOptions['log'] & { warn(details: object, message: string): void };
}

/** Named in one line of the log. */
const REFUSED_SHOWN = 10;

/** Everything of embedded mode: one file, one process. */
export interface Embedded extends Omit<BackendPorts, 'eventLog'> {
  readonly log: EventLog;
  /** Path of the database; null: it is in memory. */
  readonly path: string | null;
  readonly runner: Runner;
  readonly sinks: SinkRunner;
  readonly retention: Retention;
  /** Deletes answered deliveries, recoveries and records that have expired. */
  tidy(byTime: boolean): Promise<void>;
  /** Sets the gauges; to be called before measurements are shown. */
  measure(): Promise<void>;
  /** Ends the pipeline after all accepted records, then closes the file. */
  close(): Promise<void>;
}

/** Reports the state of the file to operators. */
const troubles = ({ data, metrics, log }: Pick<EmbeddedOptions, 'data' | 'metrics' | 'log'>): Partial<Opening> => ({
  damaged: ({ lost, behind: [first, last] }, files) =>
    log.error(
      { lost, behind: { first, last }, files },
      'redo log damaged: acknowledged batches from number `lost` on are missing from the database, unless a power loss only cut off an unfinished write; the damaged files are kept as `files`',
    ),
  waited: (ms) => metrics.observe('faultline_apply_wait_seconds', {}, ms / 1_000),
  isShared: (mode) =>
    log.warn(
      { directory: data, mode: mode.toString(8) },
      'the data directory is writable by other users; run chmod go-w',
    ),
  refused: (all) => {
    metrics.count('faultline_rejected_total', { processor: 'store' }, all.length);
    const shown = all.slice(0, REFUSED_SHOWN).map(({ number, reason, text }) => ({ number, reason, text }));
    log.error({ changes: shown, count: all.length }, 'the database rejected durable changes; see the dead letters');
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
  tracing = null,
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
  const runner = new Runner({ store, pipeline, clock, metrics, tracing, log });
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
  const correlation = openCorrelationStore(database, tables.correlation, reader);
  return {
    log: eventLog,
    retention: openRetention(database, tables, eventLog, clock),
    async tidy(byTime) {
      if (byTime) await tidyTables();
      await sinkRunner.tidy(byTime);
    },
    ...openEventPorts(database, tables.events, reader),
    correlation,
    correlationHistory: openCorrelationHistory(reader),
    links: openLinks(correlation, tables.correlation.recent),
    groupRows: openGroupRows(database, tables.correlation, reader),
    ...topology.ports,
    cis: changePublishingCis(topology.ports.cis, live.tellTopology),
    relationships: changePublishingRelationships(topology.ports.relationships, live.tellTopology),
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
