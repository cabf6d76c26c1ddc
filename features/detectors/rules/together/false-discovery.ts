/** Findings that pass, with the share of false ones among all that are at least as sure. */
export interface Discovery<T> {
  readonly item: T;
  readonly falseShare: number;
}

/**
 * Benjamini and Hochberg: of `tests` findings those of which at most `share` are false, the surest first. Findings that are not among
 * the items have a chance of 1.
 */
export function discoveries<T>(
  items: readonly T[],
  chanceOf: (item: T) => number,
  { tests, share }: { readonly tests: number; readonly share: number },
): Discovery<T>[] {
  const sorted = items.map((item) => ({ item, chance: chanceOf(item) })).sort((a, b) => a.chance - b.chance);
  let least = 1;
  const judged = sorted
    .map(({ item, chance }, i) => ({ item, own: (chance * tests) / (i + 1) }))
    .reverse()
    .map(({ item, own }): Discovery<T> => {
      least = Math.min(least, own);
      return { item, falseShare: least };
    })
    .reverse();
  return judged.filter(({ falseShare }) => falseShare <= share);
}
