import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '#domain/fault.ts';
import type { Deadline } from '#domain/ports/deadline.ts';

const RETRY_AFTER_S = 5;
/** Time-outs are rounded up to this, ms: Node keeps those of one length in one list. */
const ROUNDED_MS = 100;

/** Of one request. */
interface Time {
  /** Monotonic ms. */
  until: number;
}

const over = (): Fault =>
  new Fault('unavailable', 'The request took too long', [], {
    retryAfter: RETRY_AFTER_S,
  });

/** The first of both: what the work gives, or the Fault after so many ms. Every request comes by, so there is one promise and no race. */
const orLate = <T>(work: () => Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(over()), ms);
    work().then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
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
    inTime(work) {
      const ms = left();
      if (ms === Number.POSITIVE_INFINITY) return work();
      return ms === 0 ? Promise.reject(over()) : orLate(work, Math.ceil(ms / ROUNDED_MS) * ROUNDED_MS);
    },
    atMost: (ms, work) => orLate(work, ms),
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
