import { type Interval, upperErrorBound, wilson } from '#domain/statistics/bounds.ts';
import { type Bin, binsOf, type JudgedStatement, mean } from '#domain/statistics/calibration.ts';
import type { Label } from './agents.ts';

/** Decisions of an agent within 90 days, and the share that was right. */
export interface Performance {
  readonly decisionsMade: number;
  /** Cases that the agent left undecided. */
  readonly abstained: number;
  readonly judged: number;
  readonly right: number;
  /** Share of judged decisions that were right; null: none were judged. */
  readonly successRate: number | null;
  /** Mean confidence of judged decisions; null: none of them has a confidence. */
  readonly avgConfidence: number | null;
  /** 95% interval of the success rate. */
  readonly interval: Interval | null;
}

/** Minimum number of judged decisions for status `active`. */
const LEARNED = 20;
export const statusOf = ({ judged }: Pick<Performance, 'judged'>): 'active' | 'learning' =>
  judged < LEARNED ? 'learning' : 'active';

export function performanceOf(
  labels: readonly Label[],
  { made, abstained }: { readonly made: number; readonly abstained: number },
): Performance {
  const right = labels.filter(({ verdict }) => verdict === 'right').length;
  return {
    decisionsMade: made,
    abstained,
    judged: labels.length,
    right,
    successRate: labels.length === 0 ? null : right / labels.length,
    avgConfidence: mean(labels.flatMap(({ confidence }) => confidence ?? [])),
    interval: wilson(right, labels.length),
  };
}

const BINS = 10;

const withConfidence = (labels: readonly Label[]): JudgedStatement[] =>
  labels.flatMap(({ confidence, verdict }) =>
    confidence === null ? [] : [{ confidence, isRight: verdict === 'right' }],
  );

/** Compares confidence with the actual hit rate, in ten bins. */
export const calibrationBins = (labels: readonly Label[]): Bin[] => binsOf(withConfidence(labels), BINS);

/** Minimum number of labels behind a threshold. */
const MIN_LABELS = 30;
const GRID = 100;

/**
 * Returns the lowest threshold, in steps of 0.01, at which the upper bound of the error rate is at most `maxError`,
 * based on at least 30 labels; null: there is none.
 */
export function thresholdFor(labels: readonly Label[], maxError: number): number | null {
  const judged = withConfidence(labels);
  for (let step = 0; step <= GRID; step++) {
    const above = judged.filter(({ confidence }) => confidence >= step / GRID);
    if (above.length < MIN_LABELS) return null;
    if (upperErrorBound(above.filter(({ isRight }) => !isRight).length, above.length) <= maxError) return step / GRID;
  }
  return null;
}
