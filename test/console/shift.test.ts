import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { openConsole, type TestConsole } from './kit/open-console.ts';

/** Pages of a shift: home, inbox, noise, silences, services. */

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
let page: Page;
beforeAll(async () => {
  it = await openConsole();
  if (it === null) return;
  await furnishInfrastructure(it, it.app.ports.clock.now());
  page = await it.signedIn();
}, 60_000);
afterAll(() => it?.close());

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('home is the first page; its numbers lead to what they count, its groups to their pages', async () => {
  if (it === null) return;
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
  if (it === null) return;
  const { data: users } = await it.ask('GET', '/api/admin/users');
  const { _id, id = _id } = users.find(({ username }: { username: string }) => username === 'admin');
  await it.ask('POST', '/v1/teams', { name: 'Night', members: [id] });
  const { groups } = await it.ask('GET', '/api/events/groups');
  await it.ask('PUT', `/api/events/groups/${groups[0].correlationId}/assignee`, { team_id: 'Night' });
  await page.getByRole('link', { name: 'Inbox, 1 unread' }).click();
  await page.waitForFunction(() => document.title.startsWith('(1) Inbox'));
  const inbox = page.getByRole('list', { name: 'Notifications' });
  await inbox.getByText(/^Assigned by /).waitFor();
  await inbox.getByRole('link', { name: 'Switch link down' }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Switch link down' }).first().waitFor();
  await page.waitForFunction(() => !document.title.startsWith('('));
  expect((await it.ask('GET', '/api/inbox')).data.items).toEqual([]);
});

test('a noisy check is silenced from its row', async () => {
  if (it === null) return;
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
  if (it === null) return;
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
  if (it === null) return;
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
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete', disabled: false }).click();
  await page.getByText('No services yet').waitFor();
});

test('two proposals between CIs that no map shows together are found in one list and accepted at once', async () => {
  if (it === null) return;
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

test('a list is saved as a file with the rows that it shows', async () => {
  if (it === null) return;
  page = await it.onward('events?severity=warning');
  await page.getByText('2 events', { exact: true }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines.filter((line) => line.includes(',warning,'))).toHaveLength(2);
});
