import { itemAt } from '#domain/known.ts';

/** Fewer values tell no usual one. */
const LEAST_VALUES = 6;
/** Of the usual deviation; Iglewicz and Hoaglin. */
const FAR = 3.5;
/** Makes the median of deviations the standard deviation where values are normal. */
const NORMAL = 1.4826;
const LEAST_DEVIATION = 0.5;

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? itemAt(sorted, half) : (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2;
};

/** Places of values far above the others, the farthest first; on the scale of roots, on which counts vary alike. */
export function outliersIn(values: readonly number[]): number[] {
  if (values.length < LEAST_VALUES) return [];
  const scaled = values.map((value) => Math.sqrt(Math.max(0, value)));
  const middle = medianOf(scaled);
  const deviation = Math.max(LEAST_DEVIATION, NORMAL * medianOf(scaled.map((value) => Math.abs(value - middle))));
  return scaled
    .map((value, place) => ({ place, far: (value - middle) / deviation }))
    .filter(({ far }) => far > FAR)
    .sort((a, b) => b.far - a.far)
    .map(({ place }) => place);
}
