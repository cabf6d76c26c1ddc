import type { estypes } from '@elastic/elasticsearch';
import { assertDefined } from '#domain/assert.ts';
import { plainWords } from '#domain/plain-words.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { SearchHit, SearchIndex, SearchQuery } from '#domain/ports/search/search-index.ts';
import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';
import { allowedErrors } from '#domain/search/nearly.ts';
import { stemOf } from '#domain/search/stem.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import { all, any, phrase, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { count, type DocumentQuery, type SearchAfter, search, sourceOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type DocumentAddress, readMany } from '#infra/elasticsearch/documents/documents.ts';

/** A document as stored, with its search fields. */
interface StoredDocument {
  readonly tenant: string;
  readonly kind: SearchKind;
  readonly id: string;
  readonly at: number;
  readonly document: SearchDocument;
  /** Stems between spaces. */
  readonly title: string;
  readonly text: string;
  /** Names between spaces. */
  readonly concepts: string;
  readonly keywords: readonly string[];
}

/** Stems between spaces: a plain Elasticsearch has no analyzer that makes them. */
const stems = (text: string): string => plainWords(text).split(' ').map(stemOf).join(' ');

const placeOf = (names: Names, tenant: string, { kind, id }: SearchRef): DocumentAddress => ({
  index: names.single('search'),
  id: documentId(tenant, kind, id),
});

const storedOf = (tenant: string, document: SearchDocument): StoredDocument => ({
  tenant,
  kind: document.kind,
  id: document.id,
  at: document.at,
  document,
  title: stems(document.title),
  text: stems(document.text),
  concepts: (document.concepts ?? []).join(' '),
  keywords: document.keywords ?? [],
});

/** `now`, ms: the last writer wins, in any process. */
const documentWrite = (names: Names, tenant: string, document: SearchDocument, now: number): DocumentWrite => ({
  ...placeOf(names, tenant, document),
  family: 'search',
  key: { tenant, id: document.id },
  fence: 'gte',
  version: now,
  body: storedOf(tenant, document),
  creates: true,
});

/** The weight of a match in each field; the same as in SQLite. */
const WEIGHTS = { title: 3, text: 1, concepts: 2 } as const;
/** Maximum of words for one with typing errors. */
const EXPANSIONS = 20;

/** Names with numbers are right or wrong. */
const MAY_ERR = /^\p{L}{3,}$/u;

/** Stems for a mistyped word; the first letter is right. */
const nearly = (query: string, errors: number) => ({
  query,
  fuzziness: errors,
  prefix_length: 1,
  max_expansions: EXPANSIONS,
});

const withinTenant = (tenant: string, kinds: readonly SearchKind[]): DocumentQuery[] => [
  term('tenant', tenant),
  terms('kind', kinds),
];

/** A word of several parts is a phrase. `errors`: typing errors that it may have. */
const wordQueries = (words: string, errors: number): DocumentQuery[] =>
  (['title', 'text'] as const).map((field) =>
    errors > 0 && MAY_ERR.test(words)
      ? { match: { [field]: { ...nearly(words, errors), boost: WEIGHTS[field] } } }
      : { match_phrase: { [field]: { query: words, boost: WEIGHTS[field] } } },
  );

const stemmed = (typed: readonly string[]): string[] => [...new Set(typed.map(stems).filter((words) => words !== ''))];

/** Null when nothing can be found. */
function searchQuery(tenant: string, query: SearchQuery): DocumentQuery | null {
  const { words, concepts = [], phrases = [], kinds, alike = [] } = query;
  // Compares the typed letters: a stem may be much shorter.
  const errors = new Map(alike.map((word) => [stems(word), allowedErrors(plainWords(word).length)]));
  const wanted = [
    ...stemmed(words).flatMap((one) => wordQueries(one, errors.get(one) ?? 0)),
    ...concepts.map((concept) => ({ match: { concepts: { query: concept, boost: WEIGHTS.concepts } } })),
  ];
  const needed = stemmed(phrases).map((one) => any(phrase('title', one), phrase('text', one)));
  if (kinds.length === 0 || wanted.length + needed.length === 0) return null;
  const filter = [...withinTenant(tenant, kinds), ...needed];
  return { bool: { filter, should: wanted, minimum_should_match: wanted.length > 0 ? 1 : 0 } };
}

/** One point for each keyword. */
const taggedQuery = (tenant: string, kinds: readonly SearchKind[], keywords: readonly string[]): DocumentQuery => ({
  bool: {
    filter: [all(...withinTenant(tenant, kinds))],
    should: [...new Set(keywords)].map((keyword) => ({ constant_score: { filter: term('keywords', keyword) } })),
    minimum_should_match: 1,
  },
});

/** Clauses of one query; Elasticsearch refuses many more. */
const MAX_KEYWORDS = 500;
/** Removed at once; further ones wait for the next call. */
const TRIMMED = 1_000;
/** Gone, never existed, or replaced meanwhile. */
const DONE: readonly number[] = [200, 404, 409];
const OF_DOCUMENT = ['document'] as const;

interface RankedQuery {
  readonly query: DocumentQuery;
  readonly limit: number;
}

async function ranked({ connection, names, indices }: Store, { query, limit }: RankedQuery): Promise<SearchHit[]> {
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
  indices.wrote('search', [tenant]);
  const failed = items.find(({ delete: item }) => !DONE.includes(assertDefined(item, 'answer').status));
  if (failed !== undefined) throw unavailable(`delete rejected: ${failed.delete?.error?.reason ?? 'no reason given'}`);
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

/** Point reads return the latest put; the rest includes puts of this process, and others' puts within a refresh. */
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
