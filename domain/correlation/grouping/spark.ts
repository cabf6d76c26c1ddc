/** Steps of a spark line. */
export const STEPS = 24;

/** How many of the times (ms) lie in each of 24 equal steps from `first` to `last`. */
export const sparkOf = (
  times: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
) => {
  const counts: number[] = Array.from({ length: STEPS }, () => 0);
  const span = last - first + 1;
  for (const time of times) {
    const step = Math.floor(((time - first) * STEPS) / span);
    counts[Math.min(STEPS - 1, Math.max(0, step))]! += 1;
  }
  return counts;
};
