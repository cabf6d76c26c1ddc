import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Limiter } from '#domain/ports/limiter.ts';
import type { Opened } from './opened.ts';

/** A limiter whose time the test moves. */
export interface TimedLimiter extends Opened<Limiter> {
  now(): number;
  advance(ms: number): Promise<void>;
}

const MINUTE = 60_000;

/** `slackMs`: how much time passes by itself in one test, 0 when the test has it in hand. */
export function limiterContract(name: string, open: () => Promise<TimedLimiter>, slackMs = 0) {
  describe(`${name} keeps the Limiter contract`, () => {
    let limiter: Limiter;
    let opened: TimedLimiter;
    let began: number;
    beforeEach(async () => {
      opened = await open();
      limiter = opened.store;
      began = opened.now();
    });
    afterEach(() => opened.close());
    const expectReset = ({ resetAt }: { readonly resetAt: number }, after: number): void => {
      expect(resetAt - began).toBeGreaterThanOrEqual(after);
      expect(resetAt - began).toBeLessThanOrEqual(after + slackMs);
    };

    test('allows up to the limit and says when the window starts anew', async () => {
      const takes = [];
      for (let i = 0; i < 4; i++) takes.push(await limiter.take('k', 3, MINUTE));
      expect(takes.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
      expect(takes.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
      for (const take of takes) {
        expect(take.limit).toBe(3);
        expectReset(take, MINUTE);
      }
    });

    test('the window is fixed: it ends after its length, whatever was taken in it', async () => {
      await limiter.take('k', 1, MINUTE);
      await opened.advance(MINUTE - slackMs - 1);
      const refused = await limiter.take('k', 1, MINUTE);
      expect(refused.allowed).toBe(false);
      expectReset(refused, MINUTE);
      await opened.advance(slackMs + 1);
      const taken = await limiter.take('k', 1, MINUTE);
      expect(taken.allowed).toBe(true);
      expectReset(taken, 2 * MINUTE);
    });

    test('a cost counts at once, and a refused one costs nothing', async () => {
      expect(await limiter.take('k', 10, MINUTE, 8)).toMatchObject({ allowed: true, remaining: 2 });
      expect(await limiter.take('k', 10, MINUTE, 3)).toMatchObject({ allowed: false, remaining: 2 });
      expect(await limiter.take('k', 10, MINUTE, 2)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test('a negative cost gives back', async () => {
      await limiter.take('k', 2, MINUTE, 2);
      expect(await limiter.take('k', 2, MINUTE, -1)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.take('k', 2, MINUTE)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take('fresh', 2, MINUTE, -5)).toMatchObject({ remaining: 2 });
      expect(await limiter.take('fresh', 2, MINUTE, 3)).toMatchObject({ allowed: false });
    });

    test('keys count apart', async () => {
      await limiter.take('acme token ingest', 1, MINUTE);
      expect((await limiter.take('other token ingest', 1, MINUTE)).allowed).toBe(true);
      expect((await limiter.take('acme token ingest', 1, MINUTE)).allowed).toBe(false);
    });

    test('a limit that was raised counts what was taken before', async () => {
      await limiter.take('k', 1, MINUTE);
      expect(await limiter.take('k', 3, MINUTE)).toMatchObject({ limit: 3, remaining: 1, allowed: true });
    });
  });
}
