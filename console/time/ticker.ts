/** One timer for all ages on the page: it runs only while the page is visible. */
export interface Ticker {
  readonly subscribe: (listener: () => void) => () => void;
}

const STEP_MS = 1_000;

export function openTicker(isVisible: () => boolean): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    if (isVisible()) for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(tick, STEP_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
