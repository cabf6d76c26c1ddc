import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, NARROW } from './kit/open-console.ts';

const FULL_HD = { width: 1_920, height: 1_080 };

const it = consoleOfTests();
let screen: BrowserContext;
let page: Page;
let token: { readonly id: string; readonly token: string };

const makeToken = async (scopes: readonly string[]) =>
  (await it.ask('POST', '/api/admin/tokens', { name: `screen ${scopes.length}`, scopes, expires_in: '30d' })).data;
/** A browser without a sign-in. */
const openScreen = async (link: string): Promise<Page> => {
  screen = await it.browser.newContext({ viewport: FULL_HD, reducedMotion: 'reduce', timezoneId: 'UTC' });
  const wall = await screen.newPage();
  await wall.goto(`${it.url}/ui/${link}`);
  return wall;
};

beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
  token = await makeToken(['events.read', 'services.read', 'pipeline.read']);
  page = await openScreen(`noc#token=${token.token}`);
}, 60_000);

test('a link opens the wall, with nothing to click, and its token stays in memory', async () => {
  await page.getByRole('heading', { level: 1, name: '1 active problem, critical' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Switch link down' }).getByText('Unassigned').first().waitFor();
  await page.getByText(/^Last event .* ago$/).waitFor();
  await page.getByText(/^All \d+ processors running/).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.locator('a, button, input, [tabindex="0"]').count()).toBe(0);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage, ...sessionStorage }, location.href]));
  expect(kept).not.toContain(token.token);
});

test('it shows what happens without being loaded again', async () => {
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  const { groups } = await it.ask('GET', '/api/events/groups');
  const [{ correlationId }] = groups;
  await it.ask('POST', '/api/events/status', { correlationId, status: 'acknowledged' });
  await page.getByRole('heading', { level: 1, name: /^No active problems/ }).waitFor();
  await page.getByText('1 acknowledged').waitFor();
  await it.ask('POST', '/api/events/status', { correlationId, status: 'resolved' });
  await page.getByText('No active groups and no open ungrouped events').waitFor();
  // An event in no group counts as much.
  const ping = { source: 'ping', severity: 'critical', title: 'Payment database is down', hostname: 'pay-db-01' };
  const { eventId } = await it.ask('POST', '/api/events/ingest', { ...ping, sourceId: 'pay' });
  await page.getByRole('heading', { level: 1, name: '1 active problem, critical' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Payment database is down' }).waitFor();
  expect(await page.getByText(/\bwell\b|\bnothing\b/i).count()).toBe(0);
  await it.ask('POST', '/api/events/groups/resolve', { ids: [eventId] });
  await furnishInfrastructure(it, it.app.ports.clock.now());
  await page.getByRole('listitem').filter({ hasText: 'Switch link down' }).waitFor();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});

test('a source that stopped is named at the foot, in amber', async () => {
  const silent = { name: 'probe', title: 'Probe', eventId: 'EVT-1', lastEventAt: '2026-11-01T10:00:00Z', since: null };
  await page.route('**/api/sources/silent', (route) => route.fulfill({ json: { success: true, data: [silent] } }));
  await it.ask('POST', '/api/events/ingest', { source: 's', sourceId: 'z', severity: 'info', title: 'Backup done' });
  const foot = page.getByText('No data from Probe');
  await foot.waitFor();
  expect(await foot.locator('xpath=ancestor-or-self::*[@data-kind]').getAttribute('data-kind')).toBe('caution');
  await page.unroute('**/api/sources/silent');
});

test('type grows with the screen, and no row is cut off', async () => {
  const sizeOf = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.querySelector('ol strong') as Element).fontSize));
  const large = await sizeOf();
  await page.setViewportSize(NARROW);
  await until(async () => (await sizeOf()) < large / 1.5);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width);
  await page.setViewportSize(FULL_HD);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(FULL_HD.height);
});

test('it keeps WCAG 2.2 AA in both themes', async () => {
  expect(await violationsInThemes(page)).toEqual([]);
});

test('its address may name the theme', async () => {
  const dark = await openScreen(`noc?theme=dark#token=${token.token}`);
  await dark.getByRole('heading', { level: 1, name: /active/ }).waitFor();
  expect(await dark.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await dark.context().close();
});

test('a token that may change something is refused, and so is one for another page', async () => {
  const writing = await makeToken(['events.read', 'events.write']);
  const refused = await openScreen(`noc#token=${writing.token}`);
  await refused.getByRole('alert').getByText('also grants events.write').waitFor();
  expect(refused.url()).not.toContain('token');
  await refused.context().close();
  const elsewhere = await openScreen(`groups#token=${token.token}`);
  await elsewhere.getByRole('textbox', { name: 'Username' }).waitFor();
  await elsewhere.context().close();
});

test('a link that was revoked says so over what was there', async () => {
  await it.ask('DELETE', `/api/admin/tokens/${token.id}`);
  await it.ask('POST', '/api/events/ingest', {
    source: 'x',
    sourceId: 'f',
    severity: 'minor',
    title: 'Fan slow',
    hostname: 'web-1',
  });
  await page.getByRole('dialog').getByText("You've been signed out").waitFor();
});

test('nothing was blocked by the policy, and no script has failed', () => {
  expect(it.reports).toEqual({ policy: [], errors: [] });
});
