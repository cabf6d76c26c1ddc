import type { SearchQuery } from '#domain/ports/search/search-index.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { all, any, phrase, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import type { Query } from '#infra/elasticsearch/cluster/search.ts';
import { stems } from './document.ts';

/** What a find in each field is worth; the same as in SQLite. */
const WEIGHTS = { title: 3, text: 1, concepts: 2 } as const;
/** Words that one with typing errors may stand for. */
const EXPANSIONS = 20;

/** Names with numbers are right or wrong. */
const MAY_ERR = /^\p{L}{3,}$/u;

const withinTenant = (tenant: string, kinds: readonly SearchKind[]): Query[] => [
  term('tenant', tenant),
  terms('kind', kinds),
];

/** A word of several parts is a phrase. */
const wordQueries = (words: string, mayErr: boolean): Query[] =>
  (['title', 'text'] as const).map((field) =>
    mayErr && MAY_ERR.test(words)
      ? { match: { [field]: { query: words, boost: WEIGHTS[field], fuzziness: 'AUTO', max_expansions: EXPANSIONS } } }
      : { match_phrase: { [field]: { query: words, boost: WEIGHTS[field] } } },
  );

const stemmed = (typed: readonly string[]): string[] => [...new Set(typed.map(stems).filter((words) => words !== ''))];

/** Null when nothing can be found. */
export function searchQuery(tenant: string, query: SearchQuery): Query | null {
  const { words, concepts = [], phrases = [], kinds, alike = false } = query;
  const wanted = [
    ...stemmed(words).flatMap((one) => wordQueries(one, alike)),
    ...concepts.map((concept) => ({ match: { concepts: { query: concept, boost: WEIGHTS.concepts } } })),
  ];
  const needed = stemmed(phrases).map((one) => any(phrase('title', one), phrase('text', one)));
  if (kinds.length === 0 || wanted.length + needed.length === 0) return null;
  const filter = [...withinTenant(tenant, kinds), ...needed];
  return { bool: { filter, should: wanted, minimum_should_match: wanted.length > 0 ? 1 : 0 } };
}

/** One point for each keyword. */
export const taggedQuery = (tenant: string, kinds: readonly SearchKind[], keywords: readonly string[]): Query => ({
  bool: {
    filter: [all(...withinTenant(tenant, kinds))],
    should: [...new Set(keywords)].map((keyword) => ({ constant_score: { filter: term('keywords', keyword) } })),
    minimum_should_match: 1,
  },
});
