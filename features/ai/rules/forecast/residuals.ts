import { itemAt } from '#domain/assert.ts';

/** Counts vary with the root of their size; on this scale all of them vary alike. */
const SHIFT = 3 / 8;
const toScale = (count: number): number => Math.sqrt(Math.max(0, count) + SHIFT);
const fromScale = (value: number): number => Math.max(0, Math.max(0, value) ** 2 - SHIFT);

const ROUNDING = 1e-9;

/**
 * Returns the value below which this share is, computed for one more value than there are (conformal prediction);
 * infinite when there are too few.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length + 1);
  const rank = share < 0.5 ? Math.floor(place + ROUNDING) : Math.ceil(place - ROUNDING);
  if (rank < 1) return -Infinity;
  return rank > sorted.length ? Infinity : itemAt(sorted, rank - 1);
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the interval of a count with this probability, if errors are stable; residuals sorted, on the scale of roots.
 */
export function intervalAround(value: number, residuals: readonly number[], chance: number): Interval {
  const [below, above] = [quantile(residuals, (1 - chance) / 2), quantile(residuals, (1 + chance) / 2)];
  const at = toScale(value);
  // The largest error represents further ones when there are too few.
  const high = Number.isFinite(above) ? above : (residuals.at(-1) ?? 0);
  return { low: fromScale(at + below), high: fromScale(at + high) };
}

/** Returns the deviations of the counts from the predictions, on the scale of roots, sorted. */
export const residualsOf = (pairs: readonly (readonly [actual: number, predicted: number])[]): number[] =>
  pairs.map(([actual, predicted]) => toScale(actual) - toScale(predicted)).sort((a, b) => a - b);
