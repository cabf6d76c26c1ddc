import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Limiter } from '#domain/ports/limiter.ts';
import { NOON } from './samples.ts';

/** The adapter must take its time from `Date`, which is set by hand here. */
export function limiterContract(name: string, open: () => Promise<{ store: Limiter; close(): Promise<void> }>) {
  describe(`${name} keeps the Limiter contract`, () => {
    let limiter: Limiter;
    let close: () => Promise<void>;
    beforeEach(async () => {
      jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
      ({ store: limiter, close } = await open());
    });
    afterEach(async () => {
      await close();
      jest.useRealTimers();
    });

    test('allows up to the limit and says when the window starts anew', async () => {
      const takes = [];
      for (let i = 0; i < 4; i++) takes.push(await limiter.take('k', 3, 60_000));
      expect(takes.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
      expect(takes.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
      for (const take of takes) expect(take).toMatchObject({ limit: 3, resetAt: NOON + 60_000 });
    });

    test('the window is fixed: it ends after its length, whatever was taken in it', async () => {
      await limiter.take('k', 1, 60_000);
      jest.advanceTimersByTime(59_999);
      expect(await limiter.take('k', 1, 60_000)).toMatchObject({ allowed: false, resetAt: NOON + 60_000 });
      jest.advanceTimersByTime(1);
      expect(await limiter.take('k', 1, 60_000)).toMatchObject({ allowed: true, resetAt: NOON + 120_000 });
    });

    test('a cost counts at once, and a refused one costs nothing', async () => {
      expect(await limiter.take('k', 10, 60_000, 8)).toMatchObject({ allowed: true, remaining: 2 });
      expect(await limiter.take('k', 10, 60_000, 3)).toMatchObject({ allowed: false, remaining: 2 });
      expect(await limiter.take('k', 10, 60_000, 2)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test('a negative cost gives back', async () => {
      await limiter.take('k', 2, 60_000, 2);
      expect(await limiter.take('k', 2, 60_000, -1)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.take('k', 2, 60_000)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take('fresh', 2, 60_000, -5)).toMatchObject({ remaining: 2 });
      expect(await limiter.take('fresh', 2, 60_000, 3)).toMatchObject({ allowed: false });
    });

    test('keys count apart', async () => {
      await limiter.take('acme token ingest', 1, 60_000);
      expect((await limiter.take('other token ingest', 1, 60_000)).allowed).toBe(true);
      expect((await limiter.take('acme token ingest', 1, 60_000)).allowed).toBe(false);
    });

    test('a limit that was raised counts what was taken before', async () => {
      await limiter.take('k', 1, 60_000);
      expect(await limiter.take('k', 3, 60_000)).toMatchObject({ limit: 3, remaining: 1, allowed: true });
    });
  });
}
