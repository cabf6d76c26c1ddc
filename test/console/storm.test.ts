import { beforeAll, expect, test } from '@jest/globals';
import { focusList } from './kit/focus.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports, goWithin } from './kit/open-console.ts';

/** Work of an operator on call with a fault, by keyboard alone. */

const it = consoleOfTests();
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
}, 60_000);

interface Group {
  readonly status: string;
  readonly eventCount: number;
  readonly correlationId: string;
  readonly assignedTo: { readonly username: string } | null;
  readonly verdict: { readonly cause: string } | null;
}
const groups = async (query = ''): Promise<Group[]> => (await it.ask('GET', `/api/events/groups${query}`)).groups;

test('the worst group is acknowledged with two keys, and the acknowledgement taken back', async () => {
  const page = await it.signedIn('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await focusList(page);
  await page.keyboard.press('a');
  await page.getByText(/5 events acknowledged/).waitFor();
  expect((await groups())[0]).toMatchObject({ status: 'acknowledged', eventCount: 5 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect((await groups())[0]).toMatchObject({ status: 'active' });
  await it.leave(page);
}, 90_000);

test('a group is opened, taken and explained by keys, with the numbers of the server', async () => {
  const page = await it.signedIn('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await focusList(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
  await page.getByText('Probable root cause').first().waitFor();
  await page.keyboard.press('i');
  await page
    .getByText(/Assigned to/)
    .first()
    .waitFor();
  expect((await groups())[0]?.assignedTo).toMatchObject({ username: 'admin' });

  const grid = page.getByRole('grid', { name: 'Events' });
  await grid.getByRole('row', { name: /PostgreSQL unreachable/ }).click();
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByText('2 events selected').waitFor();
  await page.keyboard.press('e');
  await page.getByText(/Same group/).waitFor();
  const rows: { eventId: string; title: string }[] = (await it.ask('GET', '/api/events?view=row')).events;
  const [one, two] = ['PostgreSQL unreachable', 'HTTP 503 from checkout'].map(
    (title) => rows.find((row) => row.title === title)!,
  ) as [(typeof rows)[number], (typeof rows)[number]];
  const { strategies } = await it.ask('GET', `/api/events/${one.eventId}/explain?with=${two.eventId}`);
  for (const { reason } of strategies as { reason: string }[]) await page.getByText(reason, { exact: true }).waitFor();
  await it.leave(page);
}, 90_000);

test('a split is made in the page, what was split can be merged again, and each of them is taken back', async () => {
  const page = await it.signedIn('groups');
  const [whole] = await groups();
  await page.goto(`${it.url}/ui/groups/${whole?.correlationId}`);
  const grid = page.getByRole('grid', { name: 'Events' });
  await grid
    .getByRole('checkbox', { name: /Response time above 2 s/ })
    .first()
    .click();
  await grid
    .getByRole('checkbox', { name: /Response time above 2 s/ })
    .nth(1)
    .click();
  await page.getByRole('region', { name: 'Group details' }).getByRole('button', { name: 'Split', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('another fault');
  await page.getByRole('dialog').getByRole('button', { name: 'Split' }).click();
  await page.getByText(/Split 2 events from the group/).waitFor();
  expect((await groups()).map(({ eventCount }) => eventCount).sort()).toEqual([2, 3]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect((await groups()).map(({ eventCount }) => eventCount)).toEqual([5]);
  await page
    .getByText(/5 events/)
    .first()
    .waitFor();

  const [again] = await groups();
  const { members } = await it.ask('GET', `/api/events/groups/${again?.correlationId}/members`);
  const slow = members.filter(({ title }: { title: string }) => /Response time above 2 s/.test(title)).slice(0, 2);
  const eventIds = slow.map(({ eventId }: { eventId: string }) => eventId);
  const split = `/api/events/groups/${again?.correlationId}/split`;
  const { correlationId } = await it.ask('POST', split, { eventIds, reason: 'another fault' });
  await goWithin(page, `groups/${correlationId}`);
  await page.getByRole('heading', { level: 1, name: /Response time above 2 s/ }).waitFor();
  await page.getByRole('button', { name: /^Merge/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Switch link down/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/^Merged with/).waitFor();
  expect((await groups()).map(({ eventCount }) => eventCount)).toEqual([5]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect((await groups()).map(({ eventCount }) => eventCount).sort()).toEqual([2, 3]);
  await it.leave(page);
}, 90_000);

expectNoReports(it);
