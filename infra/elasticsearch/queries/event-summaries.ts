import { SEVERITIES, type Severity, severityOfRank } from '#domain/event/event.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import {
  FACETS,
  type Facet,
  type Facets,
  type Histogram,
  type HistogramRange,
  MAX_FACET_VALUES,
  MAX_HISTOGRAM_BUCKETS,
} from '#domain/ports/events/event-summaries.ts';
import { recordOf } from '#domain/record-of.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { all, range } from '#infra/elasticsearch/cluster/query.ts';
import { search } from '#infra/elasticsearch/cluster/search.ts';
import { topFacets } from '#infra/facets.ts';
import { eventQuery } from './event-query.ts';

const FIELDS: Readonly<Record<Facet, string>> = {
  severity: 'rank',
  status: 'event.status',
  source: 'event.source',
  service: 'serviceName',
  environment: 'event.environment',
  host: 'host',
  ci: 'event.ci.id',
  assignee: 'event.assignedTo.id',
};

interface TermBucket {
  readonly key: string | number;
  readonly doc_count: number;
}
interface Terms {
  readonly buckets: readonly TermBucket[];
}

const severityOf = (rank: number): Severity => severityOfRank(rank);
const textOfKey = (name: Facet, key: string | number): string =>
  name === 'severity' ? severityOf(Number(key)) : String(key);

/** Returns facets of all events. */
export async function facetsOf(
  connection: Connection,
  index: string,
  [tenant, filter]: readonly [tenant: string, filter: EventFilter],
): Promise<Facets> {
  const aggs = Object.fromEntries(
    FACETS.map((name) => [name, { terms: { field: FIELDS[name], size: MAX_FACET_VALUES, shard_size: 1_000 } }]),
  );
  const asked = { index, size: 0, query: eventQuery(tenant, filter), aggs, track_total_hits: true };
  const { total, aggregations } = await search<unknown, Readonly<Record<Facet, Terms>>>(connection, asked);
  const facets = FACETS.map((name) => {
    const { buckets = [] } = aggregations?.[name] ?? {};
    return [name, topFacets(buckets.map(({ key, doc_count }) => [textOfKey(name, key), doc_count]))];
  });
  return { total, facets: Object.fromEntries(facets), truncated: false };
}

interface Slots {
  readonly slots: { readonly buckets: readonly (TermBucket & { readonly ranks: Terms })[] };
}

const severities = ({ buckets }: Terms): Readonly<Record<Severity, number>> => {
  const counts = new Map(buckets.map(({ key, doc_count }) => [severityOf(Number(key)), doc_count]));
  return recordOf(SEVERITIES, (severity) => counts.get(severity) ?? 0);
};

/** Returns the histogram of all events. */
export async function histogramOf(
  connection: Connection,
  index: string,
  [tenant, filter, { from, to, stepMs }]: readonly [tenant: string, filter: EventFilter, range: HistogramRange],
): Promise<Histogram> {
  const query = all(eventQuery(tenant, filter), range('event.timestamp', { gte: from, lte: to }));
  const aggs = {
    slots: {
      histogram: { field: 'event.timestamp', interval: stepMs, min_doc_count: 1 },
      aggs: { ranks: { terms: { field: 'rank', size: SEVERITIES.length } } },
    },
  };
  const { aggregations } = await search<unknown, Slots>(connection, { index, size: 0, query, aggs });
  const { buckets = [] } = aggregations?.slots ?? {};
  return {
    buckets: buckets
      .slice(0, MAX_HISTOGRAM_BUCKETS)
      .map(({ key, ranks }) => ({ at: Number(key), bySeverity: severities(ranks) })),
    truncated: false,
  };
}
