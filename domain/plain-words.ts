const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const BETWEEN_ASCII_WORDS = /[^a-z0-9]+/g;

/** Letters that are no letter with an accent, as those write them who have them not on their keyboards. */
const WRITTEN: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);
const LETTERS = /[ßæœøłđðþı]/g;
/** Scripts that put no blanks between words: each letter counts as a word, and several as a phrase. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
const OTHERWISE = /[ßæœøłđðþı\u1e9e\uff01-\uffee\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/iu;

/** True if a full-text index of SQLite splits the text into other words than `plainWords` does. */
export const isCutOtherwise = (text: string): boolean => !ASCII_ONLY.test(text) && OTHERWISE.test(text);

/**
 * A text as words between spaces: lower case, without accents, cut at everything that is neither letter nor digit. Of most texts SQLite
 * makes the same (`isCutOtherwise`).
 */
export function plainWords(text: string): string {
  const lower = text.toLowerCase();
  const plain = ASCII_ONLY.test(lower)
    ? lower.replace(BETWEEN_ASCII_WORDS, ' ')
    : lower
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(LETTERS, (letter) => WRITTEN.get(letter) ?? letter)
        .replace(UNSPACED, ' $& ')
        .replace(BETWEEN_WORDS, ' ');
  return plain.trim();
}
