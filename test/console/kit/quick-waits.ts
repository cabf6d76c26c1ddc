import type { Locator, Page } from 'playwright-core';

/** Playwright looks again every 500 ms at last, but leaves out steps above a fifth of its time-out: with this one every 50 ms. */
const ONE_TRY_MS = 499;
const MAX_SHOWN = 4_000;
const ACTIONS = ['click', 'dblclick', 'fill', 'check', 'press', 'selectOption', 'textContent', 'focus'] as const;

type Wait = Locator['waitFor'];
type Action = (this: Locator, ...given: unknown[]) => Promise<unknown>;

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Returns the visible text of a page, for the message of a failed wait. */
async function shownOn(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch((error: Error) => error.message);
  return `at ${page.url()}\n${text.slice(0, MAX_SHOWN)}`;
}

/** Retries shortly until the time is over; the last attempt reports the expectation, and the actual state. */
const inShortTries = (wait: Wait, longestMs: number): Wait =>
  async function (this: Locator, options = {}) {
    const end = performance.now() + (options.timeout ?? longestMs);
    for (;;) {
      const left = end - performance.now();
      try {
        return await wait.call(this, { ...options, timeout: Math.max(1, Math.min(left, ONE_TRY_MS)) });
      } catch (error) {
        if (!isTimeout(error)) throw error;
        if (left > ONE_TRY_MS) continue;
        const shown = await shownOn(this.page());
        Object.assign(error as Error, { stack: `${(error as Error).stack}\n${shown}` });
        throw error;
      }
    }
  };

let isDone = false;

/** Makes locators of all pages find a new element within 50 ms, and act on it. */
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
