/** A statement with a confidence, and its truth. */
export interface JudgedStatement {
  readonly confidence: number;
  readonly isRight: boolean;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly judged: number;
  readonly meanConfidence: number | null;
  /** Share that was right. */
  readonly hitRate: number | null;
}

/** Null: of no values. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Compares confidence with outcomes, in this number of bins of equal width. */
export function binsOf(all: readonly JudgedStatement[], bins: number): Bin[] {
  const binOf = (confidence: number): number => Math.min(bins - 1, Math.floor(confidence * bins));
  return Array.from({ length: bins }, (_, n) => {
    const own = all.filter(({ confidence }) => binOf(confidence) === n);
    return {
      from: n / bins,
      to: (n + 1) / bins,
      judged: own.length,
      meanConfidence: mean(own.map(({ confidence }) => confidence)),
      hitRate: mean(own.map(({ isRight }) => Number(isRight))),
    };
  });
}

/** Mean distance of confidence and share that was right, weighted by bins; null: nothing was judged. */
export function calibrationError(bins: readonly Bin[]): number | null {
  const all = bins.reduce((sum, { judged }) => sum + judged, 0);
  if (all === 0) return null;
  return bins.reduce((sum, { judged, meanConfidence, hitRate }) => {
    if (meanConfidence === null || hitRate === null) return sum;
    return sum + (judged / all) * Math.abs(meanConfidence - hitRate);
  }, 0);
}
