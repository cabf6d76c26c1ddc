import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { systemClock } from '#infra/system/time.ts';
import { until } from '#test/setup/until.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, signIn, startServer } from './kit/open-console.ts';

const SECOND = 1_000;
const it = consoleOfTests({ clock: { ...systemClock, now: () => systemClock.now() + serverIsAheadMs } });
let serverIsAheadMs = 0;
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
});

const badge = (page: Page, kind: string) => page.locator(`[role=status][data-kind=${kind}]`);
const event = (n: number) => ({
  source: 's',
  sourceId: `${n}`,
  severity: 'critical',
  title: `Fan ${n} failed`,
  hostname: `h-${n}`,
});
/** A list does not move under its reader: new rows are counted until they are inserted. */
const told = (page: Page, count: number) =>
  page
    .getByText(new RegExp(`^${count} new$|^Fan ${count} failed$`))
    .first()
    .waitFor();
/** Titles of the rows from top to bottom, without the row of headers. */
const shownOn = async (page: Page): Promise<string[]> => {
  const rows = await page.getByRole('grid', { name: 'Events' }).locator('[role=row][data-index]').all();
  const placed = await Promise.all(
    rows.map(async (row) => ({
      at: Number(await row.getAttribute('data-index')),
      text: (await row.textContent()) ?? '',
    })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ text }) => /Fan \d+ failed/.exec(text)?.[0] ?? text);
};

/** Tabs of a browser context of their own. */
const openTabs = async (count: number): Promise<{ context: BrowserContext; tabs: Page[] }> => {
  const context = await it.browser.newContext();
  context.setDefaultTimeout(45 * SECOND);
  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${it.url}/ui/events`);
    return page;
  };
  const first = await open();
  await signIn(first);
  return { context, tabs: [first, ...(await Promise.all(Array.from({ length: count - 1 }, open)))] };
};
/** A list that was refetched in between counts from there on, so the number of new events is not checked. */
const takesIn = (page: Page, title: string): Promise<void> =>
  until(async () => {
    // A refetched list removes the pill.
    await page.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find(({ textContent }) => textContent?.endsWith(' new'))?.click();
    });
    return page.getByText(title).first().isVisible();
  });

describe('eight tabs', () => {
  let [context, tabs]: [BrowserContext | null, Page[]] = [null, []];
  const asked: string[] = [];
  const times = (path: string): number => asked.filter((url) => url.endsWith(path)).length;
  beforeAll(async () => {
    ({ context, tabs } = await openTabs(8));
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  });
  afterAll(() => context?.close());

  test('have one stream, and all of them show what changes', async () => {
    await Promise.all(tabs.map((page) => badge(page, 'live').waitFor()));
    await Promise.all(tabs.map((page) => page.getByText('Switch link down').first().waitFor()));
    await it.ask('POST', '/api/events/ingest', event(1));
    await Promise.all(tabs.map((page) => told(page, 1)));
    // The tab with the stream closes; another one takes it over.
    await tabs.shift()!.close();
    await it.ask('POST', '/api/events/ingest', event(2));
    await told(tabs.at(-1)!, 2);
    expect(times('/sse/changes')).toBeLessThanOrEqual(2);
  });

  test('renew their token by one request, when the server refuses it and when its time has come', async () => {
    const renewals = (): number => times('/api/auth/console/refresh');
    const goOn = async (n: number): Promise<void> => {
      await it.ask('POST', '/api/events/ingest', event(n));
      await Promise.all(tabs.map((page) => takesIn(page, `Fan ${n} failed`)));
      await Promise.all(tabs.map((page) => badge(page, 'live').waitFor()));
    };
    // The next token has an expiry at which the timers of all tabs end after 5 s, all at once.
    await context!.route('**/api/auth/console/refresh', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object };
      const expiresIn = renewals() === 1 ? 6 : 900;
      await route.fulfill({ response, json: { ...body, data: { ...body.data, expiresIn } } });
    });
    asked.length = 0;
    serverIsAheadMs = 16 * 60 * SECOND;
    await goOn(3);
    expect(renewals()).toBe(1);
    await until(async () => renewals() > 1);
    await goOn(4);
    expect(renewals()).toBe(2);
  });

  test('are signed out with one of them, which alone asks the server', async () => {
    const last = tabs.at(-1)!;
    await last.getByRole('button', { name: 'Administrator' }).click();
    asked.length = 0;
    await last.getByRole('menuitem', { name: 'Sign out' }).click();
    await Promise.all(tabs.map((page) => page.locator('input[type=password]').waitFor()));
    // Each form also asks whether there is single sign-on.
    const ends = asked.filter((path) => path.startsWith('/api/auth/') && path !== '/api/auth/oidc');
    expect(ends).toEqual(['/api/auth/console']);
    expect(await context!.cookies()).toEqual([]);
  });
});

describe('a server that stops and comes back', () => {
  test('is told of when the stream is lost; the page is live again when it is back, without being loaded again, and has what a new read has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'faultline-'));
    const first = await startServer({ FAULTLINE_DATA: folder });
    const { port } = new URL(first.url);
    const headers = { authorization: 'Bearer bootstrap-token-of-the-tests', 'content-type': 'application/json' };
    const ingest = (n: number) =>
      fetch(`${first.url}/api/events/ingest`, { method: 'POST', headers, body: JSON.stringify(event(n)) });
    const readAnew = async (): Promise<string[]> => {
      const reply = await fetch(`${first.url}/api/events?view=row&limit=100`, { headers });
      return ((await reply.json()) as { events: { title: string }[] }).events.map(({ title }) => title);
    };
    for (const n of [11, 12, 13]) await ingest(n);
    const page = await it.context.newPage();
    await page.goto(`${first.url}/ui/events`);
    await signIn(page);
    await badge(page, 'live').waitFor();
    await page.getByText('Fan 13 failed').first().waitFor();
    await page.evaluate(() => Object.assign(window, { isSame: true }));

    await first.stop();
    await badge(page, 'stale').waitFor();
    const second = await startServer({ FAULTLINE_DATA: folder, PORT: port });
    await Promise.all([
      badge(page, 'live').waitFor(),
      // The new stream has no message about these.
      ...[14, 15].map(ingest),
    ]);
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);

    await ingest(16);
    await page
      .getByText(/^3 new$|^Fan 16 failed$/)
      .first()
      .waitFor();
    await page.keyboard.press('.');
    await page.getByText('Fan 16 failed').first().waitFor();
    const fresh = await readAnew();
    expect([fresh.length, await shownOn(page)]).toEqual([6, fresh]);
    await page.close();
    await second.stop();
    rmSync(folder, { recursive: true });
  });
});

test('nothing was blocked by the policy, and no script has failed', () => {
  expect(it.reports).toEqual({ policy: [], errors: [] });
});
