import type { Every } from '#domain/ports/clock.ts';

/** Timers that a test calls. */
export const manualEvery = () => {
  const timers = new Set<{ readonly ms: number; readonly work: () => void }>();
  const every: Every = (ms, work) => {
    const timer = { ms, work };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    every,
    /** One period of all timers of this length is over. */
    pass(ms: number): void {
      for (const timer of [...timers]) if (timer.ms === ms) timer.work();
    },
    running: (): number[] => [...timers].map(({ ms }) => ms).sort((a, b) => a - b),
  };
};
