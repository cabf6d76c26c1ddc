import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports, goWithin, NARROW, PASSWORD, WIDE } from './kit/open-console.ts';

/** Customization of the lists of groups and events: views, columns, ranges of time. */

const HOUR = 3_600_000;
const it = consoleOfTests();
let at = 0;
beforeAll(async () => {
  at = it.app.ports.clock.now();
  await furnishInfrastructure(it, at);
});

/** Requests as the user of the page. */
const asked = async (path: string) => {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const signedIn = await fetch(`${it.url}/api/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const { token } = (await signedIn.json()).data;
  return (await it.ask('GET', path, undefined, { authorization: `Bearer ${token}` })).data;
};
const views = () => asked('/api/views');
const search = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);
const menu = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const headers = async (page: Page): Promise<string[]> => {
  const found = await page.getByRole('grid', { name: 'Events' }).getByRole('columnheader').allInnerTexts();
  return found.map((text) => text.replace(/[↑↓]/, '').trim()).filter(Boolean);
};
const FIRST = ['Severity', 'Status', 'CI or host', 'Title', 'Count', 'First seen', 'Group', 'Assignee'];

test('a view keeps filters and columns; it is renamed, shared, begun with, taken back, and deleted', async () => {
  const page = await it.signedIn('events?severity=critical');
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
  await menu(page, 'Columns').click();
  await page.getByRole('checkbox', { name: 'Source' }).click();
  await page.getByRole('checkbox', { name: 'Group' }).click();
  await page.getByRole('button', { name: 'Move Source up' }).click();
  await page.keyboard.press('Escape');
  const shown = [...FIRST.slice(0, 6), 'Source', 'Assignee'];
  await until(async () => (await headers(page)).join() === shown.join());

  await menu(page, 'All events').click();
  await page.getByRole('button', { name: 'Save as new view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('On call');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await menu(page, 'On call').waitFor();
  const [kept] = await views();
  expect(kept).toMatchObject({
    name: 'On call',
    page: 'events',
    query: 'severity=critical',
    shared: false,
    columns: ['severity', 'status', 'ci', 'title', 'count', 'timestamp', 'source', 'keeper'],
  });

  // Another list, with the user's columns without a view.
  await menu(page, 'On call').click();
  await page.getByRole('button', { name: 'All events', exact: true }).click();
  await page.getByRole('row', { name: /HTTP 503/ }).waitFor();
  expect(search(page)).toEqual({});
  await menu(page, 'All events').click();
  await page.getByRole('button', { name: /^On call 2$/ }).click();
  await page.getByRole('row', { name: /HTTP 503/ }).waitFor({ state: 'detached' });
  expect(search(page)).toMatchObject({ severity: 'critical', view: kept.id });

  await menu(page, 'On call').click();
  await page.getByRole('button', { name: 'Rename or share On call' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Night shift');
  await page.getByRole('switch', { name: 'Share with tenant' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await menu(page, 'Night shift').click();
  await page.getByRole('button', { name: 'Set Night shift as default' }).click();
  await until(async () => (await views())[0]?.shared === true);
  expect((await views())[0]).toMatchObject({ name: 'Night shift', by: 'Administrator' });
  await until(async () => (await asked('/api/me/settings')).views.events === kept.id);

  await page.goto(`${it.url}/ui/events`);
  await menu(page, 'Night shift').waitFor();
  expect(search(page)).toMatchObject({ severity: 'critical', view: kept.id });

  await it.ask('POST', '/api/views', {
    name: 'All that was heard of the data centre in the north since the last move',
    page: 'events',
    query: '',
    shared: true,
  });
  await page.setViewportSize({ width: 320, height: 844 });
  await page.reload();
  await menu(page, 'Night shift').click();
  const remove = page.getByRole('button', { name: /^Delete All that was heard/ });
  await remove.waitFor();
  const { x, width } = (await remove.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(320);
  await remove.click();
  await page.getByText('Deleted view').waitFor();
  await page.setViewportSize(WIDE);
  await page.reload();

  await menu(page, 'Night shift').click();
  await page.getByRole('button', { name: 'Delete Night shift' }).click();
  await page.getByText('Deleted view “Night shift”').waitFor();
  expect(await views()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await views()).length === 1);
  await it.leave(page);
});

test('all columns of the table are seen at 1280 px, and more of them are reached by scrolling', async () => {
  const page = await it.signedIn('events?host=*-1');
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
  await page.evaluate(() => localStorage.removeItem('faultline-settings'));
  await menu(page, 'Columns').click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.keyboard.press('Escape');
  await until(async () => (await headers(page)).join() === FIRST.join());
  const right = () =>
    page
      .getByRole('columnheader', { name: 'Assignee' })
      .evaluate((cell) => [cell.getBoundingClientRect().right, cell.scrollWidth - cell.clientWidth]);
  const [edge, cut] = await right();
  expect([edge! <= WIDE.width, cut]).toEqual([true, 0]);
  await menu(page, 'Columns').click();
  for (const name of ['Source', 'Service', 'Environment', 'IP address', 'Last seen'])
    await page.getByRole('checkbox', { name }).click();
  const grid = page.getByRole('grid', { name: 'Events' });
  expect(await grid.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await it.leave(page);
});

test('a range of time is typed in the zone of the person, stands as a chip, and is what the server is asked for', async () => {
  const { ask } = it;
  const old = new Date(Math.floor((at - 30 * HOUR) / 60_000) * 60_000);
  await ask('POST', '/api/events/ingest', {
    source: 's',
    sourceId: 'old',
    severity: 'info',
    title: 'Long ago',
    hostname: 'h',
    timestamp: old.toISOString(),
  });
  const page = await it.signedIn('me');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tehran');
  await page.getByRole('option', { name: 'Asia/Tehran' }).click();
  await page.getByRole('link', { name: 'Events' }).first().click();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'time' }).click();
  // 3 h 30 min ahead of UTC.
  const there = new Date(old.getTime() + 3.5 * HOUR).toISOString().slice(0, 16);
  await page.getByLabel('From', { exact: true }).fill(there);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('The end must be after the start').waitFor();
  await page.getByLabel('To', { exact: true }).fill(there);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('row', { name: /Long ago/ }).waitFor();
  await page.getByText('1 event', { exact: true }).waitFor();
  expect(search(page)).toMatchObject({ from: `${old.getTime()}`, to: `${old.getTime() + 59_999}` });
  await page.getByRole('button', { name: 'Remove time' }).click();
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
  expect(search(page).from).toBeUndefined();

  await goWithin(page, `groups?from=${at - HOUR}&to=${at - HOUR / 2}`);
  await page.getByText('No groups or events match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await it.leave(page);
});

test('of a filter with several values the focus stays where it was chosen, and a time that is none is no filter', async () => {
  const page = await it.onward('events?from=abc');
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'severity' }).click();
  const minor = page.getByRole('button', { name: 'Minor', exact: true });
  await minor.press('Enter');
  await page.getByRole('button', { name: 'Remove severity' }).waitFor();
  expect(await minor.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove severity' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await it.leave(page);
});

test('who has it is a user or a team by name, of events and of groups', async () => {
  const team = (await it.ask('POST', '/api/admin/teams', { name: 'Storage night' })).data.id;
  const { events } = await it.ask('GET', '/api/events?search=PostgreSQL');
  const [{ eventId }] = events;
  await it.ask('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged', assignedTeam: team });
  const page = await it.onward('events');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'assignee' }).click();
  for (const name of [/^Me and my teams/, /^Unassigned/]) await page.getByRole('button', { name }).waitFor();
  await page.getByRole('textbox', { name: 'assignee' }).fill('night');
  await page.getByRole('button', { name: /^Storage night\s*team/ }).click();
  await page.getByRole('button', { name: 'assignee: Storage night' }).waitFor();
  expect(search(page).assignee).toBe(team);
  await until(async () => (await page.getByRole('grid', { name: 'Events' }).getByRole('row').count()) === 2);
  expect(await hindrancesOn(page)).toEqual([]);
  await goWithin(page, `groups?assignee=${team}`);
  await page.getByRole('button', { name: 'assignee: Storage night' }).waitFor();
  await it.ask('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged', assignedTeam: null });
  await it.leave(page);
});

test('the row in focus says what the panel beside it says, while the list is read no more', async () => {
  const page = await it.onward('groups');
  const row = page.getByRole('row', { name: /Switch link down/ });
  await row.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  const panel = page.getByRole('complementary', { name: 'Group preview' });
  await panel.getByRole('heading', { name: /Switch link down/ }).waitFor();
  // The list hangs; the panel continues.
  await page.route('**/api/events/groups?*', () => undefined);
  const { groups } = await it.ask('GET', '/api/events/groups?search=switch%20link');
  const [{ correlationId }] = groups;
  await it.ask('POST', '/api/events/groups/assign', { ids: [correlationId], user_id: 'admin' });
  await panel.getByText('Assigned to Administrator').first().waitFor();
  await row.getByText('Assigned to Administrator').first().waitFor();
  await it.ask('POST', '/api/events/groups/assign', { ids: [correlationId], user_id: null });
  await row.getByText('Unassigned').first().waitFor();
  await page.unroute('**/api/events/groups?*');
  await it.leave(page);
});

test('what was done is said beside what can be done with a selection', async () => {
  const page = await it.onward('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  const bar = page.getByRole('region', { name: 'Selection' });
  const toast = page.locator('.mantine-Notification-root');
  for (const viewport of [WIDE, { width: 1_000, height: 800 }, NARROW]) {
    await page.setViewportSize(viewport);
    await page.getByRole('row', { name: /Switch link down/ }).focus();
    await page.keyboard.press('a');
    await toast.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('x');
    const below = (await bar.boundingBox())!;
    const said = (await toast.first().boundingBox())!;
    expect(said.y + said.height).toBeLessThanOrEqual(below.y);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
  }
  await page.setViewportSize(WIDE);
  await it.leave(page);
});

test('a histogram of few events has columns over the whole day, and one of them narrows the list', async () => {
  const page = await it.onward('events');
  const columns = page.getByRole('region', { name: 'Events over time' }).getByRole('button', { includeHidden: true });
  await until(async () => (await columns.count()) > 0);
  const number = await columns.count();
  const full = page.getByRole('button', { name: /: [1-9]\d* events?\. Select to filter/ });
  expect([number >= 96, number <= 120]).toEqual([true, true]);
  const { width } = (await full.first().boundingBox())!;
  expect(width).toBeLessThan(WIDE.width / 90);
  await full.last().press('Enter');
  await page.getByRole('button', { name: 'Remove time' }).waitFor();
  expect(Number(search(page).to) - Number(search(page).from)).toBe(15 * 60_000 - 1);
  await it.leave(page);
});

test('what a row of groups says is chosen, and stays so', async () => {
  const page = await it.onward('groups');
  const row = page.getByRole('row', { name: /Switch link down/ });
  await row.getByText('Unassigned').first().waitFor();
  await menu(page, 'Columns').click();
  await page.getByRole('checkbox', { name: 'Assignee' }).click();
  await page.getByRole('checkbox', { name: 'Sources' }).click();
  await row.getByText('Unassigned').first().waitFor({ state: 'detached' });
  await row.getByText('curl').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  // In the colors of the system the selected row is visible, too; users who want more contrast get it.
  const box = page.getByRole('checkbox', { name: 'Select all loaded rows' }).or(row.getByRole('checkbox')).first();
  const ground = () => box.evaluate((one) => getComputedStyle(one).backgroundColor);
  await page.emulateMedia({ forcedColors: 'active' });
  const before = await ground();
  await box.click();
  expect(await ground()).not.toBe(before);
  expect(await row.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
  await page.emulateMedia({ forcedColors: null, contrast: 'more' });
  await page.waitForFunction(
    () => getComputedStyle(document.documentElement).getPropertyValue('--fl-ground') === '#000000',
  );
  await page.emulateMedia({ contrast: null });
  await it.leave(page);
});

test('a row of a group whose cause is not certain names the two best, and on a phone what is hit is seen', async () => {
  await it.ask('POST', '/api/admin/tenants', { id: 'unsure', name: 'unsure' });
  const unsure = { 'x-tenant-id': 'unsure' };
  const components = [];
  for (const name of ['q-0', 'q-1']) {
    const ci = await it.ask('POST', '/v1/cmdb/ci', { name, type: 'server', attributes: { hostname: name } }, unsure);
    components.push({ ci_id: ci.id, role: 'web' });
  }
  await it.ask('POST', '/v1/services', { name: 'orders', components }, unsure);
  for (const [n, title] of ['Queue grows', 'Checkout is slow'].entries()) {
    const event = { source: 's', sourceId: `q${n}`, hostname: `q-${n}`, service: 'orders', severity: 'major', title };
    await it.ask('POST', '/api/events/ingest', event, unsure);
  }
  await it.app.idle();
  const page = await it.signedIn('groups');
  await page.evaluate(() => sessionStorage.setItem('faultline-tenant', 'unsure'));
  await page.reload();
  const row = page.getByRole('row', { name: /Queue grows.*%, low confidence; alternative: Checkout is slow/ });
  await row
    .or(page.getByRole('row', { name: /Checkout is slow.*%, low confidence; alternative: Queue grows/ }))
    .waitFor();
  const badge = page.locator('[role=status][data-kind=live]');
  await badge.waitFor();
  expect(await badge.textContent()).toMatch(/^Live\d+s$/);

  await page.setViewportSize(NARROW);
  const hit = page.getByText('Affects orders', { exact: true }).first();
  await hit.waitFor();
  const { x, width } = (await hit.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(NARROW.width);
  expect(await hit.evaluate(({ parentElement }) => parentElement!.scrollWidth - parentElement!.clientWidth)).toBe(0);
  const search = page.getByRole('searchbox', { name: 'Search' });
  expect(await search.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filters' }).click();
  await search.waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await page.close();
});

expectNoReports(it);
