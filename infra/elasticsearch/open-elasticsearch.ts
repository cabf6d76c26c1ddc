import { setTimeout } from 'node:timers/promises';
import { type Client, errors } from '@elastic/elasticsearch';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { CorrelationHistory, LinkStore } from '#domain/ports/events/correlation-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { analyzeInTurns } from '../analyze-in-turns.ts';
import { openLinks } from '../event-links.ts';
import { BulkWriter } from './cluster/bulk.ts';
import { type ClusterConnectionOptions, Connection } from './cluster/connection.ts';
import { Indices } from './cluster/indices.ts';
import { addFields, LAYOUT, type LayoutOptions, putTemplates } from './cluster/layout.ts';
import { type Family, Names } from './cluster/names.ts';
import { isNotLetIn } from './cluster/refusals.ts';
import type { Store } from './cluster/store.ts';
import { decisionWrite, enrichedWrites, groupWrite, readNewest } from './documents/correlation-documents.ts';
import { flushSideRecords, storeSideRecords } from './documents/pending-side-records.ts';
import { openEventPorts } from './event-store.ts';
import { openGroupRows } from './group-rows.ts';
import { openPipelineStore } from './pipeline/pipeline-store.ts';
import { forgetOld } from './prune.ts';
import { openDecisions } from './queries/decisions-of.ts';
import { enrichedBetween } from './queries/enriched-between.ts';
import { findGroups, standingGroup } from './queries/group-lookup.ts';
import { extentOf, recordsSince, requestsSince } from './queries/past-records.ts';
import { openRecordStore } from './record-store.ts';
import { type IndexRetention, openRetention } from './retention.ts';
import { openSearchIndex } from './search/search-index.ts';
import { openTenantPurge } from './tenant-purge.ts';

const MIN_VERSION = 9;
const PAUSE_MS = 1_000;

/** True when all data can be read and written. */
async function isReady(connection: Connection): Promise<boolean> {
  try {
    // The one question that every build answers; many have neither ping nor info.
    const health = await connection.ask((client) =>
      client.cluster.health({ wait_for_status: 'yellow', timeout: '1s' }, { requestTimeout: 5_000, maxRetries: 0 }),
    );
    return !health.timed_out;
  } catch (error) {
    if (error instanceof errors.ResponseError && error.statusCode === 408) return false;
    const cause = causeOf(error);
    if (isNotLetIn(cause)) throw refusal(connection, cause);
    if (error instanceof errors.ElasticsearchClientError) throw refusal(connection, error);
    return false;
  }
}

/** Waits until the cluster is ready. Throws, with instructions, when it is not after this number of seconds. */
async function awaitReady(connection: Connection, seconds: number): Promise<void> {
  for (let tried = 0; tried < seconds; tried += 1) {
    if (await isReady(connection)) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(
    `Elasticsearch at ${connection.node} was not ready within ${seconds}s. Start it, or correct ELASTICSEARCH_URL`,
  );
}

/** Returns the server's error, where a fault wraps it. */
const causeOf = (error: unknown): unknown => (error instanceof Fault ? error.cause : error);

function refusal({ node }: Connection, error: errors.ElasticsearchClientError): Error {
  if (isNotLetIn(error))
    return new Error(
      `Elasticsearch at ${node} denied access. Set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY, with rights to manage indices and templates`,
      { cause: error },
    );
  return new Error(`${node} is not Elasticsearch ${MIN_VERSION} or newer (${error.message}). Check ELASTICSEARCH_URL`, {
    cause: error,
  });
}

interface Feature {
  readonly name: string;
  readonly probe: (client: Client, names: Names) => Promise<unknown>;
}

/** Features that not every build has; templates are tried by writing them. */
const FEATURES: readonly Feature[] = [
  {
    name: 'point-in-time search',
    async probe(client, names) {
      const { id } = await client.openPointInTime({ index: names.every('events'), keep_alive: '1m' });
      await client.closePointInTime({ id });
    },
  },
  {
    name: 'the terms enum API',
    probe: (client, names) => client.termsEnum({ index: names.every('events'), field: 'event.tenant', size: 1 }),
  },
  {
    name: 'the analyzer "whitespace"',
    probe: (client) => client.indices.analyze({ analyzer: 'whitespace', text: 'disk full' }),
  },
];

async function need(connection: Connection, name: string, probe: () => Promise<unknown>): Promise<void> {
  try {
    await probe();
  } catch (error) {
    const cause = causeOf(error);
    if (isNotLetIn(cause)) throw refusal(connection, cause);
    if (!(error instanceof errors.ResponseError)) throw error;
    throw new Error(
      `Elasticsearch at ${connection.node} lacks ${name}, which Faultline requires. Use the default distribution of Elasticsearch ${MIN_VERSION}`,
      { cause: error },
    );
  }
}

async function checkVersion(connection: Connection): Promise<void> {
  const { nodes } = await connection.ask((client) => client.nodes.info({ filter_path: 'nodes.*.version' }));
  const old = Object.values(nodes).find(({ version }) => Number.parseInt(version, 10) < MIN_VERSION);
  if (old !== undefined)
    throw new Error(`Elasticsearch at ${connection.node} is version ${old.version}: Faultline needs ${MIN_VERSION}`);
}

/** Indices of another program's making are refused before anything is written to them. */
async function checkLayout(connection: Connection, { prefix }: Names): Promise<void> {
  const mappings = await connection.ask((client) => client.indices.getMapping({ index: `${prefix}-*` }));
  for (const [index, { mappings: mapping }] of Object.entries(mappings)) {
    const { layout } = (mapping._meta ?? {}) as { layout?: number };
    if (layout === LAYOUT) continue;
    throw new Error(
      `Index ${index} has layout ${layout ?? 'unknown'} but this version of Faultline requires ${LAYOUT}. Delete the index, or choose another prefix`,
    );
  }
}

/** Checks version, features and stored indices, and writes the templates. Throws an error with instructions. */
async function prepare(connection: Connection, names: Names, options: LayoutOptions): Promise<void> {
  await checkVersion(connection);
  await checkLayout(connection, names);
  await need(connection, 'index templates', () => putTemplates(connection, names, options));
  await addFields(connection, names);
  for (const { name, probe } of FEATURES)
    await need(connection, name, () => connection.ask((client) => probe(client, names)));
}

/**
 * Point reads of groups and records return the latest save; lists include saves of this process, and others' saves
 * within a refresh.
 */
function openCorrelationStore(store: Store): CorrelationStore {
  const { names, indices, bulk } = store;
  const decisionsOf = openDecisions(store);
  return {
    async save({ enriched = [], decisions = [], groups = [] }) {
      await bulk.write([
        ...enriched.flatMap((record) => enrichedWrites(names, record)),
        ...decisions.map((decision) => decisionWrite(names, decision)),
        ...groups.map((group) => groupWrite(names, group)),
      ]);
    },
    group: (tenant, idOrAlias) => standingGroup(store, tenant, idOrAlias),
    async groups(tenant, filter, page) {
      await indices.fresh('groups');
      return findGroups(store, tenant, filter, page);
    },
    async decisionsOf(tenant, eventIds, limit) {
      await indices.fresh('decisions', tenant);
      return decisionsOf(tenant, eventIds, limit);
    },
    enriched: (tenant, eventIds) =>
      readNewest(
        store,
        eventIds.map((id) => ({ tenant, id })),
      ),
    async enrichedBetween(tenant, from, to, options) {
      await indices.fresh('enriched', tenant);
      return enrichedBetween(store, { tenant, from, to, ...options });
    },
    async analyze(tenant, range) {
      await indices.fresh('enriched', tenant);
      return analyzeInTurns(range, (wanted) => enrichedBetween(store, { tenant, order: 'asc', ...wanted }));
    },
  };
}

/** Deletes the indices of whole families; a cluster may forbid to name them by a wildcard. */
async function dropAll({ connection, names, indices }: Store, families: readonly Family[]): Promise<void> {
  for (const family of families) {
    const found = await connection.ask((client) => client.indices.getAlias({ index: names.every(family) }));
    for (const [index, { aliases }] of Object.entries(found)) {
      await connection.ask((client) => client.indices.delete({ index }));
      for (const alias of Object.keys(aliases)) indices.forget(alias);
    }
  }
}

const openCorrelationHistory = (store: Store): CorrelationHistory => ({
  extent: (tenant, from) => extentOf(store, tenant, from),
  records: (tenant, since) => recordsSince(store, tenant, since),
  demanded: (tenant, after, limit) => requestsSince(store, tenant, after, limit),
});

export interface ElasticsearchOptions extends ClusterConnectionOptions {
  /** Prefix of every index name, so that several Faultlines can share a cluster. */
  readonly prefix?: string;
  readonly clock: Clock;
  /**
   * Delay until lists show saves of another process; Elasticsearch's notation. Default: a second while lists are
   * requested.
   */
  readonly refreshInterval?: string;
  /** Seconds to wait for the cluster at the start. Default 60. */
  readonly waitSeconds?: number;
}

/** All data stored in one Elasticsearch. */
export interface Elasticsearch extends EventPorts {
  readonly correlation: CorrelationStore;
  readonly correlationHistory: CorrelationHistory;
  readonly links: LinkStore;
  readonly groupRows: GroupRows;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
  readonly pipeline: PipelineStore;
  readonly tenants: TenantPurge;
  /**
   * Deletes weeks that are over; `log` receives the records that ask open events to expire. Must be run once an hour.
   */
  retention(log: Pick<EventLog, 'append'>): IndexRetention;
  /** Stores new side records of changes of another store; existing ones stay. */
  keep(along: readonly SideRecord[]): Promise<void>;
  /**
   * Forgets expired records, deliveries and recoveries unless `byTime` is false, and moves side records of changes.
   * Must be run once a minute.
   */
  tidy(byTime?: boolean): Promise<void>;
  /** Deletes all groups and decisions; only for who can make them again. */
  dropGroups(): Promise<void>;
  /** True if all data can be read and written now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** Waits for the cluster, checks it and writes the templates. Throws an error with instructions. */
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
  const { left = () => 0 } = options;
  const indices = new Indices(connection, names, () => left() !== Number.POSITIVE_INFINITY);
  const store: Store = { connection, names, indices, bulk: new BulkWriter(connection, indices) };
  const correlation = openCorrelationStore(store);
  return {
    ...openEventPorts(store),
    correlation,
    links: openLinks(correlation),
    correlationHistory: openCorrelationHistory(store),
    groupRows: openGroupRows(store),
    records: openRecordStore(store, clock),
    searchIndex: openSearchIndex(store, clock),
    pipeline: openPipelineStore(store),
    tenants: openTenantPurge(store),
    retention: (log) => openRetention(store, log, clock),
    keep: (along) => storeSideRecords(store, along),
    async tidy(byTime = true) {
      if (byTime) await forgetOld(store, clock);
      await flushSideRecords(store);
    },
    dropGroups: () => dropAll(store, ['groups', 'grouprows', 'decisions']),
    ready: () => isReady(connection).catch(() => false),
    close: () => connection.close(),
  };
}
