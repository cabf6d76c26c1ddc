import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests } from './kit/open-console.ts';

/** Pages of a shift: home, inbox, noise, silences, services. */

const it = consoleOfTests();
let page: Page;
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
  page = await it.signedIn();
}, 60_000);
afterEach(() => it.leave(page));

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('home is the first page; its numbers lead to what they count, its groups to their pages', async () => {
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await region('Unassigned').getByRole('link', { name: 'Switch link down' }).waitFor();
  await region('Noise, last 7 days').getByRole('link', { name: '5', exact: true }).waitFor();
  await region('Last 12 hours').getByText('Started').waitFor();
  const row = page.getByRole('row', { name: /^Critical/ });
  await row.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
  await page.getByText('Switch link down').first().waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ state: 'active', severity: 'critical' });
});

test('the bell and the title count an assignment to a team until it is read', async () => {
  const { data: users } = await it.ask('GET', '/api/admin/users');
  const { _id, id = _id } = users.find(({ username }: { username: string }) => username === 'admin');
  await it.ask('POST', '/v1/teams', { name: 'Night', members: [id] });
  const { groups } = await it.ask('GET', '/api/events/groups');
  await it.ask('PUT', `/api/events/groups/${groups[0].correlationId}/assignee`, { team_id: 'Night' });
  page = await it.onward('home');
  await page.getByRole('link', { name: 'Inbox, 1 unread' }).click();
  await page.waitForFunction(() => document.title.startsWith('(1) Inbox'));
  const inbox = page.getByRole('list', { name: 'Notifications' });
  await inbox.getByText(/^Assigned by /).waitFor();
  await inbox.getByRole('link', { name: 'Switch link down' }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Switch link down' }).first().waitFor();
  await page.waitForFunction(() => !document.title.startsWith('('));
  expect((await it.ask('GET', '/api/inbox')).data.items).toEqual([]);
});

test('own actions are listed with their subject, and undone from the list', async () => {
  page = await it.onward('groups');
  await page.getByRole('row', { name: /Switch link down/ }).click();
  await page.keyboard.press('a');
  await page.getByText('acknowledged').first().waitFor();
  page = await it.onward('inbox');
  const acts = page.getByRole('list', { name: 'My activity' });
  await acts.getByRole('link', { name: /^Acknowledged sw-1: Switch link down/ }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await acts.getByRole('button', { name: /^Undo Acknowledged/ }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  await acts.getByRole('button', { name: /^Undo Acknowledged/ }).waitFor({ state: 'detached' });
  const { groups } = await it.ask('GET', '/api/events/groups?status=active');
  expect(groups.map(({ title }: { title: string }) => title)).toContain('Switch link down');
});

test('a noisy check is silenced from its row', async () => {
  page = await it.onward('noise');
  const row = page.getByRole('row', { name: /Response time above 2 s/ });
  await row.getByRole('link', { name: '2', exact: true }).waitFor();
  await row.getByRole('button', { name: 'Silence…', disabled: false }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Matches 2 events/).waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Known');
  await dialog.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click();
  await dialog.waitFor({ state: 'detached' });
  const { silences } = await it.ask('GET', '/api/events/silences');
  expect(silences).toMatchObject([{ reason: 'Known', matcher: { source: 'curl' } }]);
});

test('next Sunday is planned with a preview, is in the calendar, is changed and ended', async () => {
  page = await it.onward('silences');
  await page.getByRole('button', { name: 'Create silence' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Title contains, value' }).fill('response time');
  await dialog.getByText(/^Matches 2 events from the last 24 hours/).waitFor();
  await dialog.getByRole('link', { name: /web-1/ }).waitFor();
  await dialog.getByRole('checkbox', { name: 'Only in weekly windows' }).check();
  await dialog.getByText(/Next windows: .* 02:00–04:00/).waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Patch Sunday');
  expect(await hindrancesOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Calendar' }).click();
  const line = page.getByRole('list', { name: 'Calendar' }).getByRole('button', { name: /Patch Sunday/ });
  await line.getByText(/^2 windows, next /).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await line.click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Patches');
  await dialog.getByRole('button', { name: 'Save', disabled: false }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Planned' }).click();
  const row = page.getByRole('list', { name: 'Silences' }).getByRole('listitem').filter({ hasText: 'Patches' });
  await row.getByText(/^title contains response time, sun 02:00–04:00/).waitFor();
  await row.getByRole('button', { name: 'End silence' }).click();
  await page.getByText('No planned silences').waitFor();
});

test('a service is created from a CI and its dependencies, changed, and deleted', async () => {
  page = await it.onward('services');
  await page.getByRole('button', { name: 'Create service' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await dialog.getByRole('combobox', { name: 'Add a CI' }).fill('web-1');
  await page.getByRole('option', { name: /^web-1/ }).click();
  await dialog.getByRole('button', { name: 'Add dependencies' }).first().click();
  await dialog.getByText('db-1', { exact: true }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create', disabled: false }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.getByRole('region', { name: 'Health, last 30 days' }).getByRole('listitem').nth(29).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  const { data: made } = await it.ask('GET', '/api/services?search=Shop');
  expect(made[0].components.length).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Store');
  await dialog.getByRole('button', { name: 'Remove db-1' }).click();
  await dialog.getByRole('button', { name: 'Save', disabled: false }).click();
  await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
  await page.getByRole('button', { name: 'Silence…' }).click();
  const silence = page.getByRole('dialog', { name: /^Silence \d CIs? of Store$/ });
  await silence.getByText(/^Matches \d/).waitFor();
  await silence.getByRole('textbox', { name: 'Reason' }).fill('Move');
  expect(await hindrancesOn(page)).toEqual([]);
  await silence.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click();
  await silence.waitFor({ state: 'detached' });
  const { data: changed } = await it.ask('GET', '/api/services?search=Store');
  const { silences } = await it.ask('GET', '/api/events/silences?state=active');
  const { matcher } = silences.find(({ reason }: { reason: string }) => reason === 'Move');
  const ids = changed[0].components.map((component: { ci_id: string }) => component.ci_id);
  expect([matcher.ciIds].flat().toSorted()).toEqual(ids.toSorted());
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete', disabled: false }).click();
  await page.getByText('No services yet').waitFor();
});

test('two proposals between CIs that no map shows together are found in one list and accepted at once', async () => {
  const { data } = await it.ask('GET', '/api/cmdb/ci');
  const idOf = (name: string) => data.find((ci: { name: string }) => ci.name === name)._id;
  for (const source of ['web-1', 'web-2']) {
    const ends = { source: idOf(source), target: idOf('sw-1') };
    await it.ask('POST', '/api/cmdb/ai-relationships', { ...ends, type: 'connects_to', confidence: 0.7 });
  }
  page = await it.onward('discovery?tab=proposals');
  await page.getByRole('row', { name: /web-1 connects to sw-1 70%/ }).waitFor();
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Accept', disabled: false }).click();
  await page.getByText('Accepted 2 proposals').waitFor();
  const accepted = await it.ask('GET', '/api/cmdb/ai-relationships?status=accepted');
  expect(accepted.relationships).toHaveLength(2);
  expect((await it.ask('GET', '/api/cmdb/ai-relationships?status=open')).relationships).toEqual([]);
});

/** Lists with filters, and the reply of the server that counts their rows. */
const LISTS = [
  ['groups', '/api/events/groups?include=single&status=active'],
  ['groups?severity=critical', '/api/events/groups?include=single&status=active&severity=critical'],
  ['events?severity=warning,critical', '/api/events?severity=warning,critical'],
  ['cis?type=server', '/v1/cmdb/ci?type=server'],
  ['services?criticality=high', '/api/services?criticality=high'],
  ['noise', '/api/noise'],
  ['silences', '/api/events/silences?state=active'],
  ['silences?tab=planned', '/api/events/silences?state=planned'],
  ['admin/audit?action=ci', '/api/admin/audit?action=ci'],
  ['admin/users', '/api/admin/users'],
  ['admin/teams', '/api/admin/teams'],
  ['admin/tokens', '/api/admin/tokens'],
  ['admin/webhooks', '/api/webhooks'],
  ['sources?tab=topology', '/api/cmdb/sources'],
] as const;

test.each(LISTS)('%s is saved as a file with the rows that its filter shows', async (path, api) => {
  await it.ask('POST', '/v1/services', { name: `Shop ${path}`, criticality: 'high' });
  page = await it.onward(path);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV', disabled: false }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const body = await it.ask('GET', api);
  const listed = body.groups ?? body.events ?? body.silences ?? body.data?.checks ?? body.data ?? body;
  const total = body.pagination?.total ?? listed.length;
  expect(lines.length - 1).toBe(total);
});

/** Fields and clicks in the dialog, counted. */
const counting = () => {
  let count = 0;
  const act = async (work: Promise<unknown>): Promise<void> => {
    await work;
    count += 1;
  };
  return { act, count: () => count };
};

test('a check on a host is silenced from its event in four actions', async () => {
  page = await it.onward('events');
  const { act, count } = counting();
  await act(page.getByRole('row', { name: /HTTP 503 from checkout/ }).click());
  await act(page.getByRole('button', { name: 'Silence…', disabled: false }).click());
  const dialog = page.getByRole('dialog', { name: /^Silence “[\w.-]+: HTTP 503 from checkout”$/ });
  await dialog.getByText(/^Matches 1 event/).waitFor();
  await act(dialog.getByRole('textbox', { name: 'Reason' }).fill('Release'));
  await act(dialog.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click());
  await dialog.waitFor({ state: 'detached' });
  expect(count()).toBeLessThanOrEqual(4);
  const { silences } = await it.ask('GET', '/api/events/silences?state=active');
  const made = silences.find(({ reason }: { reason: string }) => reason === 'Release');
  expect(made.matcher).toEqual({ title: 'HTTP from checkout', host: 'app-1' });
  expect(Math.round((Date.parse(made.endsAt) - Date.parse(made.startsAt)) / 60_000)).toBe(120);
});

test('a CI with all that it impacts is silenced for two hours of next Sunday in eight actions', async () => {
  const { data } = await it.ask('GET', '/api/cmdb/ci?search=sw-1');
  page = await it.onward(`cis/${data[0]._id}`);
  const { act, count } = counting();
  const dialog = page.getByRole('dialog', { name: 'Silence sw-1' });
  await act(page.getByRole('button', { name: 'Silence…' }).click());
  await act(dialog.getByRole('button', { name: 'CI (incl. impacted) sw-1' }).click());
  await dialog.getByText(/^Matches \d events/).waitFor();
  await act(dialog.getByRole('combobox', { name: 'Start' }).click());
  await act(page.getByRole('option', { name: 'Later' }).click());
  const now = new Date(it.app.ports.clock.now());
  const sunday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 7 - now.getUTCDay()));
  await act(dialog.getByLabel('Starts at').fill(`${sunday.toISOString().slice(0, 10)}T02:00`));
  await act(dialog.getByRole('textbox', { name: 'Reason' }).fill('New power supply'));
  await act(dialog.getByRole('button', { name: 'Silence', exact: true, disabled: false }).click());
  await dialog.waitFor({ state: 'detached' });
  expect(count()).toBeLessThanOrEqual(8);
  const { silences } = await it.ask('GET', '/api/events/silences?state=planned');
  const made = silences.find(({ reason }: { reason: string }) => reason === 'New power supply');
  const from = sunday.getTime() + 2 * 3_600_000;
  expect([made.matcher, Date.parse(made.startsAt), Date.parse(made.endsAt)]).toEqual([
    { below: data[0]._id },
    from,
    from + 2 * 3_600_000,
  ]);
});

test('a check gets another severity, and has its own again', async () => {
  page = await it.onward('noise');
  const row = page.getByRole('row', { name: /Response time above 2 s/ });
  await row.getByRole('button', { name: 'Change…', disabled: false }).click();
  const dialog = page.getByRole('dialog', { name: /^Change/ });
  await dialog.getByRole('combobox', { name: 'Severity' }).click();
  await page.getByRole('option', { name: 'Info' }).click();
  await dialog.getByRole('switch', { name: 'Group with other events' }).click();
  expect(await hindrancesOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Severity info, not grouped').waitFor();
  await page.getByRole('table', { name: 'Changed checks' }).getByText('response time above <n> s').waitFor();
  const event = { source: 'curl', sourceId: 'n', severity: 'warning', hostname: 'web-9' };
  await it.ask('POST', '/api/events/ingest', { ...event, title: 'Response time above 7 s' });
  const { events } = await it.ask('GET', '/api/events?host=web-9');
  expect(events).toMatchObject([{ severity: 'info', tags: ['ungrouped'], correlationId: null }]);
  await page.getByRole('button', { name: 'Reset response time above <n> s' }).click();
  await row.getByText('Severity info, not grouped').waitFor({ state: 'detached' });
  expect((await it.ask('GET', '/api/admin/settings/inbound')).data.checks).toEqual([]);
});

test('resolved problems are reopened from their list, the drawer and the palette', async () => {
  const { ask } = it;
  /** One that is resolved, far from all others in time; reopened it may join a group. */
  const resolved = async (n: number) => {
    const timestamp = new Date(it.app.ports.clock.now() - (4 + 3 * n) * 3_600_000).toISOString();
    const ping = { source: 'ping', sourceId: `pay${n}`, severity: 'critical', hostname: `pay-db-0${n}`, timestamp };
    const { eventId } = await ask('POST', '/api/events/ingest', { ...ping, title: 'Payment database is down' });
    await ask('POST', '/api/events/groups/resolve', { ids: [eventId] });
    const isOpen = async () => (await ask('GET', `/api/events/${eventId}`)).event.status === 'open';
    return { eventId, isOpen, row: () => page.getByRole('row', { name: new RegExp(`pay-db-0${n}`) }) };
  };
  const [one, two, three] = [await resolved(1), await resolved(2), await resolved(3)];
  page = await it.onward('groups?state=resolved');
  await one.row().getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Reopen' }).click();
  await page.getByText('1 event reopened').waitFor();
  expect(await one.isOpen()).toBe(true);
  await three.row().focus();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByPlaceholder('Search actions, pages, groups, events and CIs').fill('reopen');
  await palette.getByRole('button', { name: /^Reopen/ }).click();
  await until(three.isOpen);
  page = await it.onward(`events?event=${two.eventId}`);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await until(two.isOpen);
});

test('a silent source is a row on home', async () => {
  page = await it.onward('noise');
  await page.route('**/api/home?*', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const { from } = data.period;
    const silent = { name: 'probe', title: 'Probe', eventId: 'EVT-1', lastEventAt: from, since: from };
    await route.fulfill({ response, json: { data: { ...data, now: { ...data.now, silentSources: [silent] } } } });
  });
  await page.getByRole('link', { name: 'Home' }).click();
  await region('Silent sources').getByRole('link', { name: 'Probe' }).waitFor();
});
