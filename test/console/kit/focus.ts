import type { Page } from 'playwright-core';

/** On a page that was just opened no row has the focus: as the first key does, leads it into the list. */
export const focusList = async (page: Page): Promise<void> => {
  const isInList = (): boolean => document.activeElement?.getAttribute('role') === 'row';
  const row = page.locator('[data-keys] [role=row][tabindex="0"]').first();
  await row.waitFor();
  if (!(await page.evaluate(isInList))) await row.focus();
  await page.waitForFunction(isInList);
};
