import { forecast } from '#features/ai/rules/forecast/forecast.ts';
import { chanceOf } from '../../../bench/chance.ts';
import type { Row } from '../../../bench/report.ts';

const HOURS = 24;
const WEEK = 7 * HOURS;
/** Weeks of which something is known when the first day is predicted, and weeks that are predicted. */
const KNOWN = 8;
const TESTED = 3;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

interface Estate {
  readonly what: string;
  /** Events of a usual hour. */
  readonly rate: number;
  /** Growth per week. */
  readonly growth: number;
  /** Chance that an hour begins a burst, and its length in hours. */
  readonly bursts: number;
}
const ESTATES: readonly Estate[] = [
  { what: 'quiet', rate: 0.8, growth: 0, bursts: 0.002 },
  { what: 'usual', rate: 12, growth: 0.01, bursts: 0.004 },
  { what: 'busy and growing', rate: 150, growth: 0.03, bursts: 0.006 },
];

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function poisson(random: () => number, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * gaussian(random)));
  let [count, product] = [0, random()];
  for (const limit = Math.exp(-mean); product > limit; product *= random()) count++;
  return count;
}

/** Monitors are clumpy: the rate of an hour varies about the usual one, days differ, and bursts last some hours. */
function hourlyCounts(seed: number, { rate, growth, bursts }: Estate): number[] {
  const random = chanceOf(seed);
  let [burst, left, day] = [1, 0, 1];
  return Array.from({ length: (KNOWN + TESTED) * WEEK }, (_, hour) => {
    const [ofDay, weekday] = [hour % HOURS, Math.floor(hour / HOURS) % 7];
    if (ofDay === 0) day = Math.exp(0.15 * gaussian(random));
    if (left === 0 && random() < bursts) [burst, left] = [3 + 7 * random(), 1 + Math.floor(6 * random())];
    const shape = (weekday < 5 ? 1 : 0.45) * (1 + 0.7 * Math.sin(((ofDay - 8) / HOURS) * 2 * Math.PI));
    const clumps = Math.exp(0.3 * gaussian(random) - 0.045);
    const mean = rate * shape * day * clumps * (1 + growth) ** (hour / WEEK) * (left > 0 ? burst : 1);
    if (left > 0) left--;
    return poisson(random, mean);
  });
}

interface Figures {
  readonly mase: number;
  readonly coverage80: number;
  readonly coverage95: number;
}

/** Predicts each day, or each week, of the last weeks from earlier data. */
function judged(estate: Estate, seed: number, ahead: number): Figures {
  const counts = hourlyCounts(seed, estate);
  let [error, naive, in80, in95, number] = [0, 0, 0, 0, 0];
  for (let now = KNOWN * WEEK; now + ahead <= counts.length; now += ahead) {
    const found = forecast({ counts: counts.slice(now - KNOWN * WEEK, now), perDay: HOURS }, ahead);
    if ('reason' in found) throw new Error(found.reason);
    for (const [i, { value, low80, high80, low95, high95 }] of found.predicted.entries()) {
      const actual = counts[now + i]!;
      error += Math.abs(actual - value);
      naive += Math.abs(actual - counts[now + i - WEEK]!);
      in80 += Number(actual >= low80 && actual <= high80);
      in95 += Number(actual >= low95 && actual <= high95);
      number++;
    }
  }
  return { mase: error / naive, coverage80: in80 / number, coverage95: in95 / number };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measures the quality of predictions on synthetic counts. */
export const aboutForecasts = (): Row[] =>
  ESTATES.flatMap((estate) =>
    [HOURS, WEEK].flatMap((ahead): Row[] => {
      const found = SEEDS.map((seed) => judged(estate, seed, ahead));
      const of = (key: keyof Figures): number => mean(found.map((one) => one[key]));
      const what = `predictions, ${estate.what}, a ${ahead === HOURS ? 'day' : 'week'} ahead`;
      const [covered, mase] = [of('coverage80'), of('mase')];
      return [
        {
          what: `${what}: in the 80 % interval`,
          value: covered * 100,
          unit: '%',
          target: '75–92',
          met: covered >= 0.75 && covered <= 0.92,
          note: `95 %: ${(of('coverage95') * 100).toFixed(0)} %`,
        },
        { what: `${what}: error over that of last week's value`, value: mase, unit: '', target: '< 1', met: mase < 1 },
      ];
    }),
  );
