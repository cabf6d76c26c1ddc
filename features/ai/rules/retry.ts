import type { NotCompleted } from '#domain/ai/model.ts';

/** Requests to the provider for one question. */
export const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;

/**
 * Returns the wait before the next attempt, ms; null when there is none. `attempt` counts from 1; `chance`, 0 to 1, is
 * the full jitter on 0.5 s · 2ⁿ. Retry-After counts when it fits the remaining time.
 */
export const waitBefore = (
  { again, retryAfterMs }: NotCompleted,
  { attempt, leftMs, chance }: { readonly attempt: number; readonly leftMs: number; readonly chance: number },
): number | null => {
  if (again === 'never' || attempt >= MAX_ATTEMPTS || leftMs <= 0) return null;
  if (again !== 'later') return 0;
  const wait = Math.round(retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * chance);
  return wait < leftMs ? wait : null;
};
