import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import { SEARCH_KINDS, type SearchDocument } from '#domain/search/document.ts';
import { prepared } from '#features/search/rules/prepared.ts';
import { readSearch } from '#features/search/rules/read-search.ts';
import { findLexical } from '#features/search/use-cases/find-lexical.ts';

/** Results that are looked at. */
const AT = 10;
/** As the search itself looks at more than it shows. */
const LOOKED_AT = 2 * AT + 20;
const TENANT = 'measured';

interface Searches {
  readonly documents: readonly Omit<SearchDocument, 'at'>[];
  readonly searches: readonly { readonly id: string; readonly q: string; readonly relevant: readonly string[] }[];
}
const read = <T>(file: string): T => parse(readFileSync(new URL(`./${file}.yaml`, import.meta.url), 'utf8'));

/** Both search the documents that came with the first ones; the later ones were written when those had been measured. */
export type SearchSet = 'searches' | 'searches-later';
export const SEARCH_SETS: readonly SearchSet[] = ['searches', 'searches-later'];
/** The least recall that each is to reach. */
export const MIN_RECALL: Readonly<Record<SearchSet, number>> = { searches: 0.8, 'searches-later': 0.75 };

export interface Measured {
  readonly searches: number;
  readonly documents: number;
  /** Mean share of the relevant documents among the first ten, of at most ten. */
  readonly recall: number;
  /** Share of searches whose first result is relevant. */
  readonly first: number;
}

/** How well searches that others have written find what they mean. */
export async function measureRecall(searchIndex: SearchIndex, set: SearchSet = 'searches'): Promise<Measured> {
  const { documents } = read<Pick<Searches, 'documents'>>('searches');
  const { searches } = read<Pick<Searches, 'searches'>>(set);
  await searchIndex.put(
    TENANT,
    documents.map((document) => prepared({ ...document, at: 0 })),
  );
  let [recall, first] = [0, 0];
  for (const { q, relevant } of searches) {
    const { hits } = await findLexical({ searchIndex }, TENANT, readSearch(q), {
      kinds: SEARCH_KINDS,
      limit: LOOKED_AT,
    });
    const ids = hits.slice(0, AT).map(({ document }) => document.id);
    recall += relevant.filter((id) => ids.includes(id)).length / Math.min(AT, relevant.length);
    first += relevant.includes(ids[0] ?? '') ? 1 : 0;
  }
  return {
    searches: searches.length,
    documents: documents.length,
    recall: recall / searches.length,
    first: first / searches.length,
  };
}
