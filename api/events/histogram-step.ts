const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps that are easy to read, ms. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28].map((n) => n * DAY),
];

const buckets = (from: number, to: number, step: number): number => Math.floor(to / step) - Math.floor(from / step) + 1;

/**
 * Returns the smallest step with at most `most` buckets in the range, all times in ms; long ranges use years of 52
 * weeks.
 */
export function histogramStep(from: number, to: number, most: number): number {
  const step = STEPS.find((one) => buckets(from, to, one) <= most);
  if (step !== undefined) return step;
  let years = 364 * DAY;
  while (buckets(from, to, years) > most) years *= 2;
  return years;
}
