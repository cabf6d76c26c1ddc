import { severityOfRank } from '#domain/event/event.ts';
import {
  type Aggregated,
  type AggregateKey,
  type AggregateRequest,
  type Bucket,
  MAX_BUCKETS,
} from '#domain/ports/events/event-aggregates.ts';
import { aggregated } from '#infra/aggregated.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { type DocumentQuery, search } from '#infra/elasticsearch/cluster/search.ts';
import { type AskedEvents, aggregateQuery, FIELDS, MEASURED } from './event-aggregate-query.ts';

/** Stands for what an event does not have: no text of a sender is this one. */
const MISSING = '\u0000';
interface Counted {
  readonly key: string | number;
  readonly doc_count: number;
  readonly sum?: { readonly value: number };
  readonly groups?: Grouped;
}
interface Grouped {
  readonly buckets: readonly Counted[];
  readonly sum_other_doc_count?: number;
}

type Named = Exclude<AggregateKey, 'time'>;
const isNamed = (key: AggregateKey): key is Named => key !== 'time';

/** Those with most events. Rank is a number, and no event lacks it. */
const termsOf = (key: Named, size: number, aggs: DocumentQuery): DocumentQuery => ({
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

const keyText = (key: Named, value: string | number | null): string | null => {
  if (value === MISSING || value === null) return null;
  return key === 'severity' ? severityOfRank(Number(value)) : String(value);
};

const bucketOf = ({ doc_count: count, sum }: Omit<Counted, 'key'>, keys: Bucket['keys']): Bucket => ({
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
  const { total: count, aggregations } = await search<unknown, { sum?: Counted['sum'] }>(connection, asked);
  return aggregated([bucketOf({ doc_count: count, ...(aggregations?.sum && { sum: aggregations.sum }) }, [])], 1);
}

const topOf = async ({ connection, index, query }: Prepared, aggs: DocumentQuery): Promise<Grouped> =>
  (await search<unknown, { groups?: Grouped }>(connection, { index, size: 0, query, aggs })).aggregations?.groups ?? {
    buckets: [],
  };

async function byOne(prepared: Prepared, key: Named): Promise<Aggregated> {
  const { limit } = prepared.request;
  const top = await topOf(prepared, termsOf(key, limit, prepared.aggs));
  const buckets = top.buckets.map((one) => bucketOf(one, [keyText(key, one.key)]));
  return aggregated(buckets, limit, isCut(top));
}

/** By time, and by a second key within each slot. */
async function byTime(prepared: Prepared, key: Named | undefined): Promise<Aggregated> {
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
  readonly buckets: readonly (Omit<Counted, 'key'> & { readonly key: PairKey })[];
  readonly after_key?: PairKey;
}
/** Pages of pairs; what comes behind them is cut. */
const MAX_PAGES = 5;

/** Two keys at once: read whole, as there is no list of the largest. */
async function byTwo({ connection, index, query, aggs, request }: Prepared, [a, b]: readonly [Named, Named]) {
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

/** Counts and sums of events by what they have in common. */
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
