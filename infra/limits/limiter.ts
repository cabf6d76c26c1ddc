import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '#domain/ports/clock.ts';
import type { Limiter, LimitState } from '#domain/ports/limiter.ts';

/** Keys kept; beyond this the key whose window began first is forgotten, so that invented names cannot fill memory. */
const MAX_KEYS = 100_000;

/**
 * Fixed windows in memory; a window begins with the first take of its key. A refused take costs nothing.
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
      const counter = await counters.penalty(key, cost, { customDuration: windowMs / 1000 });
      if (counter.isFirstInDuration) remember(key);
      const allowed = counter.consumedPoints <= limit || cost <= 0;
      const used = allowed ? counter.consumedPoints : counter.consumedPoints - cost;
      if (!allowed) await counters.reward(key, cost, { customDuration: windowMs / 1000 });
      const remaining = Math.min(limit, Math.max(0, limit - used));
      return { limit, remaining, resetAt: clock.now() + Math.max(0, counter.msBeforeNext), allowed };
    },
  };
}
