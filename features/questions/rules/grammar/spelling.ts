/** Shorter words are too near to others. */
const LEAST_LETTERS = 5;

/** Whether one letter is missing, too many, wrong, or changed places with its neighbour; in one pass over both. */
export function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let [a, b] = [one.length - 1, other.length - 1];
  while (a >= start && b >= start && one[a] === other[b]) [a, b] = [a - 1, b - 1];
  const [inOne, inOther] = [a - start + 1, b - start + 1];
  if (inOne <= 1 && inOther <= 1) return true;
  return inOne === 2 && inOther === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
}

/** The word that is meant; itself when it is known or too far from all. Words that begin alike are preferred. */
export function corrected(word: string, known: ReadonlySet<string>): string {
  if (word.length < LEAST_LETTERS || known.has(word) || !/^[a-z]+$/.test(word)) return word;
  let near: string | null = null;
  for (const one of known) {
    if (one.length < LEAST_LETTERS || !isOneOff(word, one)) continue;
    if (one[0] === word[0]) return one;
    near ??= one;
  }
  return near ?? word;
}
