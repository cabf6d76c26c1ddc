import type { SearchDocument } from '#domain/search/document.ts';
import { type ConceptsOf, conceptsIn } from './recognise.ts';

const MAX_TITLE = 300;
const MAX_TEXT = 4_000;
const MAX_KEYWORDS = 500;

/** The document with the concepts of its lines, no larger than it may be. */
export const prepared = (document: SearchDocument, conceptsOf: ConceptsOf = conceptsIn): SearchDocument => {
  const title = document.title.slice(0, MAX_TITLE);
  const text = document.text.slice(0, MAX_TEXT);
  const keywords = [...new Set(document.keywords ?? [])].slice(0, MAX_KEYWORDS);
  const concepts = new Set([title, ...text.split('\n')].flatMap((line) => conceptsOf(line)));
  return { ...document, title, text, keywords, concepts: [...concepts] };
};
