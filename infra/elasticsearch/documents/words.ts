import { formerWords, isCutOtherwise, plainWords } from '#domain/plain-words.ts';

/** The ways in which each word that a user typed may be stored: as a phrase of today, and as one of programs up to 0.1. */
export const storedPhrases = (typed: string): string[][] =>
  typed
    .split(/[\s\0]+/)
    .filter((word) => plainWords(word) !== '')
    .map((word) => (isCutOtherwise(word) ? [plainWords(word), formerWords(word)] : [plainWords(word)]));

/** A shorter phrase is found whole only: nearly every text has a word that begins with a given letter. */
export const mayBegin = (phrase: string): boolean => phrase.replaceAll(' ', '').length > 1;
