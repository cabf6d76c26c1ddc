import type { After, Clock } from '#domain/ports/clock.ts';
import { START } from './test-app.ts';

/** Turns of the event loop after which all data in a socket of this process has arrived at its other end. */
const TURNS = 12;

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** A clock with timers: its time passes when all that waits, waits for a timer. */
export const virtualTime = (start = START) => {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  const after: After = (ms, work) => {
    const timer = { at: now + ms, work };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const clock: Clock = { now: () => now, steady: () => now, busy: () => () => 0 };
  const pass = (): void => {
    const [next] = [...timers].sort((a, b) => a.at - b.at);
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.work();
  };
  return {
    clock,
    after,
    advance: (ms: number) => {
      now += ms;
    },
    /** Returns the result of the work, without a time limit. */
    async run<T>(work: Promise<T>): Promise<T> {
      let done = false;
      const end = work.finally(() => {
        done = true;
      });
      end.catch(() => undefined);
      await settled();
      while (!done) {
        pass();
        await settled();
      }
      return end;
    },
  };
};
