import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '#domain/fault.ts';
import type { Deadline } from '#domain/ports/deadline.ts';

const RETRY_AFTER_S = 5;

/** Of one request. */
interface Time {
  /** Monotonic ms. */
  until: number;
}

const over = (): Fault =>
  new Fault('unavailable', 'The request took too long', [], {
    retryAfter: RETRY_AFTER_S,
  });

/** `now` only grows; ms. */
export const openDeadline = (now: () => number = () => performance.now()): Deadline => {
  const times = new AsyncLocalStorage<Time | undefined>();
  const left = (): number => {
    const time = times.getStore();
    return time === undefined ? Number.POSITIVE_INFINITY : Math.max(0, time.until - now());
  };
  return {
    left,
    within: (ms, work) => times.run({ until: now() + ms }, work),
    without: (work) => times.run(undefined, work),
    async inTime(work) {
      const ms = left();
      if (ms === Number.POSITIVE_INFINITY) return work();
      if (ms === 0) throw over();
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(over()), ms);
      try {
        return await Promise.race([work(), late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    async uncounted(work) {
      const time = times.getStore();
      const since = now();
      try {
        return await work();
      } finally {
        if (time !== undefined) time.until += now() - since;
      }
    },
  };
};
