import { float64At } from '#domain/known.ts';

/* Sets of numbers in ascending order, each number once. */

/** The union. */
export function unionOf(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  let [i, k, n] = [0, 0, 0];
  while (i < a.length || k < b.length) {
    const [x, y] = [a[i] ?? Number.POSITIVE_INFINITY, b[k] ?? Number.POSITIVE_INFINITY];
    both[n++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return both.subarray(0, n);
}

/** The intersection. */
export function intersectionOf(a: Float64Array, b: Float64Array): Float64Array {
  const common = new Float64Array(Math.min(a.length, b.length));
  let [i, k, n] = [0, 0, 0];
  while (i < a.length && k < b.length) {
    const [x, y] = [float64At(a, i), float64At(b, k)];
    if (x === y) common[n++] = x;
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return common.subarray(0, n);
}
