import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { START } from '#test/setup/test-app.ts';
import { furnishCompany } from './kit/company.ts';
import { goWithin, openConsole, type TestConsole } from './kit/open-console.ts';
import { differenceFrom } from './kit/pictures.ts';

/** How the pages look; docs/console.md and the README show these files. */

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

const MOST_BYTES = 150_000;

let it: TestConsole | null;
let page: Page;
const places = new Map<string, string>();
beforeAll(async () => {
  it = await openConsole({ at: START });
  if (it === null) return;
  await furnishCompany(it, START);
  const { groups } = await it.ask('GET', '/api/events/groups?search=ams2-ups-b');
  const { data } = await it.ask('GET', '/api/cmdb/ci?search=ams2-ups-b');
  const { events } = await it.ask('GET', '/api/events?search=shop-db-05%20answers');
  places.set('group', groups[0].correlationId).set('ci', data[0]._id).set('event', events[0].eventId);
});
afterAll(() => it?.close());

/** Name, address below `ui/` with what is known by its id, and a text that says that its data is there. */
const PICTURES = [
  ['groups', 'groups', 'Power feed lost on ams2-ups-b'],
  ['group', 'groups/{group}', 'It explains 16 CIs'],
  ['events', 'events?event={event}', 'Explain with another event'],
  ['topology', 'topology?ci={ci}&mode=impact', '18 fail'],
  ['ci', 'cis/{ci}', 'Services that need it'],
  ['services', 'services', /^hit by/],
  ['sources', 'sources', 'Never heard'],
  ['source', 'sources/prometheus', 'To try it from a shell'],
  ['tuning', 'tuning', 'Score that joins'],
  ['reports', 'reports?ask=Top 5 noisiest hosts in the last 24 hours', 'Rules read the question'],
] as const;

const filled = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => places.get(name) ?? '');
/** All maps are drawn, and nothing is awaited. */
const settled = async (text: string | RegExp): Promise<void> => {
  await page.getByText(text).first().waitFor();
  await page.locator('[role=status][data-kind=live]').waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  if ((await page.getByRole('img', { name: /^Map of/ }).count()) > 0) await page.locator('canvas').first().waitFor();
};
const keptSmall = (name: string): boolean =>
  statSync(new URL(`pictures/${name}.png`, import.meta.url)).size <= MOST_BYTES;

test('the entrance looks as it did', async () => {
  if (it === null) return;
  page = await it.tab();
  await page.getByRole('textbox', { name: 'User name' }).waitFor();
  expect(await differenceFrom(page, 'entrance')).toBe(0);
  await page.close();
  page = await it.signedIn('me');
  // A row under the pointer looks otherwise.
  await page.mouse.move(0, 0);
});

test.each(PICTURES)('%s looks as it did', async (name, path, text) => {
  if (it === null) return;
  // The address of the server is on some pages; nobody's port belongs into a picture.
  await page.route('**/api/admin/sources/*', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replaceAll(it!.url, 'https://faultline.example');
    await route.fulfill({ response: reply, body });
  });
  await goWithin(page, filled(path));
  await settled(text);
  expect(await differenceFrom(page, name)).toBe(0);
  expect(keptSmall(name)).toBe(true);
});

test.each([
  ['groups-dark', 'groups', 'Power feed lost on ams2-ups-b'],
  ['group-dark', 'groups/{group}', 'It explains 16 CIs'],
])('%s looks as it did', async (name, path, text) => {
  if (it === null) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await goWithin(page, filled(path));
  await settled(text);
  expect(await differenceFrom(page, name)).toBe(0);
  expect(keptSmall(name)).toBe(true);
});
