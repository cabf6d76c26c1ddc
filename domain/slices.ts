/** Yields the items in order in slices of `size`; the last one may be smaller. */
export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
