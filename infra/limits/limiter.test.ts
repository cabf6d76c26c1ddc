import { afterEach, expect, jest, test } from '@jest/globals';
import { systemClock as clock } from '#infra/system/time.ts';
import { limiterContract } from '#test/contract/limiter.ts';
import { NOON } from '#test/contract/samples.ts';
import { openMemoryLimiter } from './limiter.ts';

// The vendor's limiter reads Date itself, so this test sets that.
limiterContract('The limiter in memory', async () => {
  jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const advance = async (ms: number) => void jest.advanceTimersByTime(ms);
  return { store: openMemoryLimiter(clock), now: clock.now, advance, close: async () => {} };
});
afterEach(() => void jest.useRealTimers());

test('forgets the key whose window began first when there are too many', async () => {
  const limiter = openMemoryLimiter(clock, 2);
  for (const key of ['a', 'b', 'c']) await limiter.take(key, 1, 60_000);
  expect((await limiter.take('c', 1, 60_000)).allowed).toBe(false);
  expect((await limiter.take('a', 1, 60_000)).allowed).toBe(true);
});
