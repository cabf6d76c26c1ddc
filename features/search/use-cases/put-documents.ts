import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { prepared } from '#features/search/rules/prepared.ts';
import { type ConceptsOf, openConcepts } from '#features/search/rules/recognise.ts';

const CONCEPTS: MemorySlot<ConceptsOf> = { name: 'search-concepts', open: openConcepts };

/** Puts documents into the index with their concepts. */
export const putDocuments = async (
  { searchIndex, memory }: Pick<Ports, 'searchIndex' | 'memory'>,
  tenant: string,
  documents: readonly SearchDocument[],
): Promise<void> => {
  const conceptsOf = memory.of(CONCEPTS);
  if (documents.length > 0)
    await searchIndex.put(
      tenant,
      documents.map((document) => prepared(document, conceptsOf)),
    );
};
