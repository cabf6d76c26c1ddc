import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests, goWithin } from './kit/open-console.ts';

/**
 * State of each page while it waits, when the server fails, refuses or has nothing. The server of this file is empty.
 */

const it = consoleOfTests();
let page: Page;
beforeAll(async () => {
  page = await it.signedIn('me');
});

/** The frame depends on these; the rest of the interface is controlled by a test. */
const FRAME = /\/api\/(me|auth|views)\b|\/sse\//;
const REQUEST = 'req-of-this-test';

/** Answers all that a page reads, until it is called. */
const answering = async (answer: (route: Route) => unknown) => {
  const pattern = /\/(api|v1)\//;
  const handle = (route: Route): unknown => (FRAME.test(route.request().url()) ? route.continue() : answer(route));
  await page.route(pattern, handle as never);
  return () => page.unroute(pattern, handle as never);
};
const refusing =
  (status: number, message: string, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      json: { success: false, error: { code: 'X', message } },
      headers: { 'x-request-id': REQUEST, ...headers },
    });
const open = (path: string) => page.goto(`${it.url}/ui/${path}`);
/** Navigates without reloading the console: data read by pages stays cached for 30 s. */
const visit = async (path: string): Promise<void> => {
  await goWithin(page, 'me');
  await page.getByRole('heading', { level: 1, name: 'Administrator' }).waitFor();
  await goWithin(page, path);
};

/** Address, label of the failed data, missing permission, and text for an empty server. */
const PAGES = [
  ['groups', 'groups', 'events.read', 'No events yet'],
  ['events', 'events', 'events.read', 'No events yet'],
  ['cis', 'CIs', 'cmdb.read', 'No CIs yet'],
  ['services', 'services', 'services.read', 'No services yet'],
  ['reports', 'reports', 'reports.read', 'No reports yet'],
  ['tuning', 'settings', 'settings.read', 'Minimum score'],
  ['tuning?view=quality', 'verdicts', 'events.read', 'No verdicts on root causes yet'],
  ['discovery', 'scans', 'discovery.read', 'No scans yet'],
  ['discovery?tab=hosts', 'unbound hosts', 'discovery.read', 'All hosts are bound to CIs'],
  ['sources', 'sources', 'tokens.manage', 'Available sources'],
  ['sources/prometheus', 'source', 'tokens.manage', 'Waiting for the first event'],
  ['pipeline', 'pipeline', 'pipeline.read', 'No dead letters'],
  ['start', 'source', 'tokens.manage', 'Waiting for the first event'],
] as const;

describe.each(PAGES)('%s', (path, what, permission, empty) => {
  // The first visit, so that nothing was read yet; pages before it have read the data of the setup.
  test('says which permission is missing', async () => {
    const stop = await answering(refusing(403, `Requires permission ${permission}`));
    await (path === 'start' ? open(path) : visit(path));
    await page.getByText(`This page requires the ${permission} permission`).first().waitFor();
    await page.getByText('Your role is platform-admin').first().waitFor();
    await stop();
  });

  test('waits, says what failed with the number of the request, and goes on after a retry', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stop = await answering(async (route) => {
      await held;
      await refusing(500, 'The store has failed')(route);
    });
    await visit(path);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    release();
    await page.getByText(`Couldn't load ${what}`).first().waitFor();
    await page.getByText(REQUEST).first().waitFor();
    expect(await page.getByText("Couldn't display").count()).toBe(0);
    await stop();
    // Each part of the page has a failure and a button of its own.
    const retries = page.getByRole('button', { name: 'Retry' });
    while ((await retries.count()) > 0) {
      await retries.first().click();
      await page.waitForTimeout(50);
    }
    await page.getByText(empty).first().waitFor();
  });
});

test.each([
  'groups/COR-1-gone',
  'cis/01M8AKN3XWQ4A9QN3RAYFAC2PQ',
  'services/01M8AKN3XWQ4A9QN3RAYFAC2PQ',
  'sources/gone',
  'admin/webhooks/WHK-gone',
])('%s, which is not there, says so', async (path) => {
  await visit(path);
  await page.getByText('Not found', { exact: true }).waitFor();
  const list = path.slice(0, path.lastIndexOf('/'));
  await page.getByRole('main').getByRole('link', { name: 'Back to list' }).click();
  await page.waitForURL(`**/ui/${list}`);
});

test.each(['topology?ci=01M8AKN3XWQ4A9QN3RAYFAC2PQ', 'events?event=EVT-gone'])(
  '%s, which names what is not there, says so beside what is there',
  async (path) => {
    await visit(path);
    await page.getByText('Not found', { exact: true }).first().waitFor();
  },
);

test('an address that leads nowhere says so, and leads on', async () => {
  await visit('no/such/page');
  await page.getByText('Page not found').waitFor();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.getByText('Page not found').waitFor({ state: 'detached' });
});

test('a part of the console that the server does not have any more is said, and nothing is loaded anew by itself', async () => {
  const part = '**/assets/import-page*';
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.route(part, (route) => route.fulfill({ status: 404, body: '' }));
  await visit('import');
  await page.getByText("Couldn't load this page").waitFor();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  await page.unroute(part);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
});

test('while its script is on the way the page says that it is loading', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const scripts = '**/assets/*.js';
  await page.route(scripts, (route) => held.then(() => route.continue()));
  await page.goto(`${it.url}/ui/groups`, { waitUntil: 'commit' });
  const word = page.getByText('Faultline is loading…');
  await word.waitFor();
  release();
  await page.getByText('No events yet').waitFor();
  expect(await word.count()).toBe(0);
  await page.unroute(scripts);
});

test('too many requests: it counts down, and reads again by itself', async () => {
  const stop = await answering(refusing(429, 'Slow down', { 'retry-after': '2' }));
  const stream = '**/sse/changes*';
  await page.route(stream, refusing(429, 'Too many streams', { 'retry-after': '60' }));
  await open('groups');
  await page.getByText('Too many requests').waitFor();
  await page.getByText(/Retrying in [12]s/).waitFor();
  // Without a stream it is refetched every 10 s, which the badge shows.
  await page.locator('[role=status][data-kind=polling]').getByText('Polling every 10s').waitFor();
  await page.unroute(stream);
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await page.getByText('No events yet').waitFor();
});

test('a server that is not ready: which part of it is not well, and it reads again by itself', async () => {
  const checks = [
    { name: 'sqlite', ok: true, detail: 'open' },
    { name: 'pipeline', ok: false, detail: 'correlate has not moved for 70 s' },
  ];
  const ready = '**/readyz*';
  await page.route(ready, (route) => route.fulfill({ status: 503, json: { status: 'not ready', checks } }));
  const stop = await answering(refusing(503, 'The store is busy', { 'retry-after': '3' }));
  await open('groups');
  await page.getByText("Couldn't load groups: the server is not ready").waitFor();
  const ill = page.getByRole('list', { name: 'Unhealthy components' });
  await ill.getByText('correlate has not moved for 70 s').waitFor();
  expect(await ill.getByRole('listitem').count()).toBe(1);
  await page.getByText(/Retrying in [123]s/).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await page.unroute(ready);
  await page.getByText('No events yet').waitFor();
});

test('what was read stays, greyed and with its age, when reading anew fails; it counts down, and reads again by itself', async () => {
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk of db-1 is full', hostname: 'db-1' };
  await open('sources/prometheus');
  await page.getByText('Waiting for the first event').waitFor();
  await page.locator('[role=status][data-kind=live]').waitFor();
  const stop = await answering(refusing(429, 'Slow down', { 'retry-after': '3' }));
  await it.ask('POST', '/api/events/ingest', event);
  const strip = page
    .getByRole('status')
    .filter({ hasText: /^Couldn't refresh source: Slow down\. Showing data from .* ago/ });
  await strip.getByText(REQUEST).waitFor();
  await strip.getByText(/Retrying in [123]s/).waitFor();
  await page.getByText('Waiting for the first event').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await strip.waitFor({ state: 'detached' });
});

test('what is typed and opened in a part stays when reading the part anew fails', async () => {
  const [{ eventId }] = (await it.ask('GET', '/api/events?limit=1')).events;
  await open(`events?event=${eventId}`);
  const beside = page.getByRole('complementary', { name: 'Event details' });
  await beside.getByText('Compare with another event').click();
  const other = beside.getByRole('combobox', { name: 'Other event' });
  await other.fill('Disk');
  const stop = await answering(refusing(500, 'The store has failed'));
  await it.ask('POST', '/api/events/status', { ids: [eventId], status: 'acknowledged' });
  await beside.getByText("Couldn't refresh event: The store has failed").waitFor();
  expect(await other.inputValue()).toBe('Disk');
  await stop();
  await beside.getByRole('button', { name: 'Retry' }).click();
  await beside.getByText("Couldn't refresh").waitFor({ state: 'detached' });
  expect(await other.isVisible()).toBe(true);
});

test('a console that cannot learn who uses it says so, and goes on after another try', async () => {
  const me = '**/api/me';
  await page.route(me, refusing(503, 'The store is busy', { 'retry-after': '1' }));
  await open('groups');
  await page.getByText("Couldn't load console: the server is not ready").waitFor();
  await page.unroute(me);
  await page.route(me, refusing(500, 'The store has failed'));
  await page.getByText("Couldn't display console").waitFor();
  await page.getByText(REQUEST).waitFor();
  await page.unroute(me);
  // Meanwhile the server has become another one.
  await page.route(me, async (route) => {
    const { data, ...whole } = await (await route.fetch()).json();
    await route.fulfill({ json: { ...whole, data: { ...data, version: '0.0.1' } } });
  });
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: /^Search or go to/ }).waitFor();
  await page.getByText(/^Faultline was updated to (?!0\.0\.1)/).waitFor();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
});
