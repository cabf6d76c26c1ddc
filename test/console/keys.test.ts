import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { focusList } from './kit/focus.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports, goWithin } from './kit/open-console.ts';

/** Assignees, with keys and the palette. */

const it = consoleOfTests();
beforeAll(async () => {
  const { ask, app } = it;
  await furnishInfrastructure(it, app.ports.clock.now());
  const user = (username: string, name: string) =>
    ask('POST', '/api/admin/users', { username, name, role: 'operator', password: 'a password for tests' });
  await user('ada', 'Ada Lovelace');
  const grace = (await user('grace', 'Grace Hopper')).data;
  await ask('POST', '/api/admin/teams', { name: 'Network', members: [grace.id] });
  // Two more groups, made manually of otherwise unrelated events.
  for (const [at, name] of ['Printer', 'Badge reader'].entries()) {
    const timestamp = new Date(app.ports.clock.now() - (at + 1) * 3 * 3_600_000).toISOString();
    const made = await ask('POST', '/api/events/bulk-ingest', {
      source: 'curl',
      events: [1, 2].map((n) => ({
        sourceId: `${name}-${n}`,
        severity: 'minor',
        title: at === 0 ? 'Toner is empty' : 'Door stays open',
        hostname: `${name.slice(0, 3).toLowerCase()}-${n}`,
        timestamp,
      })),
    });
    const [primaryEventId, other] = made.results.success.map(({ eventId }: { eventId: string }) => eventId);
    await ask('POST', '/api/events/correlate', { primaryEventId, relatedEventIds: [other] });
  }
  await app.idle();
});

interface Group {
  readonly title: string;
  readonly status: string;
  readonly correlationId: string;
  readonly eventCount: number;
  readonly assignedTo: { readonly username: string } | null;
  readonly assignedTeam: { readonly name: string } | null;
}
const groups = async (): Promise<Group[]> => (await it.ask('GET', '/api/events/groups')).groups;
const keepers = async (): Promise<string[]> =>
  (await groups()).map(({ assignedTo, assignedTeam }) => assignedTo?.username ?? assignedTeam?.name ?? '').sort();
const rows = (page: Page) => page.getByRole('grid', { name: 'Groups' }).getByRole('row');
const inList = async (page: Page): Promise<void> => {
  await rows(page).nth(2).waitFor();
  await focusList(page);
};
const statuses = async (): Promise<string[]> => (await groups()).map(({ status }) => status).sort();

test('a group is given to somebody who is found by name, and that is taken back by a key', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('Shift+I');
  const dialog = page.getByRole('dialog', { name: /^Assign “[\w.-]+: Switch link down”/ });
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('lovel');
  await dialog.getByRole('option', { name: 'Ada Lovelace ada' }).waitFor();
  await until(async () => (await dialog.getByRole('option').count()) === 1);
  await page.keyboard.press('Enter');
  await page.getByText('Assigned to Ada Lovelace').first().waitFor();
  await page
    .getByRole('row', { name: /Switch link down/ })
    .getByText('Assigned to Ada Lovelace')
    .waitFor();
  expect(await keepers()).toEqual(['', '', 'ada']);
  await inList(page);
  await page.keyboard.press('u');
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await keepers()).toEqual(['', '', '']);
  await page.keyboard.press('u');
  await page.getByText('Nothing to undo').waitFor();
  await it.leave(page);
});

test('what is typed before the palette has the focus does nothing to what is selected', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  const before = await statuses();
  const typed = await page.evaluate(async () => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'k', code: 'KeyK', ctrlKey: true });
    let count = 0;
    for (; document.activeElement?.getAttribute('role') === 'row' && count < 1_000; count++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (document.activeElement?.getAttribute('role') === 'row') press({ key: 'a', code: 'KeyA' });
    }
    return count;
  });
  expect(typed).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('textbox', { name: 'Search or go to…' }).waitFor();
  await page.keyboard.press('Escape');
  await inList(page);
  expect(await statuses()).toEqual(before);
  await it.leave(page);
});

test.each(['groups', 'events', 'cis'])('words may be typed with pauses into the search of %s', async (path) => {
  const page = await it.onward(path);
  const field = page.getByRole('searchbox', { name: 'Search' });
  const inAddress = (text: string | null) => until(async () => new URL(page.url()).searchParams.get('search') === text);
  await page
    .getByText(/sw-1|Switch link down/)
    .first()
    .waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('s');
  await inAddress('s');
  await page
    .getByText(/^[1-9]\d* (?:CIs?|groups?|events?)/)
    .first()
    .waitFor();
  await page.keyboard.type('w-1');
  expect(await field.inputValue()).toBe('sw-1');
  await inAddress('sw-1');
  // The field has the value of the address when something else changes it.
  await goWithin(page, path);
  await until(async () => (await field.inputValue()) === '');
  await it.leave(page);
});

test('a list that comes late leaves the focus to whoever types meanwhile', async () => {
  const page = await it.onward('me');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/events?*', (route) => held.then(() => route.continue()));
  await goWithin(page, 'events');
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  release();
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await page.keyboard.type('s');
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('s');
  await it.leave(page);
});

test('Escape closes the topmost thing alone, and ends no typing', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('x');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
  const group = page.url();
  for (const key of ['Shift+I', 'm', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.matches('[data-keys]'));
  }
  await page.keyboard.press('n');
  const note = page.getByRole('textbox', { name: 'New note' });
  await note.fill('half a thought');
  await note.press('Escape');
  expect([page.url().split('?')[0], await note.inputValue()]).toEqual([group, 'half a thought']);
  await page.locator('[data-keys]').first().focus();
  await page.keyboard.press('Escape');
  await inList(page);
  await it.leave(page);
});

test('a list is found again as it was left: the row that was opened has the focus', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('End');
  const named = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'));
  const last = await named();
  await page.keyboard.press('Enter');
  await page.getByText('3 of 3').waitFor();
  await page.keyboard.press('Escape');
  await inList(page);
  expect([last, await named()]).toEqual([last, last]);
  expect(last).not.toBe('2');
  await page.keyboard.press('Home');
  await it.leave(page);
});

test('keys go on acting when the button that had the focus is gone', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  for (let times = 0; times < 2; times++) {
    await page.keyboard.press('x');
    await page.getByText('1 group selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByText('1 group selected').waitFor({ state: 'detached' });
  }
  await it.leave(page);
});

test('several are given to a team at once, and each goes back to whoever had it', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('i');
  await page.getByText('Assigned to Administrator').first().waitFor();
  await inList(page);
  await page.keyboard.press('Control+a');
  await page.getByText('3 groups selected').waitFor();
  await page.getByRole('button', { name: 'Assign…' }).first().click();
  await page.getByRole('dialog', { name: 'Assign 3 groups' }).getByRole('option', { name: 'Network team' }).click();
  await page.getByText('3 groups assigned to Network').waitFor();
  expect(await keepers()).toEqual(['Network', 'Network', 'Network']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await keepers()).toEqual(['', '', 'admin']);
  await it.leave(page);
});

test('on its page a group is given away, noted on, resolved, reopened, and left for the next of the list', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
  await page.getByText('1 of 3').waitFor();
  await page.getByRole('button', { name: /^Assign/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Grace Hopper/ })
    .click();
  await page.getByText('Assigned to Grace Hopper').first().waitFor();
  await page.locator('[data-keys]').first().focus();
  await page.keyboard.press(']');
  await page.getByText('2 of 3').waitFor();
  await page.keyboard.press(']');
  await page.getByText('3 of 3').waitFor();
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('2 events resolved').waitFor();
  expect(await statuses()).toEqual(['active', 'active', 'resolved']);
  await page.keyboard.press('Shift+r');
  await page.getByText('2 events reopened').waitFor();
  await page.keyboard.press('[');
  await page.getByText('2 of 3').waitFor();
  expect(await statuses()).toEqual(['active', 'active', 'active']);
  await it.leave(page);
});

test('an event that is open is given away, and is open and nobody’s again when that is taken back', async () => {
  const { ask } = it;
  const stored = async () => (await ask('GET', '/api/events?host=db-1&view=row')).events[0];
  const page = await it.onward('events?host=db-1');
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).click();
  const drawer = page.getByRole('complementary', { name: 'Event details' });
  await drawer.getByRole('button', { name: 'Assign…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Ada Lovelace/ })
    .click();
  await page.getByText('Assigned to Ada Lovelace').first().waitFor();
  expect(await stored()).toMatchObject({ status: 'acknowledged', assignedTo: { username: 'ada' } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  const after = await stored();
  expect([after.status, after.assignedTo ?? null]).toEqual(['open', null]);
  await it.leave(page);
});

test('two events that are selected are explained, and brackets lead from one to the next', async () => {
  const page = await it.onward('events?search=Response&sort=severity');
  const grid = page.getByRole('grid', { name: 'Events' });
  await grid.getByRole('row').nth(2).waitFor();
  await focusList(page);
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('e');
  await page
    .getByRole('dialog', { name: 'Explain correlation' })
    .getByText(/Same group/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await grid.getByRole('row').nth(1).click();
  // Its keys work here.
  const beside = page.getByRole('complementary', { name: 'Event details' });
  await beside.getByText('Compare with another event').waitFor();
  const first = new URL(page.url()).searchParams.get('event');
  await grid.getByRole('row').nth(1).focus();
  await page.keyboard.press(']');
  await page.waitForFunction((id) => new URL(location.href).searchParams.get('event') !== id, first);
  await it.leave(page);
});

test('the palette finds groups, events, CIs also by their address, and pages, and does what keys do', async () => {
  const { ask } = it;
  await ask('POST', '/api/cmdb/ci', { name: 'core-7', type: 'router', attributes: { ip_address: '10.1.2.3' } });
  const page = await it.signedIn('groups');
  const palette = page.getByRole('dialog').getByPlaceholder('Search actions, pages, groups, events and CIs');
  const find = async (text: string) => {
    await inList(page);
    await page.keyboard.press('Control+k');
    await palette.fill(text);
  };
  const option = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });
  await find('link down');
  await option(/Switch link down.*5 events/).waitFor();
  await option(/sw-1: Switch link down.*Open/).waitFor();
  await palette.fill('10.1.2.3');
  await option(/^core-7/).waitFor();
  await palette.fill('pipe');
  await option('Pipeline').waitFor();
  await palette.fill('runbook');
  await option('Runbooks').waitFor();
  await palette.fill('10.1.2.3');
  await option(/^core-7/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'core-7' }).waitFor();
  await page.goBack();
  await find('acknow');
  await option(/^Acknowledge.*Switch link down/).click();
  await page.getByText('5 events acknowledged').waitFor();
  await inList(page);
  await page.keyboard.press('u');
  await page.getByText('Undone', { exact: true }).waitFor();

  await find('note');
  await option(/^Add note/).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('A fan was changed');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByText('Note added').waitFor();
  const [group] = await groups();
  const { notes } = (await ask('GET', `/api/events/groups/${group?.correlationId}`)).group;
  expect(notes.map(({ text }: { text: string }) => text)).toEqual(['A fan was changed']);
  await it.leave(page);
});

test('a page that was just opened takes in what comes; / and Escape lead into the search and out of it', async () => {
  const page = await it.signedIn('groups');
  await rows(page).nth(1).waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName);
  expect(await focused()).not.toBe('row');
  await page.locator('[role=status][data-kind=live]').waitFor();
  // Distant in time from all else in the infrastructure.
  const timestamp = new Date(it.app.ports.clock.now() - 9 * 3_600_000).toISOString();
  const ping = { source: 'ping', sourceId: 'pay', severity: 'critical', hostname: 'pay-db-01', timestamp };
  const made = await it.ask('POST', '/api/events/ingest', { ...ping, title: 'Payment database is down' });
  await page.getByRole('row', { name: /Critical pay-db-01: Payment database is down/ }).waitFor();
  expect(await page.getByText(/\bwell\b|\bnothing\b/i).count()).toBe(0);
  await page.getByRole('button', { name: /^Active/ }).click();
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'search');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'row');
  await it.ask('POST', '/api/events/groups/resolve', { ids: [made.eventId] });
  await it.leave(page);
});

test('the first row is the first that j leads to, also after the help', async () => {
  const page = await it.signedIn('groups');
  await rows(page).nth(1).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-rowindex') === '1');
  await it.leave(page);
});

test('while the server takes nothing, a note stays in its field, and a group is what it was', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.getByRole('link', { name: 'Switch link down' }).click();
  await page.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
  const isChange = (url: URL): boolean => url.pathname.startsWith('/api/events/groups/');
  await page.route(isChange, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.keyboard.press('n');
  const field = page.getByRole('textbox', { name: 'New note' });
  await field.fill('The cable is ordered');
  await page.keyboard.press('Control+Enter');
  await page.getByText("Couldn't add the note").waitFor();
  expect(await field.inputValue()).toBe('The cable is ordered');
  await page.keyboard.press('Escape');
  await page.locator('[data-keys]').first().focus();
  await page.keyboard.press('a');
  await page.getByText(/^Couldn't acknowledge/).waitFor();
  await page.getByRole('button', { name: /^Acknowledge/ }).waitFor();
  expect(await page.getByText(/^Acknowledged by/).count()).toBe(0);
  const dialog = page.getByRole('dialog');
  await page.route('**/api/events/{correlate,silences}', (route) => route.abort());
  await page.keyboard.press('m');
  await dialog.getByRole('button', { name: /Toner is empty/ }).click();
  await dialog.getByRole('button', { name: 'Merge', disabled: false }).click();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('[data-keys]').first().focus();
  await page.keyboard.press('s');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Known');
  await dialog.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Known');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.unroute('**/api/events/{correlate,silences}');
  expect((await groups()).map(({ status, eventCount }) => `${status} ${eventCount}`).sort()).toEqual([
    'active 2',
    'active 2',
    'active 5',
  ]);
  await page.unroute(isChange);
  await it.leave(page);
});

test('selected groups are merged from the list', async () => {
  const page = await it.signedIn('groups');
  await inList(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('m');
  await page.getByRole('dialog', { name: 'Merge 2 groups' }).getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/^Merged with/).waitFor();
  expect((await groups()).map(({ eventCount }) => eventCount).sort()).toEqual([4, 5]);
  await it.leave(page);
});

/** §6 of the console's keyboard: on any page, the help names all of them. */
const KEYS = ['j', 'Enter', 'x', 'a', 'r', 's', 'i', 'm', 'p', 'e', 'n', 'u', '.', '/', '[', 'g g', '?', 'Esc'];

test.each(['groups', 'events', 'me'])('the help names all keys on %s', async (path) => {
  const page = await it.signedIn(path);
  await page
    .getByText(path === 'me' ? 'Shortcuts and sound' : 'Switch link down')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('heading', { name: 'Everywhere' }).waitFor();
  const named = (await help.getByRole('term').allInnerTexts()).map((text) => text.trim().replace(/\s+/g, ' '));
  const said = new Set(named);
  expect(KEYS.filter((key) => !said.has(key) && !said.has(key.replace(' ', '')))).toEqual(path === 'me' ? ['Esc'] : []);
  expect(await violationsInThemes(page)).toEqual([]);
  await it.leave(page);
});

expectNoReports(it);
