/** A range of time, ms. */
export interface TimeSpanMs {
  readonly from: number;
  readonly to: number;
}

/** Returns the total time covered by at least one of the spans, ms. */
export const coveredMs = (spans: readonly TimeSpanMs[]): number => {
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
};
