import type { BrowserContext, Page } from 'playwright-core';

/**
 * Passes tabs of finished tests to the next ones, which load their address again: a new tab costs half as much again.
 */
export interface Tabs {
  /** The tab that was left, with the page that it shows; null when there is none. */
  keep(): Page | null;
  /** The tab that was left, or a new one. */
  take(): Promise<Page>;
  /** A new one, beside no other that was left. */
  open(): Promise<Page>;
  /** Releases the page. One is retained, so that none lives beside the pages of the next test. */
  leave(page: Page): Promise<void>;
}

export function tabsOf(context: BrowserContext, viewport: { width: number; height: number }): Tabs {
  let left: Page | null = null;
  const taken = (): Page | null => {
    const page = left;
    left = null;
    return page?.isClosed() ? null : page;
  };
  return {
    keep: taken,
    take: async () => taken() ?? context.newPage(),
    open: async () => {
      await taken()?.close();
      return context.newPage();
    },
    leave: async (page) => {
      if (left !== null && !left.isClosed()) return page.close();
      left = page;
      for (const heard of ['request', 'response'] as const) page.removeAllListeners(heard);
      await page.unrouteAll();
      if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
      // The state of one tab ends with it.
      await page.evaluate(() => sessionStorage.clear());
    },
  };
}
