import { hash128 } from '#domain/hash.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchKind } from '#domain/search/document.ts';

/** One id in 256: a store that has to count its documents does so seldom, and there are some hundreds too many at most. */
const isChosen = (id: string): boolean => hash128(id).startsWith('00');

/** Removes the oldest documents beyond `most`, now and then; `put`: IDs of the stored documents. */
export const boundDocuments = async (
  { searchIndex }: Pick<Ports, 'searchIndex'>,
  tenant: string,
  { kind, most, put }: { readonly kind: SearchKind; readonly most: number; readonly put: readonly string[] },
): Promise<void> => {
  if (put.some(isChosen)) await searchIndex.trim(tenant, kind, most);
};
