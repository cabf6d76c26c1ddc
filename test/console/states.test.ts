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
      ...{ status, json: { success: false, error: { code: 'X', message } } },
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
])('%s, which is not there, says so', async (path) => {
  if (it === null) return;
  await visit(path);
  await page.getByText('Deleted, or it never existed').waitFor();
  const list = path.split('/')[0]!;
  await page.getByRole('main').getByRole('link', { name: 'Back to the list' }).click();
  await page.waitForURL(`**/ui/${list}`);
});

test('an address that leads nowhere says so', async () => {
  if (it === null) return;
  await visit('no/such/page');
  await page.getByText('There is no such page').waitFor();
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
  await open('groups');
  await page.getByText('Too many requests').waitFor();
  await page.getByText(/Tried again in [12] s/).waitFor();
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

test('what was read stays, greyed and with its age, when reading anew fails', async () => {
  if (it === null) return;
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk of db-1 is full', hostname: 'db-1' };
  await open('sources/prometheus');
  await page.getByText('Waiting for the first event').waitFor();
  await page.locator('[role=status][data-kind=live]').waitFor();
  const stop = await answering((route) => route.abort());
  await it.ask('POST', '/api/events/ingest', event);
  await page.getByText(/^The source, .* old, could not be read anew/).waitFor();
  await page.getByText('Waiting for the first event').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await stop();
  // Unless the page has read anew by itself before the click.
  const retry = page.getByRole('button', { name: 'Retry' }).first();
  await retry.click({ timeout: 5000 }).catch(() => undefined);
  await page.getByText(/could not be read anew/).waitFor({ state: 'detached' });
});

test('a console that cannot learn who uses it says so, and goes on after another try', async () => {
  if (it === null) return;
  await page.route('**/api/me', refusing(500, 'The store has failed'));
  await open('groups');
  await page.getByText('The console could not be shown').waitFor();
  await page.unroute('**/api/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: /^Search or jump/ }).waitFor();
});
