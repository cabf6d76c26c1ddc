import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Forecast, forecast, middle } from './forecast.ts';
import { intervalAround, quantile, residualsOf } from './residuals.ts';

const HOURS = 24;
const WEEK = 7 * HOURS;
/** Busy by day, quiet by night and at weekends. */
const usual = (hour: number): number => (Math.floor(hour / HOURS) % 7 < 5 && hour % HOURS >= 8 ? 40 : 4);
const weeks = (number: number, count = usual): number[] => Array.from({ length: number * WEEK }, (_, i) => count(i));
const asForecast = (found: ReturnType<typeof forecast>): Forecast => {
  if ('reason' in found) throw new Error(found.reason);
  return found;
};

test.each([
  [[], 0],
  [[5], 5],
  [[1, 9], 5],
  [[100, 3, 5, 1], 4],
  [[3, 1, 2], 2],
])('the middle of %j is %d', (values, expected) => {
  expect(middle(values)).toBe(expected);
});

describe('a series', () => {
  test('that repeats each week is predicted as it is, and better than nothing can be is no number', () => {
    const { method, predicted, backtest } = asForecast(forecast({ counts: weeks(8), perDay: HOURS }, 48));
    expect(method).toBe('weekly');
    expect(predicted.map(({ value }) => value)).toEqual(Array.from({ length: 48 }, (_, i) => usual(8 * WEEK + i)));
    expect(predicted[10]).toEqual({ value: 40, low80: 40, high80: 40, low95: 40, high95: 40 });
    expect(backtest).toEqual({ mase: null, coverage80: 1, steps: WEEK });
  });

  test('with one odd week is predicted as if there were none', () => {
    const counts = weeks(8).map((count, i) => (Math.floor(i / WEEK) === 6 ? count * 10 : count));
    const { predicted, backtest } = asForecast(forecast({ counts, perDay: HOURS }, HOURS));
    expect(predicted.map(({ value }) => value)).toEqual(Array.from({ length: HOURS }, (_, i) => usual(i)));
    // Last week's value was ten times too much.
    expect(backtest.mase).toBeLessThan(0.1);
  });

  test.each([
    [13, null, 0],
    [14, 'daily', HOURS],
    [35, 'daily', HOURS],
    [36, 'weekly', 60],
  ] as const)('of %d days is predicted by %s', (days, method, steps) => {
    const found = forecast({ counts: weeks(6).slice(0, days * HOURS), perDay: HOURS }, 60);
    if (method === null) expect(found).toEqual({ reason: expect.stringContaining('13 days') });
    else expect(found).toMatchObject({ method, predicted: { length: steps } });
  });

  test('of days is predicted by weekdays, a week at most', () => {
    const counts = Array.from({ length: 70 }, (_, day) => 10 * (day % 7));
    const { predicted } = asForecast(forecast({ counts, perDay: 1 }, 30));
    expect(predicted.map(({ value }) => value)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  });

  test('of any counts has intervals around its values, within each other and not below nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 50, maxLength: 90 }), (counts) => {
        for (const { value, ...range } of asForecast(forecast({ counts, perDay: 1 }, 7)).predicted) {
          expect(range.low95).toBeGreaterThanOrEqual(0);
          expect(range.low95).toBeLessThanOrEqual(range.low80);
          expect(range.high80).toBeLessThanOrEqual(range.high95);
          expect(Number.isFinite(range.high95 + value)).toBe(true);
        }
      }),
    );
  });
});

describe('intervals', () => {
  test.each([
    [0.1, 1],
    [0.9, 9],
    [0.5, 5],
    [0.05, -Infinity],
    [0.95, Infinity],
  ])('of nine errors the quantile %d', (share, expected) => {
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9], share)).toBe(expected);
  });

  test('grow with the errors that were made', () => {
    const residuals = residualsOf(Array.from({ length: 99 }, (_, i) => [i + 1, 50] as const));
    const { low, high } = intervalAround(50, residuals, 0.8);
    expect(low).toBeCloseTo(10, 6);
    expect(high).toBeCloseTo(90, 6);
    const wide = intervalAround(200, residuals, 0.8);
    expect(wide.high - wide.low).toBeGreaterThan(high - low);
  });
});
