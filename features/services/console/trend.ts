import type { ServiceTrendData } from './api.ts';

const HOUR_MS = 3_600_000;
/** Room for half of the stroke at the ends. */
const EDGE = 1;

/** Path of a line with a step for each score, from 0 at the bottom to 100 at the top. */
export const lineOf = (scores: readonly number[], width: number, height: number): string => {
  const step = width / Math.max(1, scores.length);
  const heightOf = (score: number): number => EDGE + (1 - score / 100) * (height - 2 * EDGE);
  return scores
    .map((score, at) => `${at === 0 ? `M0 ${heightOf(score)}` : `V${heightOf(score)}`}H${(at + 1) * step}`)
    .join('');
};

/** The lowest score and the start of its last hour, ms. */
export const lowestOf = ({ scores, from }: ServiceTrendData): { readonly score: number; readonly at: number } => {
  const score = Math.min(...scores);
  return { score, at: Date.parse(from) + scores.lastIndexOf(score) * HOUR_MS };
};
