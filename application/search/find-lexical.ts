import type { Ports } from '#domain/ports/ports.ts';
import type { SearchHit, SearchQuery } from '#domain/ports/search/search-index.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { strangeWords } from '#domain/search/matched.ts';
import type { ReadSearch } from '#domain/search/read-search.ts';

/**
 * Finds documents by the words and concepts of a search, best first. Where no document has one of the words, documents with
 * words like it are found, too.
 */
export async function findLexical(
  { searchIndex }: Pick<Ports, 'searchIndex'>,
  tenant: string,
  read: ReadSearch,
  { kinds, limit }: { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<readonly SearchHit[]> {
  const query: SearchQuery = { ...read, kinds, limit };
  const exact = await searchIndex.search(tenant, query);
  const strange = strangeWords(
    exact.map(({ document }) => document),
    read,
  );
  return strange.length === 0 ? exact : searchIndex.search(tenant, { ...query, alike: true });
}
