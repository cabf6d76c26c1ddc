/** A reader that loses ground rests this many times as long as it worked; one that gains, as often that it stays below a fifth of a core. */
const RESTS = { losing: 39, gaining: 4 };
const MOST_REST_MS = 4_000;

/** How long to leave the machine to others after a step; 0 when nothing waits. */
export const restMs = (tookMs: number, lag: number, lagBefore: number): number => {
  if (lag === 0) return 0;
  return Math.min(MOST_REST_MS, tookMs * (lag > lagBefore ? RESTS.losing : RESTS.gaining));
};
