import type { Client, estypes } from '@elastic/elasticsearch';
import { known } from '#domain/known.ts';
import type { Connection } from './connection.ts';

/** A query as Elasticsearch reads it. */
export type DocumentQuery = Readonly<Record<string, unknown>>;
type SortOrder = Readonly<Record<string, 'asc' | 'desc'>>;
/** Where the next page begins. */
export type SearchAfter = readonly (number | string)[];

export interface Search {
  readonly index?: string;
  readonly pit?: { readonly id: string; readonly keep_alive: string };
  readonly query: DocumentQuery;
  readonly size: number;
  readonly from?: number;
  readonly sort?: readonly SortOrder[];
  readonly search_after?: SearchAfter;
  /** Parts of the documents; absent: whole. */
  readonly _source?: readonly string[];
  /** Absent: nobody counts. */
  readonly track_total_hits?: boolean;
  readonly aggs?: DocumentQuery;
}

interface Found<T, Aggregations> {
  readonly documents: readonly T[];
  /** -1 when nobody counted. */
  readonly total: number;
  /** Of each document, what it was sorted by. */
  readonly ends: readonly SearchAfter[];
  readonly pit: string | null;
  /** Undefined when there is no index at all. */
  readonly aggregations: Aggregations | undefined;
}

export const sourceOf = <T>({ _source }: estypes.SearchHit<T>): T & {} => known(_source, 'source of a hit');

/** The version that a write expects of the document. */
export const versionOf = ({ _seq_no, _primary_term }: Pick<estypes.SearchHit, '_seq_no' | '_primary_term'>) => ({
  if_seq_no: known(_seq_no, 'sequence number'),
  if_primary_term: known(_primary_term, 'primary term'),
});

/** Searches whole indices or fails: an answer without the rows of a missing shard would be a lie. */
export async function search<T, Aggregations = unknown>(
  connection: Connection,
  asked: Search,
): Promise<Found<T, Aggregations>> {
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

export const count = async (connection: Connection, index: string, query: DocumentQuery): Promise<number> =>
  (await search(connection, { index, query, size: 0, track_total_hits: true })).total;
