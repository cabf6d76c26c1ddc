import type { SearchDocument } from '#domain/search/document.ts';
import { conceptsIn, type StemOf } from './recognise.ts';

const MAX_TITLE = 300;
const MAX_TEXT = 4_000;
const MAX_KEYWORDS = 500;

/** The document with its concepts, no larger than it may be. */
export const prepared = (document: SearchDocument, stem?: StemOf): SearchDocument => {
  const title = document.title.slice(0, MAX_TITLE);
  const text = document.text.slice(0, MAX_TEXT);
  const keywords = [...new Set(document.keywords ?? [])].slice(0, MAX_KEYWORDS);
  return { ...document, title, text, keywords, concepts: conceptsIn(`${title}\n${text}`, stem) };
};
