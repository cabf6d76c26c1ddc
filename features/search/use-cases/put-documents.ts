import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { prepared } from '#features/search/rules/prepared.ts';

/** Puts documents into the index with what they speak of. */
export const putDocuments = async (
  { searchIndex }: Pick<Ports, 'searchIndex'>,
  tenant: string,
  documents: readonly SearchDocument[],
): Promise<void> => {
  if (documents.length > 0) await searchIndex.put(tenant, documents.map(prepared));
};
