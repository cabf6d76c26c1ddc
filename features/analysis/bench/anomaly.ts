import { type AnomalyScale, scoreOf, withValue } from '#features/analysis/rules/anomaly.ts';
import { anomalyScoreOf } from '#features/analysis/rules/anomaly-score.ts';
import { chanceOf } from '../../../bench/chance.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 5);
const SIGNATURES_PER_DAY = 4;
/** Events of one signature that are looked at, as in the store. */
const LIMIT = 200;

interface Simulated {
  readonly at: number;
  readonly signature: string;
  readonly isAnomaly: boolean;
}

/** Events of a storm; the second half of them is what should be noticed. */
const STORM = 12;

interface Scene {
  readonly names: readonly string[];
  readonly perDay: number;
  readonly days: number;
}

const exponential = (random: () => number, mean: number): number => -mean * Math.log(1 - random());

/** Episodes come by chance, each with a geometric number of events some minutes apart: monitors are clumpy. */
function* noiseOf(random: () => number, name: string, perDay: number, days: number): Generator<Simulated> {
  const clump = 1 + Math.floor(4 * random() ** 2);
  const byDay = random() < 0.3;
  for (let at = exponential(random, clump / perDay); at < days; at += exponential(random, clump / perDay)) {
    if (byDay && (at % 1 < 0.25 || at % 1 > 0.75)) continue;
    let time = START + at * DAY_MS;
    do {
      yield { at: time, signature: name, isAnomaly: false };
      time += exponential(random, 4 * MINUTE_MS);
    } while (random() < 1 - 1 / clump);
  }
}

/** Of all events, as incidents bring them. */
const ANOMALOUS = 0.03;

/** Complaints that were never there before, single ones of those that are rare, and storms of those that are usual. */
function* anomalies(random: () => number, { names, perDay, days }: Scene): Generator<Simulated> {
  const mean = 1 / 3 + 1 / 3 + STORM / 2 / 3;
  const gap = mean / (ANOMALOUS * perDay);
  for (let day = exponential(random, gap); day < days; day += exponential(random, gap)) {
    const at = START + day * DAY_MS;
    const kind = Math.floor(random() * 3);
    const from = kind === 1 ? 0.6 : 0;
    const known = names[Math.floor((from + (1 - from) * random()) * names.length)]!;
    const name = kind === 0 ? `new-${day}` : known;
    for (let i = 0; i < (kind === 2 ? STORM : 1); i++)
      yield { at: at + i * MINUTE_MS, signature: name, isAnomaly: kind !== 2 || i >= STORM / 2 };
  }
}

const ratesOf = (perDay: number): number[] => {
  const count = Math.round(SIGNATURES_PER_DAY * Math.sqrt(perDay));
  const shares = Array.from({ length: count }, (_, i) => 1 / (i + 1));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => (perDay * share) / sum);
};

/** Chance that an anomaly is scored above noise; ties count half. */
function aucOf(scored: readonly { readonly score: number; readonly isAnomaly: boolean }[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score);
  let [rank, sum, number] = [0, 0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++;
    const middle = (from + to + 1) / 2;
    for (const { isAnomaly } of sorted.slice(from, to)) if (isAnomaly) [sum, number] = [sum + middle, number + 1];
    rank = from = to;
  }
  return (sum - (number * (number + 1)) / 2) / (number * (rank - number));
}

export interface AnomalyFigures {
  readonly auc: number;
  /** Share of noise that is scored 0.95 or more. */
  readonly loud: number;
}

/** Scores 45 days of a tenant as they come; the first half teaches. */
export function simulateAnomalies(perDay: number, seed: number, days = 45): AnomalyFigures {
  const random = chanceOf(seed);
  const rates = ratesOf(perDay);
  const names = rates.map((_, i) => `s${i}`);
  const events = [
    ...rates.flatMap((rate, i) => [...noiseOf(random, names[i]!, rate, days)]),
    ...anomalies(random, { names, perDay, days }),
  ].sort((a, b) => a.at - b.at);
  const past = new Map<string, number[]>();
  let scale: AnomalyScale = { newest: [] };
  const scored: { score: number; isAnomaly: boolean }[] = [];
  for (const { at, signature, isAnomaly } of events) {
    const earlier = past.get(signature) ?? [];
    const since = earlier.length >= LIMIT ? earlier[0]! : START;
    const { value } = anomalyScoreOf({ at, earlier, since });
    if (at > START + 15 * DAY_MS) scored.push({ score: scoreOf(value, scale), isAnomaly });
    scale = withValue(scale, value);
    past.set(signature, [...earlier, at].slice(-LIMIT));
  }
  const noise = scored.filter((one) => !one.isAnomaly);
  return { auc: aucOf(scored), loud: noise.filter(({ score }) => score >= 0.95).length / noise.length };
}
