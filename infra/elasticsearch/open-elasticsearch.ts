import type { Clock } from '#domain/ports/clock.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { BulkWriter } from './cluster/bulk.ts';
import { awaitReady, isReady, prepare } from './cluster/check.ts';
import { type ClusterConnectionOptions, Connection } from './cluster/connection.ts';
import { dropAll } from './cluster/drop-all.ts';
import { Indices } from './cluster/indices.ts';
import { Names } from './cluster/names.ts';
import type { Store } from './cluster/store.ts';
import { openCorrelationHistory } from './correlation-history.ts';
import { openCorrelationStore } from './correlation-store.ts';
import { keepRecords, settleRecords } from './documents/owed-records.ts';
import { openEventPorts } from './event-store.ts';
import { openGroupRows } from './group-rows.ts';
import { openPipelineStore } from './pipeline/pipeline-store.ts';
import { forgetOld } from './prune.ts';
import { openRecordStore } from './record-store.ts';
import { type IndexRetention, openRetention } from './retention.ts';
import { openSearchIndex } from './search/search-index.ts';
import { openTenantPurge } from './tenant-purge.ts';

export interface ElasticsearchOptions extends ClusterConnectionOptions {
  /** Before the name of every index, so that several Faultlines can share a cluster. */
  readonly prefix?: string;
  readonly clock: Clock;
  /** How soon lists show what another process has saved; Elasticsearch's notation. Default: a second while somebody asks for lists. */
  readonly refreshInterval?: string;
  /** Seconds to wait for the cluster at the start. Default 60. */
  readonly waitSeconds?: number;
}

/** All that is kept in one Elasticsearch. */
export interface Elasticsearch extends EventPorts {
  readonly correlation: CorrelationStore;
  readonly correlationHistory: CorrelationHistory;
  readonly groupRows: GroupRows;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
  readonly pipeline: PipelineStore;
  readonly tenants: TenantPurge;
  /** Deletes weeks that are over; `log` takes the records that ask open events to expire. To be run once an hour. */
  retention(log: Pick<EventLog, 'append'>): IndexRetention;
  /** Puts new records that went along with changes of another store; those that are there already stay. */
  keep(along: readonly SideRecord[]): Promise<void>;
  /** Forgets expired records, deliveries and recoveries unless `byTime` is false, and moves records that went along with a change. To be run once a minute. */
  tidy(byTime?: boolean): Promise<void>;
  /** Deletes all groups and decisions; only for who can make them again. */
  dropGroups(): Promise<void>;
  /** Whether all data can be read and written now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** Waits for the cluster, checks what it can and writes the templates. Throws an error that says what to do. */
export async function openElasticsearch(options: ElasticsearchOptions): Promise<Elasticsearch> {
  const { prefix = 'faultline', clock, refreshInterval, waitSeconds = 60 } = options;
  const names = new Names(prefix);
  const connection = new Connection(options);
  try {
    await awaitReady(connection, waitSeconds);
    await prepare(connection, names, refreshInterval === undefined ? {} : { refreshInterval });
  } catch (error) {
    await connection.close();
    throw error;
  }
  const indices = new Indices(connection, names);
  const store: Store = { connection, names, indices, bulk: new BulkWriter(connection, indices) };
  return {
    ...openEventPorts(store),
    correlation: openCorrelationStore(store),
    correlationHistory: openCorrelationHistory(store),
    groupRows: openGroupRows(store),
    records: openRecordStore(store, clock),
    searchIndex: openSearchIndex(store, clock),
    pipeline: openPipelineStore(store),
    tenants: openTenantPurge(store),
    retention: (log) => openRetention(store, log, clock),
    keep: (along) => keepRecords(store, along),
    async tidy(byTime = true) {
      if (byTime) await forgetOld(store, clock);
      await settleRecords(store);
    },
    dropGroups: () => dropAll(store, ['groups', 'grouprows', 'decisions']),
    ready: () => isReady(connection).catch(() => false),
    close: () => connection.close(),
  };
}
