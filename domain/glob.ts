/** `*` matches any characters, none among them, `?` one; everything else itself. */
export const isGlob = (pattern: string): boolean => pattern.includes('*') || pattern.includes('?');

/** The literal start of every match. */
export const globPrefix = (pattern: string): string => /^[^*?]*/.exec(pattern)?.[0] ?? '';

/** Matches in time of the product of both lengths at most: no star is tried again once a later one has been reached. */
export function globMatches(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  let [star, from] = [-1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      from = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star < 0) return false;
    else {
      p = star + 1;
      t = ++from;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
