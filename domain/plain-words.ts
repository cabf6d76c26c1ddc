const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const BETWEEN_ASCII_WORDS = /[^a-z0-9]+/g;

/** A text as words between spaces: lower case, without accents, cut at everything that is neither letter nor digit, as SQLite does. */
export function plainWords(text: string): string {
  const lower = text.toLowerCase();
  const plain = ASCII_ONLY.test(lower)
    ? lower.replace(BETWEEN_ASCII_WORDS, ' ')
    : lower.normalize('NFD').replace(MARKS, '').replace(BETWEEN_WORDS, ' ');
  return plain.trim();
}
