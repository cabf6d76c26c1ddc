import { float64At } from '#domain/assert.ts';

/** Probability of an accidental difference below which counts have changed significantly. */
const SIGNIFICANT = 0.05;
/** Number of events up to which the probability is exact; beyond, the normal curve is as good. */
const EXACT_UP_TO = 1_000;

/** Logarithms of factorials, summed: exact enough for chances. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let i = 2; i <= n; i++) logs[i] = float64At(logs, i - 1) + Math.log(i);
  return logs;
}

function exactTail(most: number, n: number): number {
  const logs = logFactorials(n);
  let tail = 0;
  for (let i = most; i <= n; i++)
    tail += Math.exp(float64At(logs, n) - float64At(logs, i) - float64At(logs, n - i) - n * Math.LN2);
  return tail;
}

/** Upper tail of the standard normal distribution (Abramowitz and Stegun 26.2.17; error below 1e-7). */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/**
 * Returns the two-sided probability that two counts over equal durations differ at least this much at the same rate.
 */
export function chanceOf(before: number, now: number): number {
  const n = before + now;
  const most = Math.max(before, now);
  if (n === 0 || before === now) return 1;
  const tail = n <= EXACT_UP_TO ? exactTail(most, n) : normalTail((most - 0.5 - n / 2) / (Math.sqrt(n) / 2));
  return Math.min(1, 2 * tail);
}

export type RateChange = 'more' | 'fewer' | 'no change';

/** Returns the change of the event rate between two adjacent ranges of equal length. */
export const rateChange = (before: number, now: number): RateChange => {
  if (chanceOf(before, now) >= SIGNIFICANT) return 'no change';
  return now > before ? 'more' : 'fewer';
};
