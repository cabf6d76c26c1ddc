import { apartMs, gapMs, isCalibrated, rhythmOf } from '#domain/correlation/calibration.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';

/** The score of one strategy for a pair, and the reason that it joined or did not join it. */
export interface Explanation {
  readonly strategy: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly literalScore: number;
  /** The odds that it is not chance, 0 to 1. */
  readonly factor: number;
  readonly score: number;
  /** Joined when the score is strictly greater. */
  readonly threshold: number;
  readonly joined: boolean;
  readonly reason: string;
}

/** The later one is the arrival, as it was in the pipeline. */
export const inOrder = (a: Enriched, b: Enriched): readonly [arrival: Enriched, other: Enriched] =>
  a.arrival.position >= b.arrival.position ? [a, b] : [b, a];

export const duration = (ms: number): string => {
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
};

/** Two digits, or as many more as it takes to tell the score from the threshold. */
const shown = (score: number, threshold: number): string => {
  const short = score.toFixed(2);
  return Number(short) === threshold && score !== threshold ? score.toFixed(4) : short;
};

const rateText = (rate: number): string => (rate >= 10 ? rate.toFixed(0) : rate.toPrecision(2));

/** The background rate against which an unrelated event is judged, from the inputs of the strategy. */
interface Background {
  readonly ratePerMinute: number;
  readonly commonness?: unknown;
  /** The rarer one lies upstream and came before. */
  readonly afterRarer: boolean;
  /** Both CIs are known, and no way joins them: what the evidence counts then. */
  readonly unrelatedCis: number | null;
  /** A smaller gap is no evidence of distance. */
  readonly rhythmMs: number;
}

interface Numbers {
  readonly literalScore: number;
  readonly score: number;
  readonly threshold: number;
}

/** Of which events there are so many a minute. */
const commonnessOf = ({ commonness, afterRarer }: Background): string => {
  if (afterRarer) return ' on the very CI, just after a rarer one upstream of it,';
  if (typeof commonness !== 'string') return '';
  return commonness === 'common'
    ? ' (these two are common, so all count)'
    : ` no commoner than these two, which are ${commonness},`;
};

const apartAs = ({ unrelatedCis, rhythmMs }: Background): string => {
  const cis = unrelatedCis === null ? '' : `; no known way joins their CIs, so it counts ${unrelatedCis} times`;
  const looks = `; their sender looks every ${duration(rhythmMs)}, and what is less far apart counts as at once`;
  return rhythmMs === 0 ? cis : cis + looks;
};

function reasonOf(numbers: Numbers, apart: number, background: Background): string {
  const { literalScore, score, threshold } = numbers;
  const { ratePerMinute } = background;
  if (score <= threshold && literalScore <= threshold)
    return `not joined: literal ${shown(literalScore, threshold)} is not above ${threshold.toFixed(2)}`;
  const rate = `at ${rateText(ratePerMinute)} events/min${commonnessOf(background)}`;
  const within = duration(apart);
  if (score > threshold) {
    const chance = ratePerMinute === 0 ? '' : `; ${rate} an unrelated event within ${within} is not to be expected`;
    return `joined: ${shown(score, threshold)} is above ${threshold.toFixed(2)}${chance}${apartAs(background)}`;
  }
  const expected = ratePerMinute === 0 ? '' : `${rate} an unrelated event within ${within} is to be expected; `;
  const after = `literal ${literalScore.toFixed(2)}, after chance ${shown(score, threshold)}`;
  return `not joined: ${expected}${after}${apartAs(background)}`;
}

function explainOne(strategy: Strategy, arrival: Enriched, other: Enriched): Explanation {
  const { settings } = arrival;
  const { threshold } = settings;
  const gap = gapMs(arrival.arrival, other.arrival);
  const own = ownSettings(strategy, settings);
  const { windowMs } = own;
  const known = strategy.inputs(arrival, other.arrival, own);
  const rhythmMs = isCalibrated(arrival) ? rhythmOf(arrival, other.arrival) : 0;
  const inputs = { gapMs: gap, windowMs, ...(rhythmMs > 0 && { rhythmMs }), ...known };
  const none = { strategy: strategy.name, inputs, literalScore: 0, factor: 1, score: 0, threshold, joined: false };
  if (!own.enabled) return { ...none, reason: 'not joined: this strategy is switched off' };
  if (gap > windowMs)
    return { ...none, reason: `not joined: ${duration(gap)} apart, outside the window of ${duration(windowMs)}` };
  const found = strategy.score(arrival, other.arrival, own);
  if (found === null) return { ...none, reason: `not joined: ${strategy.whyNot(arrival.arrival, other.arrival)}` };
  const { score, literalScore } = found;
  const factor = isCalibrated(arrival) && literalScore > 0 ? score / literalScore : 1;
  const ratePerMinute = typeof known.ratePerMinute === 'number' ? known.ratePerMinute : 0;
  const reason = reasonOf({ literalScore, score, threshold }, apartMs(arrival, other.arrival), {
    ratePerMinute,
    commonness: known.commonness,
    afterRarer: known.afterRarer === true,
    unrelatedCis: isCalibrated(arrival) && known.unrelatedCis === true ? (strategy.worthUnrelated ?? null) : null,
    rhythmMs,
  });
  return { ...none, literalScore, factor, score, joined: score > threshold, reason };
}

/** Why two events were or were not joined, strategy by strategy; recomputed from the two records alone. */
export function explain(a: Enriched, b: Enriched): Explanation[] {
  const [arrival, other] = inOrder(a, b);
  return strategies.map((strategy) => explainOne(strategy, arrival, other));
}
