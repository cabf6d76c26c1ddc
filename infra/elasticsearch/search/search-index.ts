import type { estypes } from '@elastic/elasticsearch';
import { known } from '#domain/known.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { SearchHit, SearchIndex } from '#domain/ports/search/search-index.ts';
import type { SearchRef } from '#domain/search/document.ts';
import { unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import { all, term } from '#infra/elasticsearch/cluster/query.ts';
import { count, type DocumentQuery, type SearchAfter, search, sourceOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { readMany } from '#infra/elasticsearch/documents/documents.ts';
import { documentWrite, placeOf, type StoredDocument } from './document.ts';
import { searchQuery, taggedQuery } from './query.ts';

/** Clauses of one query; Elasticsearch refuses many more. */
const MAX_KEYWORDS = 500;
/** Removed at once; the rest waits for the next call. */
const TRIMMED = 1_000;
/** Gone, never there, or put anew meanwhile. */
const DONE: readonly number[] = [200, 404, 409];
const OF_DOCUMENT = ['document'] as const;

interface Ranked {
  readonly query: DocumentQuery;
  readonly limit: number;
}

async function ranked({ connection, names, indices }: Store, { query, limit }: Ranked): Promise<SearchHit[]> {
  await indices.fresh('search');
  const request = {
    index: names.every('search'),
    query,
    size: limit,
    sort: ['_score', { at: 'desc' }, { id: 'asc' }],
    _source: ['document'],
    track_total_hits: false,
    allow_partial_search_results: false,
  };
  const { hits } = await connection.ask((client) => client.search<StoredDocument>(request as estypes.SearchRequest));
  return hits.hits.map((hit) => ({
    document: sourceOf(hit).document,
    score: hit._score ?? Number(hit.sort?.[0] ?? 0),
  }));
}

/** `now`, ms, as for puts. */
async function removeMany(store: Store, tenant: string, refs: readonly SearchRef[], now: number): Promise<void> {
  const { connection, names, indices } = store;
  const operations = refs.map((ref) => {
    const { index, id } = placeOf(names, tenant, ref);
    return { delete: { _index: index, _id: id, version: now, version_type: 'external_gte' as const } };
  });
  const { items } = await connection.askPatiently((client) => client.bulk({ operations, require_alias: true }));
  indices.wrote('search');
  const failed = items.find(({ delete: item }) => !DONE.includes(known(item, 'answer').status));
  if (failed !== undefined)
    throw unavailable(`it refuses to delete: ${failed.delete?.error?.reason ?? 'no reason given'}`);
}

/** The oldest beyond the newest `keep`. */
async function oldest({ connection, names, indices }: Store, query: DocumentQuery, keep: number): Promise<SearchRef[]> {
  await indices.fresh('search');
  const beyond = (await count(connection, names.every('search'), query)) - keep;
  if (beyond <= 0) return [];
  const { documents } = await search<StoredDocument>(connection, {
    index: names.every('search'),
    query,
    size: Math.min(beyond, TRIMMED),
    sort: [{ at: 'asc' }, { id: 'asc' }],
    _source: ['kind', 'id'],
  });
  return [...documents];
}

/** Points are read as they were last put; the rest sees what this process has put, and others' puts within a refresh. */
export const openSearchIndex = (store: Store, clock: Clock): SearchIndex => {
  const { connection, names, indices, bulk } = store;
  return {
    async put(tenant, documents) {
      const now = clock.now();
      await bulk.write(documents.map((document) => documentWrite(names, tenant, document, now)));
    },
    async remove(tenant, refs) {
      if (refs.length > 0) await removeMany(store, tenant, refs, clock.now());
    },
    async trim(tenant, kind, keep) {
      const refs = await oldest(store, all(term('tenant', tenant), term('kind', kind)), keep);
      if (refs.length > 0) await removeMany(store, tenant, refs, clock.now());
    },
    async get(tenant, refs) {
      const places = refs.map((ref) => placeOf(names, tenant, ref));
      const found = await readMany<StoredDocument>(connection, places, OF_DOCUMENT);
      return found.filter((stored) => stored !== undefined).map(({ document }) => document);
    },
    async list(tenant, { kind, after, limit }) {
      await indices.fresh('search');
      const { documents, ends } = await search<StoredDocument>(connection, {
        index: names.every('search'),
        query: all(term('tenant', tenant), term('kind', kind)),
        size: limit,
        sort: [{ at: 'desc' }, { id: 'desc' }],
        _source: OF_DOCUMENT,
        ...(after === undefined ? {} : { search_after: JSON.parse(after) as SearchAfter }),
      });
      const next = documents.length < limit ? null : JSON.stringify(ends.at(-1));
      return { documents: documents.map(({ document }) => document), next };
    },
    async search(tenant, query) {
      const asked = searchQuery(tenant, query);
      return asked === null ? [] : ranked(store, { query: asked, limit: query.limit });
    },
    async tagged(tenant, { keywords, kinds, limit }) {
      if (keywords.length === 0 || kinds.length === 0) return [];
      const query = taggedQuery(tenant, kinds, keywords.slice(0, MAX_KEYWORDS));
      return ranked(store, { query, limit });
    },
  };
};
