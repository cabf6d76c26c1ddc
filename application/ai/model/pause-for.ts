import type { After } from '#domain/ports/clock.ts';

/** Resolves after so many ms, or as soon as the signal aborts. */
export const pauseFor = (ms: number, after: After, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const done = (): void => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = after(ms, done);
    signal.addEventListener('abort', done);
  });
