import type { SQLInputValue } from 'node:sqlite';
import type { PageRequest } from '#domain/page.ts';
import type { ChangesPage } from '#domain/ports/topology/topology-history.ts';
import type { CiSort, RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { type EnrichedRange, enrichedBetween } from '#infra/embedded/correlation/enriched-between.ts';
import { EnrichedTable } from '#infra/embedded/correlation/enriched-table.ts';
import { type FindGroups, findGroups } from '#infra/embedded/correlation/group-find.ts';
import { type FindGroupRows, findGroupRows } from '#infra/embedded/correlation/group-rows.ts';
import { type CountGroupsByAge, groupsOfAge } from '#infra/embedded/correlation/groups-of-age.ts';
import {
  type DemandedOf,
  demandedSince,
  type ExtentOf,
  extentOf,
  type RecordsOf,
  recordsSince,
} from '#infra/embedded/correlation/past-records.ts';
import { type AggregateEvents, aggregateEvents } from '#infra/embedded/events/aggregate.ts';
import { type FindEvents, findEvents } from '#infra/embedded/events/find.ts';
import { type HistoryOf, historyOf } from '#infra/embedded/events/history.ts';
import { type OpenOn, openOn } from '#infra/embedded/events/open-on.ts';
import {
  type Caught,
  caught,
  type SilencedEvents,
  silencedEvents,
  silencers,
} from '#infra/embedded/events/silenced.ts';
import { type SilentEvents, silentEvents } from '#infra/embedded/events/silent.ts';
import { eventStats, type StatsRange } from '#infra/embedded/events/stats.ts';
import { type UnboundEvents, unboundEvents } from '#infra/embedded/events/unbound.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
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
import { listCis, listRelationships, type StoredCiFilter } from '#infra/embedded/topology/lists.ts';
import { type FindArea, findArea } from '#infra/embedded/topology/nearby/area.ts';
import {
  type FindChangesAmong,
  type FindNames,
  lastNames,
  listChangesAmong,
} from '#infra/embedded/topology/nearby/changes.ts';
import { listChanges } from '#infra/embedded/topology/versions.ts';
import { type Analyze, analyze } from './analysis.ts';

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

/** Every query that may take long, by name: they run in the reader thread. */
export function openQueries(reading: Reading) {
  const records = new EnrichedTable(reading, new CiDictionary(reading));
  return {
    'events.find': (query: FindEvents) => findEvents(reading, query),
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
    'topology.changes': (query: FindChanges) => listChanges(reading, query.tenant, query.id, query.page),
    'topology.area': (query: FindArea) => findArea(reading, query),
    'topology.changes-among': (query: FindChangesAmong) => listChangesAmong(reading, query),
    'topology.names': (query: FindNames) => lastNames(reading, query),
    'topology.hood': (query: PastNeighbourhood) => pastNeighbourhood(reading, query),
    'topology.path': (query: PastPath) => pastPath(reading, query),
    'topology.impact': (query: PastImpact) => pastImpact(reading, query),
    rows: ({ text, values }: Rows) => reading.arrays<readonly unknown[]>(text).all(...values),
    'correlation.analyze': (query: Analyze) => analyze(reading, records, query),
    'correlation.extent': (query: ExtentOf) => extentOf(reading, query),
    'correlation.records': (query: RecordsOf) => recordsSince(reading, records, query),
    'correlation.demanded': (query: DemandedOf) => demandedSince(reading, query),
    'enriched.between': (query: EnrichedRange) => enrichedBetween(reading, records, query),
  };
}

type Queries = ReturnType<typeof openQueries>;
export type QueryName = keyof Queries;
export type QueryInput<N extends QueryName> = Parameters<Queries[N]>[0];
export type QueryAnswer<N extends QueryName> = ReturnType<Queries[N]>;
