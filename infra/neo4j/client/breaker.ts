/** Keeps callers that cannot wait away from a store that does not answer. */
import { Fault } from '#domain/fault.ts';
import { withTimeLimit } from './time-limit.ts';

/** A caller waits no longer; ms. */
export const PATIENCE_MS = 300;
/** After a failure the store is left alone for so long; ms. */
const REST_MS = 5_000;

interface Breaker {
  /** The result; null when it fails as unavailable, comes too late, or was not asked for because the last try failed. */
  attempt<T>(work: () => Promise<T>): Promise<T | null>;
}

const isDown = (error: unknown): boolean => error instanceof Fault && error.kind === 'unavailable';

/** After the rest a single caller tries, and the others are answered at once until it has succeeded. `now` only grows; ms. */
export function openBreaker(patienceMs: number, now: () => number = () => performance.now()): Breaker {
  let restsUntil: number | null = null;
  let isProbing = false;

  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await withTimeLimit(patienceMs, work());
      restsUntil = null;
      return result;
    } catch (error) {
      if (!isDown(error)) throw error;
      restsUntil = now() + REST_MS;
      return null;
    }
  };
  return {
    async attempt(work) {
      if (restsUntil === null) return attempt(work);
      if (isProbing || now() < restsUntil) return null;
      isProbing = true;
      try {
        return await attempt(work);
      } finally {
        isProbing = false;
      }
    },
  };
}
