import { createClient } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Limiter } from '#domain/ports/limiter.ts';
import { within } from '#infra/wait.ts';
import { type Add, type LimiterOptions, limiterOn, type OpenedLimiter, openMemoryLimiter } from './limiter.ts';

export interface RedisLimiterOptions extends LimiterOptions {
  /** `redis://` or, with TLS, `rediss://`; user and password in it. */
  readonly url: string;
  /** Prefix of every key, so that others can use the same Redis. */
  readonly prefix?: string;
}

/** A request does not wait longer to be counted. */
const ANSWER_MS = 500;
const CONNECT_MS = 2_000;
const MAX_PAUSE_MS = 5_000;
/** Pause after a failure, so that not every request waits for it. */
const REST_MS = 1_000;

const unanswered = (ms: number) => (): Error => new Error(`Redis didn't respond within ${ms} ms`);

const clientOf = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, MAX_PAUSE_MS) },
  });

/**
 * Counters that all processes share. While Redis does not answer, every process counts for itself: limits that are too wide for a
 * while do less harm than no service. Waits 2 s at most for Redis to be there.
 */
export const openRedisLimiter = async ({
  url,
  clock,
  log,
  prefix = 'faultline:limit',
}: RedisLimiterOptions): Promise<OpenedLimiter> => {
  const client = clientOf(url);
  let isDown = false;
  let restsUntil = 0;
  const failed = (err: unknown): void => {
    restsUntil = performance.now() + REST_MS;
    if (!isDown) log.warn({ err }, 'Redis unreachable, counting rate limits per process');
    isDown = true;
  };
  client.on('error', failed);
  await within(CONNECT_MS, client.connect(), unanswered(CONNECT_MS)).catch(failed);
  const shared = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: prefix,
    points: Number.MAX_SAFE_INTEGER,
    duration: 1,
  });
  const add: Add = (key, points, windowMs) => shared.penalty(key, points, { customDuration: windowMs / 1000 });
  const [together, alone] = [limiterOn(add, clock), openMemoryLimiter(clock)];
  const take: Limiter['take'] = async (...asked) => {
    if (performance.now() < restsUntil) return alone.take(...asked);
    try {
      const state = await within(ANSWER_MS, together.take(...asked), unanswered(ANSWER_MS));
      isDown = false;
      return state;
    } catch (error) {
      failed(error);
      return alone.take(...asked);
    }
  };
  return {
    limiter: { take },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
};
