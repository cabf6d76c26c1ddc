import type { DocumentQuery } from './search.ts';

/** The few kinds of conditions that Faultline asks with; none of them scores. */
export const term = (field: string, value: string | boolean): DocumentQuery => ({ term: { [field]: value } });
export const terms = (field: string, values: readonly (string | number)[]): DocumentQuery => ({
  terms: { [field]: values },
});
export const prefix = (field: string, value: string): DocumentQuery => ({ prefix: { [field]: value } });
export const range = (
  field: string,
  bounds: { gte?: number; gt?: number; lte?: number; lt?: number },
): DocumentQuery => ({ range: { [field]: bounds } });
export const phrase = (field: string, words: string): DocumentQuery => ({ match_phrase: { [field]: words } });
/** The last of the words may be the beginning of one: of the first 10,000 such words in the order of the alphabet. */
export const phrasePrefix = (field: string, words: string): DocumentQuery =>
  words.includes(' ')
    ? { match_phrase_prefix: { [field]: { query: words, max_expansions: 10_000 } } }
    : prefix(field, words);
export const wildcard = (field: string, value: string): DocumentQuery => ({ wildcard: { [field]: { value } } });
export const exists = (field: string): DocumentQuery => ({ exists: { field } });
export const all = (...filter: readonly DocumentQuery[]): DocumentQuery => ({ bool: { filter } });
export const any = (...should: readonly DocumentQuery[]): DocumentQuery =>
  should.length === 0 ? NOTHING : { bool: { filter: [{ bool: { should, minimum_should_match: 1 } }] } };
export const not = (query: DocumentQuery): DocumentQuery => ({ bool: { must_not: [query] } });
export const NOTHING: DocumentQuery = { match_none: {} };
export const EVERYTHING: DocumentQuery = { match_all: {} };
