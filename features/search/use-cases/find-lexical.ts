import type { Ports } from '#domain/ports/ports.ts';
import type { SearchHit, SearchQuery } from '#domain/ports/search/search-index.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { coverage, strangeWords } from '#features/search/rules/matched.ts';
import type { ReadSearch } from '#features/search/rules/read-search.ts';

/** Extra weight of all search words in a document or its title: word statistics alone rank a rare word above a matching pair. */
const ALL = 1;
const TITLE = 2;

/** Hits, best first. `strange`: words treated as mistyped. */
export interface LexicalHits {
  readonly hits: readonly SearchHit[];
  readonly strange: readonly string[];
}

const ranked = (hits: readonly SearchHit[], read: ReadSearch, strange: readonly string[]): SearchHit[] =>
  hits
    .map(({ document, score }) => {
      const { title, all } = coverage(document, read, strange);
      return { document, score: score * (1 + ALL * all + TITLE * title) };
    })
    .sort((a, b) => b.score - a.score);

/**
 * Finds documents by the words and concepts of a search, best first. Where no document has one of the words, and it is none that rules
 * know, documents with words like it are found, too.
 */
export async function findLexical(
  { searchIndex }: Pick<Ports, 'searchIndex'>,
  tenant: string,
  read: ReadSearch,
  { kinds, limit }: { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<LexicalHits> {
  const query: SearchQuery = { ...read, kinds, limit };
  const exact = await searchIndex.search(tenant, query);
  const strange = strangeWords(
    exact.map(({ document }) => document),
    read,
  );
  const hits = strange.length === 0 ? exact : await searchIndex.search(tenant, { ...query, alike: strange });
  return { hits: ranked(hits, read, strange), strange };
}
