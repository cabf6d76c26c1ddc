import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { openConsole, type TestConsole } from './kit/open-console.ts';

/** Pages of a shift: home, inbox, noise. */

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
