import { lastItem } from '#domain/assert.ts';
import type { PastRecord } from '#domain/correlation/on-demand/replay.ts';
import type { Decision } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS } from '#domain/correlation/status-transitions.ts';
import type { Extent, RecordsSince } from '#domain/ports/events/correlation-history.ts';
import { all, any, range, term, terms, wildcard } from '#infra/elasticsearch/cluster/query.ts';
import { type DocumentQuery, search } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import {
  type DecisionDocument,
  type EnrichedDocument,
  recordIn,
} from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readTransitions } from './event-transitions.ts';

const ARRIVAL = 'enriched.arrival';
const POSITION = `${ARRIVAL}.position`;

/**
 * The family `rearrivals` has a document of each second arrival; the other family has that of the last one once more.
 */
const indexOf = ({ names }: Store): string => `${names.every('enriched')},${names.every('rearrivals')}`;
const once = ({ names }: Store): DocumentQuery =>
  any(term(`${ARRIVAL}.rebound`, false), wildcard('_index', names.every('rearrivals')));

const fresh = async ({ indices }: Store): Promise<void> => {
  for (const family of ['enriched', 'rearrivals', 'decisions'] as const) await indices.fresh(family);
};

export async function extentOf(store: Store, tenant: string, from: number): Promise<Extent> {
  await fresh(store);
  const { total, aggregations } = await search<never, { first: { value: number | null } }>(store.connection, {
    index: indexOf(store),
    size: 0,
    track_total_hits: true,
    aggs: { first: { min: { field: POSITION } } },
    query: all(term(`${ARRIVAL}.tenant`, tenant), range(`${ARRIVAL}.time`, { gte: from }), once(store)),
  });
  return { records: total, first: total === 0 ? null : (aggregations?.first.value ?? null) };
}

export async function recordsSince(
  store: Store,
  tenant: string,
  { from, after, limit }: RecordsSince,
): Promise<PastRecord[]> {
  await fresh(store);
  const { documents } = await search<EnrichedDocument>(store.connection, {
    index: indexOf(store),
    size: limit,
    sort: [{ [POSITION]: 'asc' }],
    query: all(
      term(`${ARRIVAL}.tenant`, tenant),
      range(`${ARRIVAL}.time`, { gte: from }),
      range(POSITION, { gt: after }),
      once(store),
    ),
  });
  const records = documents.map(recordIn);
  const keys = [...new Set(records.map(({ arrival }) => arrival.eventId))].map((id) => ({ tenant, id }));
  const turns = await readTransitions(store, keys);
  return records.map((record) => ({ record, turns: turns.get(record.arrival.eventId) ?? NO_TRANSITIONS }));
}

const PAGE = 500;

/** Returns positions of an arrival. */
async function arrivedAt(store: Store, tenant: string, positions: readonly number[]): Promise<ReadonlySet<number>> {
  const { documents } = await search<EnrichedDocument>(store.connection, {
    index: indexOf(store),
    size: positions.length,
    _source: [POSITION],
    query: all(term(`${ARRIVAL}.tenant`, tenant), terms(POSITION, positions), once(store)),
  });
  return new Set(documents.map(({ enriched }) => enriched.arrival.position));
}

export async function requestsSince(store: Store, tenant: string, after: number, limit: number): Promise<Decision[]> {
  await fresh(store);
  const found: Decision[] = [];
  for (let since = after; found.length < limit; ) {
    const { documents } = await search<DecisionDocument>(store.connection, {
      index: store.names.every('decisions'),
      size: PAGE,
      sort: [{ 'decision.position': 'asc' }],
      query: all(term('decision.tenant', tenant), range('decision.position', { gt: since })),
    });
    const positions = documents.map(({ decision }) => decision.position);
    if (positions.length === 0) break;
    const arrived = await arrivedAt(store, tenant, positions);
    for (const { decision } of documents) if (!arrived.has(decision.position)) found.push(decision);
    since = lastItem(positions);
    if (positions.length < PAGE) break;
  }
  return found.slice(0, limit);
}
