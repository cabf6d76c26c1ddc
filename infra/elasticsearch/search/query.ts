import { plainWords } from '#domain/plain-words.ts';
import type { SearchQuery } from '#domain/ports/search/search-index.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { allowedErrors } from '#domain/search/nearly.ts';
import { all, any, phrase, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import { stems } from './document.ts';

/** The weight of a match in each field; the same as in SQLite. */
const WEIGHTS = { title: 3, text: 1, concepts: 2 } as const;
/** Words that one with typing errors may stand for. */
const EXPANSIONS = 20;

/** Names with numbers are right or wrong. */
const MAY_ERR = /^\p{L}{3,}$/u;

/** Stems that one may stand for; the first letter is right. */
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
export function searchQuery(tenant: string, query: SearchQuery): DocumentQuery | null {
  const { words, concepts = [], phrases = [], kinds, alike = [] } = query;
  // By the letters that were typed: a stem may be much shorter.
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
export const taggedQuery = (
  tenant: string,
  kinds: readonly SearchKind[],
  keywords: readonly string[],
): DocumentQuery => ({
  bool: {
    filter: [all(...withinTenant(tenant, kinds))],
    should: [...new Set(keywords)].map((keyword) => ({ constant_score: { filter: term('keywords', keyword) } })),
    minimum_should_match: 1,
  },
});
