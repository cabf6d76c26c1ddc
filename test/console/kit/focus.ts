import type { Page } from 'playwright-core';

/** On a fresh page no row has the focus: moves it into the list, like the first key. */
export const focusList = async (page: Page): Promise<void> => {
  const isInList = (): boolean => document.activeElement?.getAttribute('role') === 'row';
  const row = page.locator('[data-keys] [role=row][tabindex="0"]').first();
  await row.waitFor();
  if (!(await page.evaluate(isInList))) await row.focus();
  await page.waitForFunction(isInList);
};
