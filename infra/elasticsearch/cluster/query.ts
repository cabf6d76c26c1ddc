import type { Query } from './search.ts';

/** The few kinds of conditions that Faultline asks with; none of them scores. */
export const term = (field: string, value: string | boolean): Query => ({ term: { [field]: value } });
export const terms = (field: string, values: readonly (string | number)[]): Query => ({ terms: { [field]: values } });
export const prefix = (field: string, value: string): Query => ({ prefix: { [field]: value } });
export const range = (field: string, bounds: { gte?: number; gt?: number; lte?: number; lt?: number }): Query => ({
  range: { [field]: bounds },
});
export const phrase = (field: string, words: string): Query => ({ match_phrase: { [field]: words } });
/** The last of the words may be the beginning of one: of the first 10,000 such words in the order of the alphabet. */
export const phrasePrefix = (field: string, words: string): Query =>
  words.includes(' ')
    ? { match_phrase_prefix: { [field]: { query: words, max_expansions: 10_000 } } }
    : prefix(field, words);
export const wildcard = (field: string, value: string): Query => ({ wildcard: { [field]: { value } } });
export const exists = (field: string): Query => ({ exists: { field } });
export const all = (...filter: readonly Query[]): Query => ({ bool: { filter } });
export const any = (...should: readonly Query[]): Query =>
  should.length === 0 ? NOTHING : { bool: { filter: [{ bool: { should, minimum_should_match: 1 } }] } };
export const not = (query: Query): Query => ({ bool: { must_not: [query] } });
export const NOTHING: Query = { match_none: {} };
export const EVERYTHING: Query = { match_all: {} };
