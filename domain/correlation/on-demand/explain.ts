import { apartMs, gapMs, isCalibrated, pollingIntervalOf } from '#domain/correlation/calibration.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import { durationText } from '#domain/numbers.ts';

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

/** Returns the score with two digits, or as many as are needed to distinguish it from the threshold. */
const shown = (score: number, threshold: number): string => {
  const short = score.toFixed(2);
  return Number(short) === threshold && score !== threshold ? score.toFixed(4) : short;
};

const rateText = (rate: number): string => (rate >= 10 ? rate.toFixed(0) : rate.toPrecision(2));

/** The background rate against which an unrelated event is judged, from the inputs of the strategy. */
interface Background {
  readonly ratePerMinute: number;
  readonly commonness?: unknown;
  /** True if the rarer event is upstream and earlier. */
  readonly afterRarer: boolean;
  /** Value of the evidence when both CIs are known and no path joins them. */
  readonly unrelatedCis: number | null;
  /** A smaller gap is no evidence of distance. */
  readonly rhythmMs: number;
}

interface Numbers {
  readonly literalScore: number;
  readonly score: number;
  readonly threshold: number;
}

/** Returns the commonness of events with such a rate per minute. */
const commonnessOf = ({ commonness, afterRarer }: Background): string => {
  if (afterRarer) return ' on the same CI right after a rarer upstream event';
  if (typeof commonness !== 'string') return '';
  return commonness === 'common'
    ? ' (both are common, all events counted)'
    : ` at most as common as these two (${commonness})`;
};

const apartAs = ({ unrelatedCis, rhythmMs }: Background): string => {
  const cis = unrelatedCis === null ? '' : `; no path between the CIs: weighted × ${unrelatedCis}`;
  const looks = `; the source polls every ${durationText(rhythmMs)}, so smaller gaps count as simultaneous`;
  return rhythmMs === 0 ? cis : cis + looks;
};

function reasonOf(numbers: Numbers, apart: number, background: Background): string {
  const { literalScore, score, threshold } = numbers;
  const { ratePerMinute } = background;
  if (score <= threshold && literalScore <= threshold)
    return `no match: raw score ${shown(literalScore, threshold)} ≤ threshold ${threshold.toFixed(2)}`;
  const rate = `background rate ${rateText(ratePerMinute)} events/min${commonnessOf(background)}`;
  const within = durationText(apart);
  if (score > threshold) {
    const chance = ratePerMinute === 0 ? '' : `; ${rate}: a coincidence within ${within} is unlikely`;
    return `match: score ${shown(score, threshold)} > threshold ${threshold.toFixed(2)}${chance}${apartAs(background)}`;
  }
  const expected = ratePerMinute === 0 ? '' : `${rate}: a coincidence within ${within} is likely; `;
  const after = `raw score ${literalScore.toFixed(2)}, adjusted ${shown(score, threshold)}`;
  return `no match: ${expected}${after}${apartAs(background)}`;
}

function explainOne(strategy: Strategy, arrival: Enriched, other: Enriched): Explanation {
  const { settings } = arrival;
  const { threshold } = settings;
  const gap = gapMs(arrival.arrival, other.arrival);
  const own = ownSettings(strategy, settings);
  const { windowMs } = own;
  const known = strategy.inputs(arrival, other.arrival, own);
  const rhythmMs = isCalibrated(arrival) ? pollingIntervalOf(arrival, other.arrival) : 0;
  const inputs = { gapMs: gap, windowMs, ...(rhythmMs > 0 && { rhythmMs }), ...known };
  const none = { strategy: strategy.name, inputs, literalScore: 0, factor: 1, score: 0, threshold, joined: false };
  if (!own.enabled) return { ...none, reason: 'no match: strategy disabled' };
  if (gap > windowMs)
    return { ...none, reason: `no match: ${durationText(gap)} apart, window is ${durationText(windowMs)}` };
  const found = strategy.score(arrival, other.arrival, own);
  if (found === null) return { ...none, reason: `no match: ${strategy.noMatchReason(arrival.arrival, other.arrival)}` };
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

/** Explains why two events were or were not joined, strategy by strategy; recomputed from the two records alone. */
export function explain(a: Enriched, b: Enriched): Explanation[] {
  const [arrival, other] = inOrder(a, b);
  return strategies.map((strategy) => explainOne(strategy, arrival, other));
}
