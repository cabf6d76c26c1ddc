import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { hindrancesOn } from './kit/fit.ts';
import { goWithin, openConsole, type TestConsole } from './kit/open-console.ts';

/** What each page shows while it waits, when the server fails, refuses or has nothing. The server of this file is empty. */

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
let page: Page;
beforeAll(async () => {
  it = await openConsole();
  if (it !== null) page = await it.signedIn('me');
});
afterAll(() => it?.close());

/** The frame lives on these; the rest of the interface is in the hands of a test. */
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
const open = (path: string) => page.goto(`${it!.url}/ui/${path}`);
/** Without loading the console anew: what pages have read stays read for 30 s. */
const visit = async (path: string): Promise<void> => {
  await goWithin(page, 'me');
  await page.getByRole('heading', { level: 1, name: 'Administrator' }).waitFor();
  await goWithin(page, path);
};

/** Address, what could not be read, what is missing, and what an empty server says there. */
const PAGES = [
  ['groups', 'The groups', 'events.read', 'No event has arrived yet'],
  ['events', 'The events', 'events.read', 'No event has arrived yet'],
  ['cis', 'The CIs', 'cmdb.read', 'Nothing is known yet of what you have'],
  ['services', 'The services', 'services.read', 'No service is known yet'],
  ['reports', 'The reports', 'reports.read', 'No report yet'],
  ['tuning', 'The settings', 'settings.read', 'Score that joins'],
  ['tuning?view=quality', 'The verdicts', 'events.read', 'Nobody has said yet whether a cause was right'],
  ['discovery', 'The scans', 'discovery.read', 'No scan has arrived yet'],
  ['discovery?tab=hosts', 'Hosts without a CI', 'discovery.read', 'Every host that events speak of is known'],
  ['sources', 'The sources', 'tokens.manage', 'Nothing has sent anything yet'],
  ['sources/prometheus', 'The source', 'tokens.manage', 'Waiting for the first event'],
  ['pipeline', 'The pipeline', 'pipeline.read', 'No record was refused'],
  ['start', 'The source', 'tokens.manage', 'Waiting for the first event'],
] as const;

describe.each(PAGES)('%s', (path, what, permission, empty) => {
  // The first look, so that nothing was read yet; what the set-up shows was read by pages before it.
  test('says which permission is missing', async () => {
    if (it === null) return;
    const stop = await answering(refusing(403, `This needs the permission ${permission}`));
    await (path === 'start' ? open(path) : visit(path));
    await page.getByText(`This needs ${permission}`).first().waitFor();
    await page.getByText('Your role is platform-admin').first().waitFor();
    await stop();
  });

  test('waits, says what failed with the number of the request, and goes on after a retry', async () => {
    if (it === null) return;
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
    await page.getByText(`${what} could not be read`).first().waitFor();
    await page.getByText(REQUEST).first().waitFor();
    expect(await page.getByText('could not be shown').count()).toBe(0);
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
  if (it === null) return;
  await visit(path);
  await page.getByText('Deleted, or it never existed').waitFor();
  const list = path.slice(0, path.lastIndexOf('/'));
  await page.getByRole('main').getByRole('link', { name: 'Back to the list' }).click();
  await page.waitForURL(`**/ui/${list}`);
});

test.each(['topology?ci=01M8AKN3XWQ4A9QN3RAYFAC2PQ', 'events?event=EVT-gone'])(
  '%s, which names what is not there, says so beside what is there',
  async (path) => {
    if (it === null) return;
    await visit(path);
    await page.getByText('Deleted, or it never existed').first().waitFor();
  },
);

test('an address that leads nowhere says so, and leads on', async () => {
  if (it === null) return;
  await visit('no/such/page');
  await page.getByText('There is no such page').waitFor();
  await page.getByRole('link', { name: 'To the first page' }).click();
  await page.getByText('There is no such page').waitFor({ state: 'detached' });
});

test('a part of the console that the server does not have any more is said, and nothing is loaded anew by itself', async () => {
  if (it === null) return;
  const part = '**/assets/import-page*';
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.route(part, (route) => route.fulfill({ status: 404, body: '' }));
  await visit('import');
  await page.getByText('This page could not be loaded').waitFor();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  await page.unroute(part);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
});

test('while its script is on the way the page says that it is loading', async () => {
  if (it === null) return;
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
  await page.getByText('No event has arrived yet').waitFor();
  expect(await word.count()).toBe(0);
  await page.unroute(scripts);
});

test('too many requests: it counts down, and reads again by itself', async () => {
  if (it === null) return;
  const stop = await answering(refusing(429, 'Slow down', { 'retry-after': '2' }));
  const stream = '**/sse/changes*';
  await page.route(stream, refusing(429, 'Too many streams', { 'retry-after': '60' }));
  await open('groups');
  await page.getByText('Too many requests').waitFor();
  await page.getByText(/Tried again in [12] s/).waitFor();
  // Without a stream it is read every 10 s, which the badge says.
  await page.locator('[role=status][data-kind=polling]').getByText('every 10 s').waitFor();
  await page.unroute(stream);
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await page.getByText('No event has arrived yet').waitFor();
});

test('a server that is not ready: which part of it is not well, and it reads again by itself', async () => {
  if (it === null) return;
  const checks = [
    { name: 'sqlite', ok: true, detail: 'open' },
    { name: 'pipeline', ok: false, detail: 'correlate has not moved for 70 s' },
  ];
  const ready = '**/readyz*';
  await page.route(ready, (route) => route.fulfill({ status: 503, json: { status: 'not ready', checks } }));
  const stop = await answering(refusing(503, 'The store is busy', { 'retry-after': '3' }));
  await open('groups');
  await page.getByText('The groups could not be read: the server is not ready').waitFor();
  const ill = page.getByRole('list', { name: 'What is not well' });
  await ill.getByText('correlate has not moved for 70 s').waitFor();
  expect(await ill.getByRole('listitem').count()).toBe(1);
  await page.getByText(/Tried again in [123] s/).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await page.unroute(ready);
  await page.getByText('No event has arrived yet').waitFor();
});

test('what was read stays, greyed and with its age, when reading anew fails; it counts down, and reads again by itself', async () => {
  if (it === null) return;
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk of db-1 is full', hostname: 'db-1' };
  await open('sources/prometheus');
  await page.getByText('Waiting for the first event').waitFor();
  await page.locator('[role=status][data-kind=live]').waitFor();
  const stop = await answering(refusing(429, 'Slow down', { 'retry-after': '3' }));
  await it.ask('POST', '/api/events/ingest', event);
  const strip = page.getByRole('status').filter({ hasText: /^The source, .* old, could not be read anew: Slow down/ });
  await strip.getByText(REQUEST).waitFor();
  await strip.getByText(/Tried again in [123] s/).waitFor();
  await page.getByText('Waiting for the first event').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  await strip.waitFor({ state: 'detached' });
});

test('what is typed and opened in a part stays when reading the part anew fails', async () => {
  if (it === null) return;
  const [{ eventId }] = (await it.ask('GET', '/api/events?limit=1')).events;
  await open(`events?event=${eventId}`);
  const beside = page.getByRole('complementary', { name: 'The event that is open' });
  await beside.getByText('Explain with another event').click();
  const other = beside.getByRole('combobox', { name: 'The other event' });
  await other.fill('Disk');
  const stop = await answering(refusing(500, 'The store has failed'));
  await it.ask('POST', '/api/events/status', { ids: [eventId], status: 'acknowledged' });
  await beside.getByText('could not be read anew: The store has failed').waitFor();
  expect(await other.inputValue()).toBe('Disk');
  await stop();
  await beside.getByRole('button', { name: 'Retry' }).click();
  await beside.getByText('could not be read anew').waitFor({ state: 'detached' });
  expect(await other.isVisible()).toBe(true);
});

test('a console that cannot learn who uses it says so, and goes on after another try', async () => {
  if (it === null) return;
  const me = '**/api/me';
  await page.route(me, refusing(503, 'The store is busy', { 'retry-after': '1' }));
  await open('groups');
  await page.getByText('The console could not be read: the server is not ready').waitFor();
  await page.unroute(me);
  await page.route(me, refusing(500, 'The store has failed'));
  await page.getByText('The console could not be shown').waitFor();
  await page.getByText(REQUEST).waitFor();
  await page.unroute(me);
  // Meanwhile the server has become another one.
  await page.route(me, async (route) => {
    const { data, ...whole } = await (await route.fetch()).json();
    await route.fulfill({ json: { ...whole, data: { ...data, version: '0.0.1' } } });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: /^Search or jump/ }).waitFor();
  await page.getByText(/^Faultline was updated to (?!0\.0\.1)/).waitFor();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
});
