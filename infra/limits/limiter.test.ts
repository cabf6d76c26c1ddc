import { expect, test } from '@jest/globals';
import { systemClock as clock } from '#infra/system/clock.ts';
import { limiterContract } from '#test/contract/limiter.ts';
import { openMemoryLimiter } from './limiter.ts';

// The vendor's limiter reads Date itself, so the clock is the real one here.
limiterContract('The limiter in memory', async () => ({ store: openMemoryLimiter(clock), close: async () => {} }));

test('forgets the key whose window began first when there are too many', async () => {
  const limiter = openMemoryLimiter(clock, 2);
  for (const key of ['a', 'b', 'c']) await limiter.take(key, 1, 60_000);
  expect((await limiter.take('c', 1, 60_000)).allowed).toBe(false);
  expect((await limiter.take('a', 1, 60_000)).allowed).toBe(true);
});
