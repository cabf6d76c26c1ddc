import { assertDefined, firstItem } from '#domain/assert.ts';
import {
  type AggregateFilter,
  type AggregateKey,
  type Bucket,
  MAX_BUCKETS,
  type Measure,
} from '#domain/ports/events/event-aggregates.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import { type Grouping, isTimed, type Metric, NONE, type QueryRow, wholeRow } from '#features/questions/rules/query.ts';
import { iso } from '#schemas/http/time.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import { foldHosts, foldServices, foldTypes, labelled, type Sum } from './fold.ts';

type EventMetric = Extract<
  Metric,
  'events' | 'occurrences' | 'open_events' | 'mttr' | 'mtta' | 'dedup_ratio' | 'correlated_share' | 'changes'
>;

interface MetricMeasure {
  readonly measure: Measure;
  readonly value: (count: number, sum: number) => number | null;
}
const SECOND_MS = 1_000;
const sum = (_: number, all: number): number => all;
const seconds = (count: number, all: number): number | null => (count === 0 ? null : all / count / SECOND_MS);

const MEASURED: Readonly<Record<EventMetric, MetricMeasure>> = {
  events: { measure: 'events', value: sum },
  open_events: { measure: 'events', value: sum },
  changes: { measure: 'events', value: sum },
  occurrences: { measure: 'occurrences', value: sum },
  mttr: { measure: 'resolution', value: seconds },
  mtta: { measure: 'acknowledgement', value: seconds },
  correlated_share: { measure: 'correlated', value: (count, all) => (count === 0 ? null : all / count) },
  dedup_ratio: { measure: 'occurrences', value: (count, all) => (all === 0 ? null : 1 - count / all) },
};

const UNRESOLVED = ['open', 'acknowledged'] as const;

/** Conditions of the metric itself. */
const narrowed = (metric: EventMetric, filter: AggregateFilter): AggregateFilter => {
  if (metric === 'changes') return { ...filter, changes: true };
  return metric === 'open_events' ? { ...filter, statuses: filter.statuses ?? UNRESOLVED } : filter;
};

const KEYS: Readonly<Record<Exclude<Grouping, 'hour' | 'day' | 'week'>, readonly AggregateKey[]>> = {
  severity: ['severity'],
  status: ['status'],
  source: ['source'],
  ci: ['ci'],
  ci_type: ['ci'],
  host: ['ci', 'host'],
  service: ['service', 'ci'],
  environment: ['environment'],
  signature: ['signature'],
};

const plainSums = (buckets: readonly Bucket[]): readonly Sum[] =>
  buckets.map(({ keys: [key], ...rest }) => ({ key: key ?? NONE, label: key ?? NONE, ...rest }));

async function sumsBy(asking: QueryAsking, grouping: Grouping, buckets: readonly Bucket[]): Promise<readonly Sum[]> {
  if (grouping === 'ci_type') return foldTypes(asking, buckets);
  if (grouping === 'service') return foldServices(asking, buckets);
  if (grouping === 'host') return labelled(asking, grouping, foldHosts(buckets));
  return labelled(asking, grouping, plainSums(buckets));
}

export interface CountEvents {
  readonly metric: EventMetric;
  readonly filter: AggregateFilter;
  readonly groupBy: Grouping | null;
  readonly range: Range | null;
}

/** Every bucket of time, those without events too. */
function timeRows(edges: readonly number[], buckets: readonly Bucket[], { value }: MetricMeasure): QueryRow[] {
  const byEdge = new Map(buckets.map((bucket) => [bucket.keys[0], bucket]));
  return edges.slice(0, -1).map((edge) => {
    const { count = 0, sum: all = 0 } = byEdge.get(String(edge)) ?? {};
    return { key: iso(edge), label: iso(edge), value: value(count, all), count };
  });
}

/** Counts or averages events, in total and by group. */
export async function countEvents(asking: QueryAsking, asked: CountEvents): Promise<CountedMetric> {
  const { tenant, ports, receivedAt, zone } = asking;
  const { metric, groupBy, range } = asked;
  const measured = MEASURED[metric];
  const filter = { ...narrowed(metric, asked.filter), ...range };
  const ask = (by: readonly AggregateKey[], edges?: readonly number[]) =>
    ports.eventAggregates.aggregate(tenant, filter, {
      measure: measured.measure,
      by,
      limit: MAX_BUCKETS,
      ...(edges && { edges }),
    });
  const timed = isTimed(groupBy) ? groupBy : null;
  const edges = timed && bucketEdges(range ?? { from: 0, to: receivedAt }, timed, zone);
  const keys = groupBy === null || isTimed(groupBy) ? [] : KEYS[groupBy];
  const [whole, grouped] = await Promise.all([
    ask([]),
    groupBy === null ? null : edges ? ask(['time'], edges) : ask(keys),
  ]);
  const { count = 0, sum: all = 0 } = whole.buckets[0] ?? {};
  const total = measured.value(count, all);
  const isCut = edges !== null && firstItem(edges) > (range?.from ?? 0);
  const rows =
    grouped === null
      ? [wholeRow(total, count)]
      : edges
        ? timeRows(edges, grouped.buckets, measured)
        : (await sumsBy(asking, assertDefined(groupBy, 'grouping'), grouped.buckets)).map(
            ({ key, label, count: n, sum: of }) => ({ key, label, value: measured.value(n, of), count: n }),
          );
  return { rows, total, count, truncated: (grouped?.truncated ?? false) || isCut };
}
