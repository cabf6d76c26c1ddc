import type { Clock } from '#domain/ports/clock.ts';
import type { Limiter } from '#domain/ports/limiter.ts';
import { openMemoryLimiter } from './limiter.ts';

export interface OpenedLimiter {
  readonly limiter: Limiter;
  close(): Promise<void>;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
}

/** Counters in Redis when there is one, else in memory; its client is loaded only then. */
export const openLimiter = async (url: string | null, options: LimiterOptions): Promise<OpenedLimiter> => {
  if (url === null) return { limiter: openMemoryLimiter(options.clock), close: async () => {} };
  const { openRedisLimiter } = await import('./redis-limiter.ts');
  return openRedisLimiter({ ...options, url });
};
