import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '#domain/ports/clock.ts';
import type { Limiter } from '#domain/ports/limiter.ts';

/**
 * Maximum of keys; beyond this the key whose window began first is forgotten, so that invented names cannot fill
 * memory.
 */
const MAX_KEYS = 100_000;

export interface OpenedLimiter {
  readonly limiter: Limiter;
  close(): Promise<void>;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
}

/** Adds points to the window of a key, which begins when there is none. */
export type Add = (
  key: string,
  points: number,
  windowMs: number,
) => Promise<Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>>;

/**
 * Fixed windows on any counter; a window begins with the first `take` of its key. A rejected `take` costs nothing, and
 * returned points never exceed the limit. Each caller sets its own limits.
 */
export const limiterOn = (add: Add, clock: Clock): Limiter => ({
  async take(key, limit, windowMs, cost = 1) {
    const { consumedPoints, msBeforeNext } = await add(key, cost, windowMs);
    const allowed = consumedPoints <= limit || cost <= 0;
    const used = Math.max(0, allowed ? consumedPoints : consumedPoints - cost);
    if (used !== consumedPoints) await add(key, used - consumedPoints, windowMs);
    const resetAt = clock.now() + Math.max(0, msBeforeNext);
    return { limit, remaining: Math.max(0, limit - used), resetAt, allowed };
  },
});

/** Counters of this process alone. */
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

  const add: Add = async (key, points, windowMs) => {
    const counted = await counters.penalty(key, points, { customDuration: windowMs / 1000 });
    if (counted.isFirstInDuration) remember(key);
    return counted;
  };
  return limiterOn(add, clock);
}
