import type { Event } from '#domain/event/event.ts';
import { isCutOtherwise, plainWords } from '#domain/plain-words.ts';

const NUMBERS = /\d+/g;

/** True when search must learn the new description: readings that differ in numbers alone are not worth an index update. */
export const wordsDiffer = (before: Event, after: Event): boolean =>
  before.description !== after.description &&
  before.description?.replace(NUMBERS, '0') !== after.description?.replace(NUMBERS, '0');

/** Returns the text for the index: words that SQLite would split differently are split before. */
export const indexed = (text: string): string => (isCutOtherwise(text) ? plainWords(text) : text);
