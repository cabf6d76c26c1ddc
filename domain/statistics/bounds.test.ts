import { expect, test } from '@jest/globals';
import { upperErrorBound, wilson } from './bounds.ts';

test.each([
  // [hits, of, low, high]: R, prop.test(correct = FALSE) and binom.confint(methods = "wilson").
  [0, 10, 0, 0.2775],
  [5, 10, 0.2366, 0.7634],
  [81, 263, 0.2553, 0.3662],
  [10, 10, 0.7225, 1],
])("Wilson's interval of %i of %i", (hits, of, low, high) => {
  const interval = wilson(hits, of)!;
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

test('nothing counted has no interval', () => {
  expect(wilson(0, 0)).toBeNull();
});

/** The chance of at most k in n, summed. */
function binomialBelow(k: number, n: number, p: number): number {
  let [term, sum] = [(1 - p) ** n, 0];
  for (let i = 0; i <= k; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return sum;
}

test.each([
  // No error in n: 1 − 0.05^(1/n).
  [0, 30, 1 - 0.05 ** (1 / 30)],
  [0, 100, 1 - 0.05 ** (1 / 100)],
])('the upper bound of %i errors in %i', (errors, of, bound) => {
  expect(upperErrorBound(errors, of)).toBeCloseTo(bound, 8);
});

test.each([
  [1, 30],
  [3, 30],
  [17, 40],
  [5, 200],
  [39, 40],
])('at the upper bound of %i errors in %i so few come by chance in one of twenty cases', (errors, of) => {
  expect(binomialBelow(errors, of, upperErrorBound(errors, of))).toBeCloseTo(0.05, 6);
});

test('errors alone, and nothing, bound nothing', () => {
  expect(upperErrorBound(4, 4)).toBe(1);
  expect(upperErrorBound(0, 0)).toBe(1);
});
