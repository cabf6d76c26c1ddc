import type { Client, estypes } from '@elastic/elasticsearch';
import { assertDefined } from '#domain/assert.ts';
import { type Connection, unavailable } from './connection.ts';

/** A query as Elasticsearch reads it. */
export type DocumentQuery = Readonly<Record<string, unknown>>;
type SortOrder = Readonly<Record<string, 'asc' | 'desc'>>;
/** Start of the next page. */
export type SearchAfter = readonly (number | string)[];

export interface SearchRequest {
  readonly index?: string;
  readonly pit?: { readonly id: string; readonly keep_alive: string };
  readonly query: DocumentQuery;
  readonly size: number;
  readonly from?: number;
  readonly sort?: readonly SortOrder[];
  readonly search_after?: SearchAfter;
  /** Parts of the documents; absent: whole. */
  readonly _source?: readonly string[];
  /** Absent: no total is counted. */
  readonly track_total_hits?: boolean;
  readonly aggs?: DocumentQuery;
}

interface SearchOutcome<T, Aggregations> {
  readonly documents: readonly T[];
  /** Total, or -1 when not counted. */
  readonly total: number;
  /** Sort values of each document. */
  readonly ends: readonly SearchAfter[];
  readonly pit: string | null;
  /** Undefined when there is no index at all. */
  readonly aggregations: Aggregations | undefined;
}

export const sourceOf = <T>({ _source }: estypes.SearchHit<T>): T & {} => assertDefined(_source, 'source of a hit');

/** The version that a write expects of the document. */
export const versionOf = ({ _seq_no, _primary_term }: Pick<estypes.SearchHit, '_seq_no' | '_primary_term'>) => ({
  if_seq_no: assertDefined(_seq_no, 'sequence number'),
  if_primary_term: assertDefined(_primary_term, 'primary term'),
});

/** Searches of one request that the engine runs at once. */
const CONCURRENT = 4;

/** Aggregations of several searches, by one request; undefined where there is no index at all. Fails as a whole. */
export async function aggregateMany<Aggregations>(
  connection: Connection,
  index: string,
  asked: readonly Pick<SearchRequest, 'query' | 'aggs'>[],
): Promise<(Aggregations | undefined)[]> {
  if (asked.length === 0) return [];
  const searches = asked.flatMap((one) => [
    { index, allow_partial_search_results: false },
    { ...one, size: 0, track_total_hits: false },
  ]);
  const { responses } = await connection.ask((client) =>
    client.msearch({ searches: searches as estypes.MsearchRequestItem[], max_concurrent_searches: CONCURRENT }),
  );
  return responses.map((response) => {
    if ('error' in response) throw unavailable(`${response.error.type} ${response.error.reason ?? ''}`);
    return response.aggregations as Aggregations | undefined;
  });
}

/** Searches whole indices or fails: an answer without the rows of a missing shard would be wrong. */
export async function search<T, Aggregations = unknown>(
  connection: Connection,
  asked: SearchRequest,
): Promise<SearchOutcome<T, Aggregations>> {
  // The client's types of queries do not fit `exactOptionalPropertyTypes`.
  const request = { track_total_hits: false, ...asked, allow_partial_search_results: false } as estypes.SearchRequest;
  const question = (client: Client) => client.search<T, Aggregations>(request);
  const { hits, pit_id, aggregations } = await (asked.pit === undefined
    ? connection.ask(question)
    : connection.askPatiently(question));
  return {
    documents: hits.hits.map(sourceOf),
    total: typeof hits.total === 'object' ? hits.total.value : -1,
    ends: hits.hits.map(({ sort }) => sort as SearchAfter),
    pit: pit_id ?? null,
    aggregations,
  };
}

/** Searches for values of fields, which are beside the documents: these are large and packed. Fails as `search` does. */
export async function searchValues<Fields>(connection: Connection, fields: readonly string[], asked: SearchRequest) {
  const values = { _source: false, stored_fields: '_none_', docvalue_fields: fields };
  const whole = { allow_partial_search_results: false, track_total_hits: false };
  const request = { ...asked, ...values, ...whole } as estypes.SearchRequest;
  const { hits } = await connection.ask((client) => client.search(request));
  return hits.hits.map(({ _index, sort, ...hit }) => ({
    index: _index,
    fields: assertDefined(hit.fields, 'fields of a hit') as Fields,
    end: sort as SearchAfter,
  }));
}

export const count = async (connection: Connection, index: string, query: DocumentQuery): Promise<number> =>
  (await search(connection, { index, query, size: 0, track_total_hits: true })).total;
