/** Value of the header `Retry-After`: seconds, or a date. */
export type Seconds = string | null;

const LONGEST_MS = 10 * 60_000;

/** Returns the wait, ms, between 1 s and 10 min; null without a valid header. */
export const retryAfterMs = (header: Seconds, now: number): number | null => {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(LONGEST_MS, Math.max(1_000, ms));
};
