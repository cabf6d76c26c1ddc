import { type Interval, upperErrorBound, wilson } from '#domain/statistics/bounds.ts';
import { type Bin, binsOf, type JudgedStatement } from '#domain/statistics/calibration.ts';
import type { Label } from './label.ts';

/** Decisions of an agent in 90 days, and how often they were right. */
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

/** Confidence against what came true, in ten bins. */
export const calibrationBins = (labels: readonly Label[]): Bin[] => binsOf(withConfidence(labels), BINS);

/** Labels that a threshold must stand on. */
const MIN_LABELS = 30;
const GRID = 100;

/**
 * The smallest confidence, in steps of 0.01, from which on the share of errors is at most `maxError`, by the upper bound of it over at
 * least 30 labels; null: there is none.
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
