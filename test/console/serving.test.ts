import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, signIn } from './kit/open-console.ts';
import { openStrippingProxy, type StrippingProxy } from './kit/stripping-proxy.ts';

const PREFIX = '/ops/faultline/';

/** The script runs: it has put something on the page. */
const begun = (page: Page): Promise<void> => page.locator('#console > *').first().waitFor({ state: 'attached' });

const it = consoleOfTests();
let proxy: StrippingProxy;
beforeAll(async () => {
  proxy = await openStrippingProxy(it.url, PREFIX);
});
afterAll(() => proxy?.close());

describe('below a path that a proxy takes away, and that the server does not know', () => {
  test.each(['', 'groups', 'groups/COR-1', 'admin/users/1', 'groups/'])(
    'ui/%s opens, with all its files',
    async (path) => {
      const page = await it.context.newPage();
      const answers: [number, string][] = [];
      page.on('response', (response) => answers.push([response.status(), new URL(response.url()).pathname]));
      await page.goto(`${proxy.url}ui/${path}`);
      await begun(page);
      expect(await page.evaluate(() => document.baseURI)).toBe(`${proxy.url}ui/`);
      expect(answers.length).toBeGreaterThan(2);
      expect(answers.filter(([, asked]) => !asked.startsWith(PREFIX))).toEqual([]);
      expect(answers.filter(([status]) => status >= 400)).toEqual([]);
      await page.close();
    },
  );

  test('the root leads to the console', async () => {
    const page = await it.context.newPage();
    await page.goto(proxy.url);
    await begun(page);
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${PREFIX}ui/`));
    await page.close();
  });

  test('a journey stays below it: signed in, live, a group acknowledged, its events, the map, loaded again, signed out', async () => {
    await furnishInfrastructure(it, it.app.ports.clock.now());
    const page = await it.context.newPage();
    const outside: string[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin !== new URL(proxy.url).origin || !pathname.startsWith(PREFIX)) outside.push(request.url());
    });
    await page.goto(`${proxy.url}ui/groups`);
    await signIn(page);
    await page.locator('[role=status][data-kind=live]').waitFor();
    await page.getByRole('link', { name: 'Switch link down' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
    await page.getByRole('button', { name: /^Acknowledge/ }).click();
    await page.getByText(/5 events acknowledged/).waitFor();
    const pages = page.getByRole('navigation', { name: 'Main navigation' }).first();
    await pages.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
    await pages.getByRole('link', { name: 'Topology' }).click();
    const map = page.getByRole('heading', { level: 1, name: 'Topology' });
    await map.waitFor();
    await page.reload();
    await map.waitFor();
    expect(new URL(page.url()).pathname).toBe(`${PREFIX}ui/topology`);
    await page.getByRole('button', { name: 'Administrator' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Username' }).waitFor();
    expect(outside).toEqual([]);
    expect(await it.context.cookies()).toEqual([]);
    await page.close();
  });
});

test('nothing was blocked, and no script has failed', () => {
  expect(it.reports).toEqual({ policy: [], errors: [] });
});

test('what the policy forbids is blocked and told', async () => {
  const page = await it.tab();
  await begun(page);
  const hasRun = await page.evaluate(() => {
    for (const html of ['<img src=x onerror="window.hasRun = true">', '<style>body { color: red }</style>'])
      document.body.insertAdjacentHTML('beforeend', html);
    const script = document.createElement('script');
    script.textContent = 'window.hasRun = true';
    document.body.append(script);
    return 'hasRun' in window;
  });
  expect(hasRun).toBe(false);
  await until(async () => it.reports.policy.length >= 3);
  const directives = it.reports.policy.map((line) => line.split(' ')[0]);
  expect(new Set(directives)).toEqual(new Set(['script-src-attr', 'style-src-elem', 'script-src-elem']));
  expect(await page.evaluate(() => 'hasRun' in window)).toBe(false);
});
