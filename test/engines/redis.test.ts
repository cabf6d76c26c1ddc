import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { readConfig } from '#infra/config.ts';
import { openRedisLimiter } from '#infra/limits/redis-limiter.ts';
import { systemClock } from '#infra/system/time.ts';
import { limiterContract } from '#test/contract/limiter.ts';

/* Redis is not started by `npm run engines`: these run where REDIS_URL is set. */

const url = readConfig().redisUrl;
const log = { warn: (fields: object) => expect(fields).toBeNull() };

(url === null ? describe.skip : describe)('Redis (REDIS_URL)', () => {
  const client = createClient({ url: url ?? 'redis://127.0.0.1' });
  const open = (prefix: string, clock = systemClock) => openRedisLimiter({ url: url!, clock, log, prefix });
  const fresh = (): string => `test:${randomBytes(5).toString('hex')}`;
  /** Simulates the passing of this time in Redis. */
  const age = async (prefix: string, ms: number): Promise<void> => {
    for (const key of await client.keys(`${prefix}*`)) await client.pExpire(key, (await client.pTTL(key)) - ms);
  };
  beforeAll(async () => {
    await client.connect();
  });
  afterAll(() => client.destroy());

  const SLACK_MS = 2_000;
  limiterContract(
    'The limiter in Redis',
    async () => {
      const prefix = fresh();
      let passed = 0;
      const now = (): number => systemClock.now() + passed;
      const { limiter, close } = await open(prefix, { ...systemClock, now });
      const advance = async (ms: number): Promise<void> => {
        passed += ms;
        await age(prefix, ms);
      };
      return { store: limiter, now, advance, close };
    },
    SLACK_MS,
  );

  test('two processes share one count', async () => {
    const prefix = fresh();
    const [one, other] = [await open(prefix), await open(prefix)];
    const allowed = [];
    for (const { limiter } of [one, other, one, other]) allowed.push((await limiter.take('k', 3, 60_000)).allowed);
    expect(allowed).toEqual([true, true, true, false]);
    await Promise.all([one.close(), other.close()]);
  });
});
