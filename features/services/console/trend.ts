import type { ServiceTrendData } from './api.ts';

const HOUR_MS = 3_600_000;
/** Room for half of the stroke at the ends. */
const EDGE = 1;

const HOURS = 24;

/** Path of a line with a step for each hour until now, from 0 at the bottom to 100 at the top. */
export const lineOf = (scores: readonly number[], width: number, height: number): string => {
  const step = width / HOURS;
  const start = (HOURS - scores.length) * step;
  const heightOf = (score: number): number => EDGE + (1 - score / 100) * (height - 2 * EDGE);
  return scores
    .map((score, at) => `${at === 0 ? `M${start} ` : 'V'}${heightOf(score)}H${start + (at + 1) * step}`)
    .join('');
};

/** The lowest score and the start of its last hour, ms. */
export const lowestOf = ({ scores, from }: ServiceTrendData): { readonly score: number; readonly at: number } => {
  const score = Math.min(...scores);
  return { score, at: Date.parse(from) + scores.lastIndexOf(score) * HOUR_MS };
};
