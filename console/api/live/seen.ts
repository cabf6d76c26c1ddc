/** A page that is hidden only for a moment retains its stream. */
const HIDDEN_MS = 5_000;

type PageVisibility = EventTarget & { readonly hidden: boolean };

const CHANGED = 'visibilitychange';

/** Resolves when the page is seen. */
const seen = (page: PageVisibility, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!page.hidden || signal.aborted) return resolve();
    const changed = (): void => {
      if (page.hidden && !signal.aborted) return;
      page.removeEventListener(CHANGED, changed);
      resolve();
    };
    page.addEventListener(CHANGED, changed);
    signal.addEventListener('abort', changed, { once: true });
  });

/** Aborted when the page has been hidden for a while, or with `signal`. */
const whileSeen = (page: PageVisibility, signal: AbortSignal, hiddenMs: number): AbortSignal => {
  const hidden = new AbortController();
  const either = AbortSignal.any([signal, hidden.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(() => hidden.abort(), hiddenMs);
  };
  page.addEventListener(CHANGED, changed, { signal: either });
  either.addEventListener('abort', () => clearTimeout(timer), { once: true });
  changed();
  return either;
};

/**
 * Each visible page has a stream without locks, and a hidden one has none: a browser opens few connections to a server.
 */
export async function leadWhileSeen(
  page: PageVisibility,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  hiddenMs = HIDDEN_MS,
): Promise<void> {
  for (;;) {
    await seen(page, signal);
    if (signal.aborted) return;
    const whole = whileSeen(page, signal, hiddenMs);
    await work(whole);
    // A stream that ended by itself, as it is not allowed, is not begun again.
    if (!whole.aborted) return;
  }
}
