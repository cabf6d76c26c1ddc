import { itemAt } from '#domain/assert.ts';
import { intervalAround, residualsOf } from './residuals.ts';

/** Counts of equal steps, the oldest first; the first one is of a step with events. */
export interface Series {
  readonly counts: readonly number[];
  /** Steps: 24 or 1. */
  readonly perDay: number;
}

export interface Predicted {
  readonly value: number;
  readonly low80: number;
  readonly high80: number;
  readonly low95: number;
  readonly high95: number;
}
export interface Backtest {
  /** Mean error over that of last week's value: below 1 is better than it. Null when last week's value was never wrong. */
  readonly mase: number | null;
  /** Share of counts within the 80 % interval. */
  readonly coverage80: number;
  /** Counts predicted from earlier ones. */
  readonly steps: number;
}
/** `weekly`: the same time of the last 4 weeks. `daily`: the same time of the last 14 days. */
export type ForecastMethod = 'weekly' | 'daily';
export interface Forecast {
  readonly method: ForecastMethod;
  readonly predicted: readonly Predicted[];
  readonly backtest: Backtest;
}
export interface NoForecast {
  readonly reason: string;
}

const DAYS = 7;
const WEEKS = 4;
const SHORT_DAYS = 14;
/** Number of weeks needed for the weekly method; errors of those beyond the fourth define the intervals. */
const ENOUGH_WEEKS = 5;

/** The mean of the two in the middle, or the one; of nothing 0. */
export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length === 0) return 0;
  return Number.isInteger(half)
    ? (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2
    : itemAt(sorted, Math.floor(half));
}

interface Method {
  readonly name: ForecastMethod;
  /** Steps between similar values, and the number of them that is compared. */
  readonly season: number;
  readonly seasons: number;
  /** Maximum of steps ahead that it can predict. */
  readonly reach: number;
}
const weekly = ({ perDay }: Series): Method => ({
  name: 'weekly',
  season: DAYS * perDay,
  seasons: WEEKS,
  reach: DAYS * perDay,
});
const daily = ({ perDay }: Series): Method => ({ name: 'daily', season: perDay, seasons: SHORT_DAYS, reach: perDay });

/** The expected value of a step, from values at least a season before it. */
const expectedAt = (counts: readonly number[], at: number, { season, seasons }: Method): number => {
  const values: number[] = [];
  for (let back = 1; back <= seasons; back++) {
    const value = counts[at - back * season];
    if (value !== undefined) values.push(value);
  }
  return middle(values);
};

type Pair = readonly [actual: number, predicted: number];
/** Returns counts with their predictions, where at least half of the seasons before them are known. */
const pairsOf = (counts: readonly number[], method: Method, from: number, to: number): Pair[] => {
  const pairs: Pair[] = [];
  const known = Math.ceil(method.seasons / 2) * method.season;
  for (let at = Math.max(from, known); at < to; at++) pairs.push([itemAt(counts, at), expectedAt(counts, at, method)]);
  return pairs;
};

const meanError = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, [actual, predicted]) => sum + Math.abs(actual - predicted), 0) / Math.max(1, pairs.length);

/** Predicts the last week, or the last two days of short series, from earlier data. */
function backtest({ counts, perDay }: Series, method: Method): Backtest {
  const tested = method.name === 'weekly' ? DAYS * perDay : 2 * perDay;
  const start = counts.length - tested;
  const residuals = residualsOf(pairsOf(counts, method, 0, start));
  const pairs = pairsOf(counts, method, start, counts.length);
  const week = DAYS * perDay;
  const naive = pairs.map(([actual], i): Pair => [actual, counts[start + i - week] ?? 0]);
  const held = pairs.filter(([actual, predicted]) => {
    const { low, high } = intervalAround(predicted, residuals, 0.8);
    return actual >= low - ROUNDING && actual <= high + ROUNDING;
  });
  const error = meanError(naive);
  return {
    mase: error === 0 ? null : meanError(pairs) / error,
    coverage80: pairs.length === 0 ? 0 : held.length / pairs.length,
    steps: pairs.length,
  };
}
const ROUNDING = 1e-9;

const predictedOf = (value: number, residuals: readonly number[]): Predicted => {
  const [narrow, wide] = [intervalAround(value, residuals, 0.8), intervalAround(value, residuals, 0.95)];
  return { value, low80: narrow.low, high80: narrow.high, low95: wide.low, high95: wide.high };
};

const daysOf = (days: number): string => {
  if (days === 0) return 'less than a day available';
  return days === 1 ? '1 day available' : `${days} days available`;
};

/** Returns the next steps, up to the reach of the method and the requested number; or the reason why there are none. */
export function forecast(series: Series, steps: number): Forecast | NoForecast {
  const { counts, perDay } = series;
  const weeks = counts.length / (DAYS * perDay);
  if (weeks < 2) return { reason: `Forecasts need two weeks of events; ${daysOf(Math.floor(7 * weeks))}.` };
  const method = weeks > ENOUGH_WEEKS ? weekly(series) : daily(series);
  const residuals = residualsOf(pairsOf(counts, method, 0, counts.length));
  const ahead = Math.min(steps, method.reach);
  return {
    method: method.name,
    predicted: Array.from({ length: ahead }, (_, i) =>
      predictedOf(expectedAt(counts, counts.length + i, method), residuals),
    ),
    backtest: backtest(series, method),
  };
}
