import { type LimiterOptions, type OpenedLimiter, openMemoryLimiter } from './limiter.ts';

/** Counters in Redis when there is one, else in memory; its client is loaded only then. */
export const openLimiter = async (url: string | null, options: LimiterOptions): Promise<OpenedLimiter> => {
  if (url === null) return { limiter: openMemoryLimiter(options.clock), close: async () => {} };
  const { openRedisLimiter } = await import('./redis-limiter.ts');
  return openRedisLimiter({ ...options, url });
};
