/** Bounds confidence, so that every check can still change it. */
const LEAST = 0.01;
const MOST = 0.99;

export const bounded = (confidence: number): number => Math.min(MOST, Math.max(LEAST, confidence));

/** The confidence after evidence of this weight (logarithm of odds). */
export const weighed = (confidence: number, weight: number): number => {
  const before = bounded(confidence);
  const odds = Math.log(before / (1 - before)) + weight;
  return bounded(1 / (1 + Math.exp(-odds)));
};
