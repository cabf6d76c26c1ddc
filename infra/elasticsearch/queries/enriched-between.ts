import type { Enriched } from '#domain/correlation/records.ts';
import { all, range, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { type SearchAfter, search } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type EnrichedDocument, recordIn } from '#infra/elasticsearch/documents/correlation-documents.ts';

interface EnrichedRange {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

const PAGE = 1_000;
const ARRIVAL = 'enriched.arrival';

/** Whole pages after the first: where few were wanted, all of it was superseded. */
const sizeOf = ({ limit }: EnrichedRange, after: SearchAfter | undefined): number =>
  after === undefined ? Math.min(limit, PAGE) : PAGE;

const searchPage = ({ connection, names }: Store, asked: EnrichedRange, after: SearchAfter | undefined) => {
  const { tenant, from, to, order } = asked;
  return search<EnrichedDocument>(connection, {
    index: names.every('enriched'),
    size: sizeOf(asked, after),
    query: all(term(`${ARRIVAL}.tenant`, tenant), range(`${ARRIVAL}.time`, { gte: from, lte: to })),
    sort: [{ [`${ARRIVAL}.time`]: order }, { [`${ARRIVAL}.position`]: order }],
    ...(after === undefined ? {} : { search_after: after }),
  });
};

/** The events among these, at most a page, that arrived again: their first record does not count any more. */
async function arrivedAgain({ connection, names }: Store, tenant: string, records: readonly Enriched[]) {
  const ids = records.filter(({ arrival }) => !arrival.rebound).map(({ arrival }) => arrival.eventId);
  if (ids.length === 0) return new Set<string>();
  // Each event has one document of its newest second arrival, so all of them fit.
  const { documents } = await search<EnrichedDocument>(connection, {
    index: names.every('enriched'),
    size: ids.length,
    _source: [`${ARRIVAL}.eventId`],
    query: all(term(`${ARRIVAL}.tenant`, tenant), terms(`${ARRIVAL}.eventId`, ids), term(`${ARRIVAL}.rebound`, true)),
  });
  return new Set(documents.map(({ enriched }) => enriched.arrival.eventId));
}

/** The newest enriched record of each event with event time in the range, by time, then position. */
export async function enrichedBetween(store: Store, asked: EnrichedRange): Promise<Enriched[]> {
  const found: Enriched[] = [];
  let after: SearchAfter | undefined;
  while (found.length < asked.limit) {
    const { documents, ends } = await searchPage(store, asked, after);
    const records = documents.map(recordIn);
    const superseded = await arrivedAgain(store, asked.tenant, records);
    for (const record of records)
      if (record.arrival.rebound || !superseded.has(record.arrival.eventId)) found.push(record);
    if (records.length < sizeOf(asked, after)) break;
    after = ends.at(-1);
  }
  return found.slice(0, asked.limit);
}
