import type { Locator, Page } from 'playwright-core';

/** Playwright looks again every 500 ms at last, but leaves out steps above a fifth of its time-out: with this one every 50 ms. */
const ONE_TRY_MS = 499;
const ACTIONS = ['click', 'dblclick', 'fill', 'check', 'press', 'selectOption', 'textContent', 'focus'] as const;

type Wait = Locator['waitFor'];
type Action = (this: Locator, ...given: unknown[]) => Promise<unknown>;

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Short tries until the time is over; the last one says what was waited for. */
const inShortTries = (wait: Wait, longestMs: number): Wait =>
  async function (this: Locator, options = {}) {
    const end = performance.now() + (options.timeout ?? longestMs);
    for (;;) {
      const left = end - performance.now();
      try {
        return await wait.call(this, { ...options, timeout: Math.max(1, Math.min(left, ONE_TRY_MS)) });
      } catch (error) {
        if (!isTimeout(error) || left <= ONE_TRY_MS) throw error;
      }
    }
  };

let isDone = false;

/** From now on locators of all pages find within 50 ms what has appeared, and act on it. */
export function waitQuickly(page: Page, longestMs: number): void {
  if (isDone) return;
  isDone = true;
  const locators = Object.getPrototypeOf(page.locator('html')) as Locator & Record<string, Action>;
  const wait = inShortTries(locators.waitFor, longestMs);
  locators.waitFor = wait;
  for (const name of ACTIONS) {
    const act = locators[name] as Action;
    Object.assign(locators, {
      async [name](this: Locator, ...given: unknown[]): Promise<unknown> {
        // Longer waits that are given to the action stay with it.
        if (!given.some((one) => typeof one === 'object' && one !== null && 'timeout' in one))
          await wait.call(this, { state: 'attached' });
        return act.apply(this, given);
      },
    });
  }
}
