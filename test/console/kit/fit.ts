import type { Page } from 'playwright-core';
import { painted, violationsInThemes } from './axe.ts';
import { WIDE } from './open-console.ts';

const REFLOW = { width: 320, height: 844 };

/** Returns elements wider than their page, at 320 px (WCAG 1.4.10); regions that scroll by themselves are left out. */
async function tooWide(page: Page): Promise<string[]> {
  await page.setViewportSize(REFLOW);
  await painted(page);
  const found = await page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const main = document.querySelector('main');
    const said = [document.documentElement, ...(main === null ? [] : [main])]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth, clientWidth }) => `${tagName} has ${scrollWidth} px in ${clientWidth}`);
    return [...said, ...(document.documentElement.scrollWidth > room ? ['the page scrolls sideways'] : [])];
  });
  await page.setViewportSize(WIDE);
  return found;
}

/**
 * Returns accessibility problems of the current page: WCAG 2.2 AA in both themes, and sideways scrolling on a phone.
 */
export const hindrancesOn = async (page: Page): Promise<string[]> => [
  ...(await violationsInThemes(page)),
  ...(await tooWide(page)),
];
