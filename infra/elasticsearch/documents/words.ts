import { plainWords } from '#domain/plain-words.ts';

/** Phrases that must all match: the words that a user typed. Empty when there are none. */
export const phrases = (typed: string): string[] =>
  typed
    .split(/[\s\0]+/)
    .map(plainWords)
    .filter((phrase) => phrase !== '');

/** A shorter phrase is found whole only: nearly every text has a word that begins with a given letter. */
export const mayBegin = (phrase: string): boolean => phrase.replaceAll(' ', '').length > 1;
