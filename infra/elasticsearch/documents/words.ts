import { plainWords } from '#domain/plain-words.ts';

/** Each word that a user typed as a phrase of stored words. */
export const storedPhrases = (typed: string): string[] =>
  typed
    .split(/[\s\0]+/)
    .map(plainWords)
    .filter((words) => words !== '');

/** A shorter phrase is found whole only: nearly every text has a word that begins with a given letter. */
export const mayBegin = (phrase: string): boolean => phrase.replaceAll(' ', '').length > 1;
