import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Smaller than half of the other one, and each checked page has to parse it. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Rules = { readonly type: 'tag' | 'rule'; readonly values: string[] };
const ALL: Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** Another theme has other colors, and is the same page. */
const OF_COLOURS: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Returns violations of WCAG 2.2 AA on the current page, one line for each place. */
async function violationsOn(page: Page, rules: Rules): Promise<string[]> {
  // Uses the debugger, so that the policy of the page does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    // Content behind a dialog is darkened and unusable.
    const dialog = document.querySelector('[role="dialog"][aria-modal="true"]');
    const { violations } = await checker.run(dialog ?? document, {
      runOnly,
      resultTypes: ['violations'],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    );
  }, rules);
}

/** Waits until the last change is painted. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Colors with transitions have changed: an inherited one begins after another has ended. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const changing = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    for (let tries = 0; tries < 20 && changing().length > 0; tries++)
      await Promise.allSettled(changing().map(({ finished }) => finished));
  });

type Theme = 'light' | 'dark';
const themeOf = (page: Page): Promise<Theme> =>
  page.evaluate(() => (document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'));

async function changeTo(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, colorScheme);
}

/** Checks both themes; the page retains the second one, as a change costs as much as a check. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  const first = await themeOf(page);
  for (const theme of [first, first === 'light' ? 'dark' : 'light'] as const) {
    if (theme !== first) await changeTo(page, theme);
    await painted(page);
    await settled(page);
    const lines = await violationsOn(page, theme === first ? ALL : OF_COLOURS);
    found.push(...lines.map((line) => `${theme}: ${line}`));
  }
  return found;
}
