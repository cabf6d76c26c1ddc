import type { SQLInputValue } from 'node:sqlite';
import { type Event, type Status, severityOfRank } from '#domain/event/event.ts';
import type { PageRequest, Part, PartRequest } from '#domain/page.ts';
import type { HistoryRange, PastEvent } from '#domain/ports/events/event-history.ts';
import type { Area, AreaQuery, ChangesPage } from '#domain/ports/topology/topology-history.ts';
import type { CiSort, RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { GrowingArea } from '#domain/topology/graph/growing-area.ts';
import { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { type EnrichedRange, enrichedBetween } from '#infra/embedded/correlation/enriched-between.ts';
import { EnrichedTable } from '#infra/embedded/correlation/enriched-table.ts';
import { type FindGroups, findGroups } from '#infra/embedded/correlation/group-find.ts';
import { type FindGroupRows, findGroupRows } from '#infra/embedded/correlation/group-rows.ts';
import { type CountGroupsByAge, groupsOfAge } from '#infra/embedded/correlation/groups-of-age.ts';
import {
  type EventRequestQuery,
  type ExtentOf,
  extentOf,
  type RecordsOf,
  recordsSince,
  requestsSince,
} from '#infra/embedded/correlation/past-records.ts';
import { type AggregateEvents, aggregateEvents } from '#infra/embedded/events/aggregate.ts';
import { eventsOf, type FindEvents, findEvents, partOfEvents } from '#infra/embedded/events/find.ts';
import {
  type Caught,
  caught,
  type SilencedEvents,
  silencedEvents,
  silencers,
} from '#infra/embedded/events/silenced.ts';
import { type SilentEvents, silentEvents } from '#infra/embedded/events/silent.ts';
import { eventStats, type StatsRange } from '#infra/embedded/events/stats.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import {
  type FindDocuments,
  findDocuments,
  type ListDocuments,
  listDocuments,
  type TaggedDocuments,
  taggedDocuments,
} from '#infra/embedded/search/find.ts';
import { type FacetsOf, facetsOf } from '#infra/embedded/summaries/facets.ts';
import { type HistogramOf, histogramOf } from '#infra/embedded/summaries/histogram.ts';
import {
  type PastImpact,
  type PastNeighbourhood,
  type PastPath,
  pastImpact,
  pastNeighbourhood,
  pastPath,
} from '#infra/embedded/topology/as-of.ts';
import {
  fieldsInUse,
  listCis,
  listRelationships,
  placesIn,
  type StoredCiFilter,
  type StoredPlacesQuery,
} from '#infra/embedded/topology/lists.ts';
import {
  type FindChangesAmong,
  type FindNames,
  type FindRemoved,
  lastNames,
  listChangesAmong,
  listRemoved,
} from '#infra/embedded/topology/nearby/changes.ts';
import type { Statements } from '#infra/embedded/topology/rows.ts';
import { listChanges } from '#infra/embedded/topology/versions.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';
import { statusCode } from '../events/row.ts';
import { type Analyze, analyze } from './analysis.ts';

/**
 * Finds CIs that were around one within some time. Plain functions of a connection and plain arguments: any thread can
 * run them.
 */

interface UnboundEvents {
  readonly tenant: string;
  readonly page: PartRequest;
}

const SORT = 'host';
const ORDER = 'asc';
const UNBOUND = `SELECT e.seq, e.host FROM event e INDEXED BY event_unbound
  WHERE e.tenant = ? AND e.ci_id IS NULL AND e.status <> 2 AND`;

type HostRow = readonly [seq: number, host: string | null];

/**
 * Reads in the order of their index: those without a host first, so that the cost of a page depends on its length only.
 */
function unboundEvents(reading: RowReader, { tenant, page }: UnboundEvents): Part<Event> {
  const { limit, cursor } = page;
  const end = cursor === undefined ? { key: 0, id: '' } : decodeCursor(SORT, ORDER, cursor);
  const rows = (condition: string, ...values: (string | number | null)[]): HostRow[] =>
    reading.arrays<HostRow>(`${UNBOUND} ${condition} LIMIT ?`).all(tenant, ...values);
  const same = rows('e.host IS ? AND e.seq > ? ORDER BY e.seq', end.id || null, end.key, limit + 1);
  const found = [...same, ...rows('e.host > ? ORDER BY e.host, e.seq', end.id, limit + 1 - same.length)];
  const shown = found.slice(0, limit);
  const [seq = 0, host = null] = shown.at(-1) ?? [];
  return {
    items: eventsOf(
      reading,
      shown.map(([one]) => one),
    ),
    nextCursor: found.length <= limit ? null : encodeCursor(SORT, ORDER, { key: seq, id: host ?? '' }),
  };
}

interface OpenOn {
  readonly tenant: string;
  readonly ciIds: readonly string[];
  readonly statuses?: readonly Status[] | undefined;
}

const UNRESOLVED: readonly Status[] = ['open', 'acknowledged'];

/** Events by CI and severity, without changes. */
function openOn(reading: RowReader, { tenant, ciIds, statuses = UNRESOLVED }: OpenOn): ReadonlyMap<string, OpenCounts> {
  const rows = reading
    .arrays<[ci: string, rank: number, n: number]>(
      `SELECT e.ci_id, e.severity, count(*) FROM json_each(?2) asked CROSS JOIN event e INDEXED BY event_ci
       ON e.tenant = ?1 AND e.ci_id = asked.value
       WHERE e.is_change = 0 AND e.status IN (${statuses.map(statusCode).join(', ')}) GROUP BY e.ci_id, e.severity`,
    )
    .all(tenant, JSON.stringify([...new Set(ciIds)]));
  const found = new Map<string, OpenCounts>();
  for (const [ci, rank, n] of rows) found.set(ci, { ...found.get(ci), [severityOfRank(rank)]: n });
  return found;
}

interface FindArea {
  readonly tenant: string;
  readonly query: AreaQuery;
}

const AT = { source: 'sqlite_autoindex_relationship_1', target: 'relationship_target' } as const;

const beside = (end: 'source' | 'target'): string => {
  const other = end === 'source' ? 'target' : 'source';
  const where = `tenant = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) AND ai = 0 AND valid_from <= ?4`;
  return `SELECT ${other} AS id FROM relationship INDEXED BY ${AT[end]} WHERE ${where}
    UNION SELECT ${other} FROM relationship_past INDEXED BY relationship_past_${end} WHERE ${where} AND valid_to >= ?3`;
};
const NEIGHBOURS = `${beside('source')} UNION ${beside('target')} ORDER BY id LIMIT ?5`;

function findArea(db: Statements, { tenant, query: { ci, hops, from, to, limit } }: FindArea): Area {
  const area = new GrowingArea(ci, limit);
  const read = db.statement<{ id: string }>(NEIGHBOURS);
  for (let hop = 0; hop < hops && area.frontier.length > 0; hop++) {
    const rows = read.all(tenant, JSON.stringify(area.frontier), from, to, area.most);
    area.take(rows.map(({ id }) => id));
  }
  return { ids: area.ids, truncated: area.truncated };
}

interface HistoryOf extends HistoryRange {
  readonly tenant: string;
  readonly signatures: readonly string[];
}

const NEWEST = `SELECT id, timestamp, resolved_at FROM event INDEXED BY event_signature
  WHERE tenant = ? AND signature = ? AND timestamp BETWEEN ? AND ? AND ${interruptible('seq')}
  ORDER BY timestamp DESC, id DESC LIMIT ?`;

type HistoryRow = readonly [id: string, timestamp: number, resolvedAt: number | null];

/** Returns the newest events in the range by signature, newest first. */
export function historyOf(
  reading: RowReader,
  { tenant, signatures, from, to, limit }: HistoryOf,
): ReadonlyMap<string, readonly PastEvent[]> {
  const found = new Map<string, readonly PastEvent[]>();
  for (const signature of new Set(signatures)) {
    const rows = reading.arrays<HistoryRow>(NEWEST).all(tenant, signature, from, to, limit);
    const events = rows.map(([id, timestamp, resolvedAt]) => ({ id, timestamp, resolvedAt }));
    if (events.length > 0) found.set(signature, events);
  }
  return found;
}

interface FindCis {
  readonly tenant: string;
  readonly filter: StoredCiFilter;
  readonly page: PageRequest<CiSort>;
}
interface FindRelationships {
  readonly tenant: string;
  readonly filter: RelationshipFilter;
  readonly page: PageRequest<'created_at'>;
}
interface FindChanges {
  readonly tenant: string;
  readonly id: string;
  readonly page: ChangesPage;
}

interface Rows {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Slow queries, by name: they run in the reader thread. */
export function openQueries(reading: RowReader) {
  const records = new EnrichedTable(reading, new CiDictionary(reading));
  return {
    'events.find': (query: FindEvents) => findEvents(reading, query),
    'events.part': (query: FindEvents) => partOfEvents(reading, query),
    'events.unbound': (query: UnboundEvents) => unboundEvents(reading, query),
    'events.silent': (query: SilentEvents) => silentEvents(reading, query),
    'events.silencers': () => silencers(reading),
    'events.silenced': (query: SilencedEvents) => silencedEvents(reading, query),
    'events.caught': (query: Caught) => caught(reading, query),
    'events.stats': (query: StatsRange) => eventStats(reading, query),
    'events.open-on': (query: OpenOn) => openOn(reading, query),
    'events.history': (query: HistoryOf) => historyOf(reading, query),
    'search.find': (query: FindDocuments) => findDocuments(reading, query),
    'search.tagged': (query: TaggedDocuments) => taggedDocuments(reading, query),
    'search.list': (query: ListDocuments) => listDocuments(reading, query),
    'events.aggregate': (query: AggregateEvents) => aggregateEvents(reading, query),
    'events.facets': (query: FacetsOf) => facetsOf(reading, query),
    'events.histogram': (query: HistogramOf) => histogramOf(reading, query),
    'groups.find': (query: FindGroups) => findGroups(reading, query),
    'groups.ages': (query: CountGroupsByAge) => groupsOfAge(reading, query),
    'groups.rows': (query: FindGroupRows) => findGroupRows(reading, query),
    'topology.cis': (query: FindCis) => listCis(reading, query.tenant, query.filter, query.page),
    'topology.relationships': (query: FindRelationships) =>
      listRelationships(reading, query.tenant, query.filter, query.page),
    'topology.places': (query: StoredPlacesQuery) => placesIn(reading, query),
    'topology.fields': (query: { readonly tenant: string }) => fieldsInUse(reading, query.tenant),
    'topology.changes': (query: FindChanges) => listChanges(reading, query.tenant, query.id, query.page),
    'topology.area': (query: FindArea) => findArea(reading, query),
    'topology.changes-among': (query: FindChangesAmong) => listChangesAmong(reading, query),
    'topology.removed': (query: FindRemoved) => listRemoved(reading, query),
    'topology.names': (query: FindNames) => lastNames(reading, query),
    'topology.hood': (query: PastNeighbourhood) => pastNeighbourhood(reading, query),
    'topology.path': (query: PastPath) => pastPath(reading, query),
    'topology.impact': (query: PastImpact) => pastImpact(reading, query),
    rows: ({ text, values }: Rows) => reading.arrays<readonly unknown[]>(text).all(...values),
    'correlation.analyze': (query: Analyze) => analyze(reading, records, query),
    'correlation.extent': (query: ExtentOf) => extentOf(reading, query),
    'correlation.records': (query: RecordsOf) => recordsSince(reading, records, query),
    'correlation.demanded': (query: EventRequestQuery) => requestsSince(reading, query),
    'enriched.between': (query: EnrichedRange) => enrichedBetween(reading, records, query),
  };
}

type Queries = ReturnType<typeof openQueries>;
export type QueryName = keyof Queries;
export type QueryInput<N extends QueryName> = Parameters<Queries[N]>[0];
export type QueryAnswer<N extends QueryName> = ReturnType<Queries[N]>;
