import { severityOfRank } from '#domain/event/event.ts';
import { MAX_RESOLUTION_MS } from '#domain/event/lifecycle/resolution-time.ts';
import {
  type Aggregated,
  type AggregateFilter,
  type AggregateKey,
  type AggregateRequest,
  type Bucket,
  MAX_BUCKETS,
  type Measure,
} from '#domain/ports/events/event-aggregates.ts';
import { aggregated, boundsOf } from '#infra/aggregated.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { IS_CHANGE } from '#infra/elasticsearch/cluster/is-open.ts';
import { all, any, not, range, terms } from '#infra/elasticsearch/cluster/query.ts';
import { type DocumentQuery, search } from '#infra/elasticsearch/cluster/search.ts';
import { eventQuery } from './event-query.ts';

interface AskedEvents {
  readonly tenant: string;
  readonly filter: AggregateFilter;
  readonly request: AggregateRequest;
}

const FIELDS: Readonly<Record<Exclude<AggregateKey, 'time'>, string>> = {
  severity: 'rank',
  status: 'event.status',
  source: 'event.source',
  ci: 'event.ci.id',
  host: 'host',
  service: 'serviceName',
  environment: 'event.environment',
  signature: 'event.signature',
  group: 'event.correlationId',
};

interface MeasureQuery {
  readonly at: string;
  readonly where: readonly DocumentQuery[];
  /** Absent: the count. */
  readonly sum?: DocumentQuery;
}
const spanOf = (field: string): Pick<MeasureQuery, 'where' | 'sum'> => ({
  where: [range(field, { gte: 0, lte: MAX_RESOLUTION_MS })],
  sum: { sum: { field } },
});
const MEASURED: Readonly<Record<Measure, MeasureQuery>> = {
  events: { at: 'event.timestamp', where: [] },
  occurrences: { at: 'event.timestamp', where: [], sum: { sum: { field: 'event.count' } } },
  correlated: { at: 'event.timestamp', where: [], sum: { value_count: { field: FIELDS.group } } },
  resolution: { at: 'resolvedAt', ...spanOf('openMs') },
  acknowledgement: { at: 'event.timestamp', ...spanOf('acknowledgedMs') },
};

const timeOf = (filter: AggregateFilter, request: AggregateRequest): DocumentQuery[] => {
  const { from, to } = boundsOf(filter, request);
  const bounds = { ...(from > -Infinity && { gte: from }), ...(to < Infinity && { lt: to }) };
  return Object.keys(bounds).length === 0 ? [] : [range(MEASURED[request.measure].at, bounds)];
};

/** Returns the conditions of a filter and of the measure, within one tenant. */
function aggregateQuery({ tenant, filter, request }: AskedEvents): DocumentQuery {
  const { from: _from, to: _to, ciIds, environments, signatures, ofService, changes, ...named } = filter;
  const isOf = ofService && any(terms(FIELDS.service, ofService.names), terms(FIELDS.ci, ofService.ciIds));
  return all(
    eventQuery(tenant, { ...named, ...(ciIds && { ciId: ciIds }) }),
    ...timeOf(filter, request),
    ...(environments ? [terms(FIELDS.environment, environments)] : []),
    ...(signatures ? [terms(FIELDS.signature, signatures)] : []),
    ...(changes === undefined ? [] : [changes ? IS_CHANGE : not(IS_CHANGE)]),
    ...(isOf ? [isOf] : []),
    ...MEASURED[request.measure].where,
  );
}

/** Placeholder for a missing field: no text of a sender equals it. */
const MISSING = '\u0000';
interface AggregateBucket {
  readonly key: string | number;
  readonly doc_count: number;
  readonly sum?: { readonly value: number };
  readonly groups?: Grouped;
}
interface Grouped {
  readonly buckets: readonly AggregateBucket[];
  readonly sum_other_doc_count?: number;
}

type TermKey = Exclude<AggregateKey, 'time'>;
const isNamed = (key: AggregateKey): key is TermKey => key !== 'time';

/** Those with most events. Rank is a number, and no event lacks it. */
const termsOf = (key: TermKey, size: number, aggs: DocumentQuery): DocumentQuery => ({
  groups: {
    terms: { field: FIELDS[key], size, shard_size: MAX_BUCKETS, ...(key !== 'severity' && { missing: MISSING }) },
    aggs,
  },
});

/** One range per bucket of time. */
function timed(edges: readonly number[], field: string, aggs: DocumentQuery): DocumentQuery {
  const ranges = edges.slice(0, -1).map((from, i) => ({ key: String(from), from, to: edges[i + 1] }));
  return { groups: { range: { field, ranges }, aggs } };
}

const keyText = (key: TermKey, value: string | number | null): string | null => {
  if (value === MISSING || value === null) return null;
  return key === 'severity' ? severityOfRank(Number(value)) : String(value);
};

const bucketOf = ({ doc_count: count, sum }: Omit<AggregateBucket, 'key'>, keys: Bucket['keys']): Bucket => ({
  keys,
  count,
  sum: sum?.value ?? count,
});

const NOTHING: Aggregated = { buckets: [], truncated: false };
const isCut = ({ sum_other_doc_count = 0 }: Grouped): boolean => sum_other_doc_count > 0;

interface Prepared {
  readonly connection: Connection;
  readonly index: string;
  readonly query: DocumentQuery;
  readonly request: AggregateRequest;
  /** The sums of each bucket. */
  readonly aggs: DocumentQuery;
}

async function whole({ connection, index, query, aggs }: Prepared): Promise<Aggregated> {
  const asked = { index, size: 0, query, aggs, track_total_hits: true };
  const { total: count, aggregations } = await search<unknown, { sum?: AggregateBucket['sum'] }>(connection, asked);
  return aggregated([bucketOf({ doc_count: count, ...(aggregations?.sum && { sum: aggregations.sum }) }, [])], 1);
}

const topOf = async ({ connection, index, query }: Prepared, aggs: DocumentQuery): Promise<Grouped> =>
  (await search<unknown, { groups?: Grouped }>(connection, { index, size: 0, query, aggs })).aggregations?.groups ?? {
    buckets: [],
  };

async function byOne(prepared: Prepared, key: TermKey): Promise<Aggregated> {
  const { limit } = prepared.request;
  const top = await topOf(prepared, termsOf(key, limit, prepared.aggs));
  const buckets = top.buckets.map((one) => bucketOf(one, [keyText(key, one.key)]));
  return aggregated(buckets, limit, isCut(top));
}

/** Aggregates by time, and by a second key within each slot. */
async function byTime(prepared: Prepared, key: TermKey | undefined): Promise<Aggregated> {
  const { edges = [], measure, limit, by } = prepared.request;
  if (edges.length < 2) return NOTHING;
  const size = Math.max(1, Math.min(limit, Math.floor(MAX_BUCKETS / edges.length)));
  const inner = key === undefined ? prepared.aggs : termsOf(key, size, prepared.aggs);
  const { buckets: slots } = await topOf(prepared, timed(edges, MEASURED[measure].at, inner));
  const buckets = slots.flatMap((slot) => {
    const time = String(slot.key);
    if (key === undefined) return [bucketOf(slot, [time])];
    return (slot.groups?.buckets ?? []).map((one) => {
      const named = keyText(key, one.key);
      return bucketOf(one, by[0] === 'time' ? [time, named] : [named, time]);
    });
  });
  return aggregated(
    buckets,
    limit,
    slots.some(({ groups }) => groups !== undefined && isCut(groups)),
  );
}

type PairKey = Readonly<Record<'a' | 'b', string | number | null>>;
interface Pairs {
  readonly buckets: readonly (Omit<AggregateBucket, 'key'> & { readonly key: PairKey })[];
  readonly after_key?: PairKey;
}
/** Maximum of pages of pairs; further ones are cut. */
const MAX_PAGES = 5;

/** Two keys at once: read whole, as there is no list of the largest. */
async function byTwo({ connection, index, query, aggs, request }: Prepared, [a, b]: readonly [TermKey, TermKey]) {
  const sources = Object.entries({ a, b }).map(([name, key]) => ({
    [name]: { terms: { field: FIELDS[key], missing_bucket: true } },
  }));
  const found: Bucket[] = [];
  let after: PairKey | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const composite = { size: MAX_BUCKETS, sources, ...(after && { after }) };
    const asked = { index, size: 0, query, aggs: { pairs: { composite, aggs } } };
    const { aggregations } = await search<unknown, { pairs?: Pairs }>(connection, asked);
    const { buckets = [], after_key } = aggregations?.pairs ?? {};
    found.push(...buckets.map((one) => bucketOf(one, [keyText(a, one.key.a), keyText(b, one.key.b)])));
    after = after_key;
    if (after === undefined || buckets.length < MAX_BUCKETS) break;
  }
  return aggregated(found, request.limit, found.length === MAX_PAGES * MAX_BUCKETS);
}

/** Counts and sums events by common fields. */
export function aggregateEvents(connection: Connection, index: string, asked: AskedEvents): Promise<Aggregated> {
  const { request } = asked;
  const { sum } = MEASURED[request.measure];
  const aggs = sum === undefined ? {} : { sum };
  const prepared = { connection, index, query: aggregateQuery(asked), request, aggs };
  const [first, second] = request.by.filter(isNamed);
  if (request.by.includes('time')) return byTime(prepared, first);
  if (first === undefined) return whole(prepared);
  return second === undefined ? byOne(prepared, first) : byTwo(prepared, [first, second]);
}
