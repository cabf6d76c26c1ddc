import { type Interval, upperErrorBound, wilson } from './bounds.ts';
import type { Label } from './label.ts';

/** What an agent did in 90 days, and how often it was right. */
export interface Performance {
  readonly decisionsMade: number;
  /** How often it said that it does not know. */
  readonly abstained: number;
  readonly judged: number;
  readonly right: number;
  /** Right among those that were judged; null: none was. */
  readonly successRate: number | null;
  /** Of those that were judged; null: none had one. */
  readonly avgConfidence: number | null;
  /** Of the success rate, 95 %. */
  readonly interval: Interval | null;
}

/** Judged decisions from which on an agent is no learner any more. */
const LEARNED = 20;
export const statusOf = ({ judged }: Pick<Performance, 'judged'>): 'active' | 'learning' =>
  judged < LEARNED ? 'learning' : 'active';

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export function performanceOf(
  labels: readonly Label[],
  { made, abstained }: { readonly made: number; readonly abstained: number },
): Performance {
  const right = labels.filter(({ verdict }) => verdict === 'right').length;
  return {
    ...{ decisionsMade: made, abstained, judged: labels.length, right },
    successRate: labels.length === 0 ? null : right / labels.length,
    avgConfidence: mean(labels.flatMap(({ confidence }) => confidence ?? [])),
    interval: wilson(right, labels.length),
  };
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly judged: number;
  readonly meanConfidence: number | null;
  /** Share that was right. */
  readonly hitRate: number | null;
}
const BINS = 10;

interface Judged {
  readonly confidence: number;
  readonly isRight: boolean;
}
const withConfidence = (labels: readonly Label[]): Judged[] =>
  labels.flatMap(({ confidence, verdict }) =>
    confidence === null ? [] : [{ confidence, isRight: verdict === 'right' }],
  );

/** Confidence against what came true, in ten bins of equal width. */
export function calibrationBins(labels: readonly Label[]): Bin[] {
  const judged = withConfidence(labels);
  const binOf = (confidence: number): number => Math.min(BINS - 1, Math.floor(confidence * BINS));
  return Array.from({ length: BINS }, (_, n) => {
    const own = judged.filter(({ confidence }) => binOf(confidence) === n);
    return {
      ...{ from: n / BINS, to: (n + 1) / BINS, judged: own.length },
      meanConfidence: mean(own.map(({ confidence }) => confidence)),
      hitRate: mean(own.map(({ isRight }) => Number(isRight))),
    };
  });
}

/** Mean distance of confidence and share that was right, weighted by bins; null: nothing was judged. */
export function calibrationError(bins: readonly Bin[]): number | null {
  const all = bins.reduce((sum, { judged }) => sum + judged, 0);
  if (all === 0) return null;
  return bins.reduce((sum, { judged, meanConfidence, hitRate }) => {
    return judged === 0 ? sum : sum + (judged / all) * Math.abs(meanConfidence! - hitRate!);
  }, 0);
}

/** Labels that a threshold must stand on. */
const LEAST_LABELS = 30;
const GRID = 100;

/**
 * The smallest confidence, in steps of 0.01, from which on the share of errors is at most `maxError`, by the upper bound of it over at
 * least 30 labels; null: there is none.
 */
export function thresholdFor(labels: readonly Label[], maxError: number): number | null {
  const judged = withConfidence(labels);
  for (let step = 0; step <= GRID; step++) {
    const above = judged.filter(({ confidence }) => confidence >= step / GRID);
    if (above.length < LEAST_LABELS) return null;
    if (upperErrorBound(above.filter(({ isRight }) => !isRight).length, above.length) <= maxError) return step / GRID;
  }
  return null;
}
