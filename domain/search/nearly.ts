import { itemAt } from '#domain/assert.ts';

/** Number of letters from which two errors are likely; in shorter words two make another word: `outage`, `usage`. */
const LONG = 8;

/** Changes that a word of this length may have: letters that are missing, too many, wrong or swapped. */
export const allowedErrors = (letters: number): number => (letters < LONG ? 1 : 2);

/** Returns the number of edits from one to the other, a swap of neighbors being one (optimal string alignment). */
const distance = (one: string, other: string): number => {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let best = Math.min(itemAt(last, j) + 1, itemAt(row, j - 1) + 1, itemAt(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        best = Math.min(best, itemAt(before, j - 2) + 1);
      row.push(best);
    }
    [before, last] = [last, row];
  }
  return itemAt(last, other.length);
};

/** True if `typed` may be `word` with typing errors. */
export const isNearly = (typed: string, word: string): boolean => {
  const allowed = allowedErrors(typed.length);
  // Few mistype the first letter, and with another one it is another word: `lost`, `host`.
  if (typed[0] !== word[0]) return false;
  return Math.abs(typed.length - word.length) <= allowed && distance(typed, word) <= allowed;
};
