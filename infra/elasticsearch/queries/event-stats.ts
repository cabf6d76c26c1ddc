import { SEVERITIES, type Severity, severityOfRank } from '#domain/event/event.ts';
import { MAX_RESOLUTION_MS } from '#domain/event/lifecycle/resolution-time.ts';
import type { EventStats } from '#domain/ports/events/event-counts.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { all, range, term } from '#infra/elasticsearch/cluster/query.ts';
import { search } from '#infra/elasticsearch/cluster/search.ts';

interface RankBucket {
  readonly key: number;
  readonly doc_count: number;
  readonly open: { readonly doc_count: number };
}
interface Aggregations {
  readonly met: { readonly doc_count: number; readonly ranks: { readonly buckets: readonly RankBucket[] } };
  readonly resolved: {
    readonly mean: { readonly value: number | null };
    readonly median: { readonly values: Readonly<Record<string, number | null>> };
  };
}

const seconds = (ms: number | null | undefined): number | null => (ms == null ? null : ms / 1000);
const none = (): Record<Severity, number> => ({ critical: 0, major: 0, minor: 0, warning: 0, info: 0 });

const aggregations = (from: number, to: number) => ({
  met: {
    filter: all(range('event.lastOccurrence', { gte: from }), range('event.firstOccurrence', { lte: to })),
    aggs: {
      ranks: {
        terms: { field: 'rank', size: SEVERITIES.length },
        aggs: { open: { filter: term('event.status', 'open') } },
      },
    },
  },
  resolved: {
    filter: all(range('resolvedAt', { gte: from, lte: to }), range('openMs', { gte: 0, lte: MAX_RESOLUTION_MS })),
    aggs: { mean: { avg: { field: 'openMs' } }, median: { percentiles: { field: 'openMs', percents: [50] } } },
  },
});

/** Returns counts of the events that intersect the range, and resolution times of those resolved in it. */
export async function eventStats(
  connection: Connection,
  index: string,
  [tenant, from, to]: readonly [tenant: string, from: number, to: number],
): Promise<EventStats> {
  const query = all(term('event.tenant', tenant));
  const asked = { index, size: 0, query, aggs: aggregations(from, to) };
  const { aggregations: counted } = await search<unknown, Aggregations>(connection, asked);
  const severityBreakdown = none();
  const openBySeverity = none();
  for (const { key, doc_count, open } of counted?.met.ranks.buckets ?? []) {
    const severity = severityOfRank(key);
    severityBreakdown[severity] = doc_count;
    openBySeverity[severity] = open.doc_count;
  }
  const avgResolutionTime = seconds(counted?.resolved.mean.value);
  const medianResolutionTime = seconds(counted?.resolved.median.values['50.0']);
  const total = counted?.met.doc_count ?? 0;
  return { total, severityBreakdown, openBySeverity, avgResolutionTime, medianResolutionTime };
}
