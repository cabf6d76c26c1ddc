/** `starting`: it is not known yet. `out`: nobody is signed in; `lost`: somebody was, and the page stays. */
export type SessionState = 'starting' | 'in' | 'out' | 'lost';

interface Standing {
  readonly now: () => SessionState;
  readonly become: (next: SessionState) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Until somebody signs in, or the reader gives up. */
  readonly untilIn: (signal?: AbortSignal) => Promise<void>;
}

/** Whether somebody is signed in, for those who follow it and those who wait. */
export function openStanding(): Standing {
  let state: SessionState = 'starting';
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();
  return {
    now: () => state,
    become(next) {
      state = next;
      for (const listener of listeners) listener();
      if (next !== 'in') return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    untilIn: (signal) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        signal?.addEventListener('abort', () => {
          waiting.delete(resolve);
          reject(signal.reason);
        });
      }),
  };
}
