import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '#domain/ports/clock.ts';
import type { Limiter, LimitState } from '#domain/ports/limiter.ts';

/** Keys kept; beyond this the key whose window began first is forgotten, so that invented names cannot fill memory. */
const MAX_KEYS = 100_000;

/**
 * Fixed windows in memory; a window begins with the first take of its key. A refused take costs nothing,
 * and what is given back never makes more than the limit.
 * Limits are the caller's, so one counter per key serves all of them.
 */
export function openMemoryLimiter(clock: Clock, maxKeys: number = MAX_KEYS): Limiter {
  const counters = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 });
  const began = new Map<string, true>();

  const remember = (key: string): void => {
    began.delete(key);
    began.set(key, true);
    if (began.size <= maxKeys) return;
    const oldest = began.keys().next().value as string;
    began.delete(oldest);
    void counters.delete(oldest);
  };

  return {
    async take(key, limit, windowMs, cost = 1): Promise<LimitState> {
      const add = (points: number) => counters.penalty(key, points, { customDuration: windowMs / 1000 });
      const { consumedPoints, isFirstInDuration, msBeforeNext } = await add(cost);
      if (isFirstInDuration) remember(key);
      const allowed = consumedPoints <= limit || cost <= 0;
      const used = Math.max(0, allowed ? consumedPoints : consumedPoints - cost);
      if (used !== consumedPoints) await add(used - consumedPoints);
      const resetAt = clock.now() + Math.max(0, msBeforeNext);
      return { limit, remaining: Math.max(0, limit - used), resetAt, allowed };
    },
  };
}
