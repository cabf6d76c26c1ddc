import { statSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { START } from '#test/setup/test-app.ts';
import { furnishCompany } from './kit/company.ts';
import { consoleOfTests, goWithin } from './kit/open-console.ts';
import { differenceFrom } from './kit/pictures.ts';

/** Pictures of the pages; docs/console.md and the README show these files. */

const MAX_BYTES = 150_000;

const it = consoleOfTests({ at: START });
let page: Page;
const places = new Map<string, string>();
beforeAll(async () => {
  await furnishCompany(it, START);
  const { groups } = await it.ask('GET', '/api/events/groups?search=ams2-ups-b');
  const { data } = await it.ask('GET', '/api/cmdb/ci?search=ams2-ups-b');
  const { events } = await it.ask('GET', '/api/events?search=shop-db-05%20answers');
  places.set('group', groups[0].correlationId).set('ci', data[0]._id).set('event', events[0].eventId);
});

/** Name, address below `ui/` with ids, and a text that shows that its data is there. */
const PICTURES = [
  ['groups', 'groups', 'Power feed lost on ams2-ups-b'],
  ['group', 'groups/{group}', 'Explains 16 CIs'],
  ['events', 'events?event={event}', 'Compare with another event'],
  ['topology', 'topology?ci={ci}&mode=impact', '18 impacted'],
  ['ci', 'cis/{ci}', 'If this CI fails'],
  ['services', 'services', /open problems?/],
  ['sources', 'sources', 'Available sources'],
  ['source', 'sources/prometheus', /^Test from a shell/],
  ['tuning', 'tuning', 'Minimum score'],
  ['reports', 'reports?ask=Top 5 noisiest hosts in the last 24 hours', 'Interpreted by rules'],
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
  statSync(new URL(`pictures/${name}.png`, import.meta.url)).size <= MAX_BYTES;

test('the entrance looks as it did', async () => {
  page = await it.tab();
  await page.getByRole('textbox', { name: 'Username' }).waitFor();
  expect(await differenceFrom(page, 'entrance')).toBe(0);
  await page.close();
  page = await it.signedIn('me');
  // A row under the pointer looks otherwise.
  await page.mouse.move(0, 0);
});

test.each(PICTURES)('%s looks as it did', async (name, path, text) => {
  // The address of the server is on some pages; a random port does not belong in a picture.
  await page.route('**/api/admin/sources/*', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replaceAll(it.url, 'https://faultline.example');
    await route.fulfill({ response: reply, body });
  });
  await goWithin(page, filled(path));
  await settled(text);
  expect(await differenceFrom(page, name)).toBe(0);
  expect(keptSmall(name)).toBe(true);
});

test('a service lists the groups that affect it, as its card counts them', async () => {
  await goWithin(page, 'services');
  await page
    .getByText(/open problems?/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('link', { name: /Power feed lost on ams2-ups-b/ }).waitFor();
});

test.each([
  ['groups-dark', 'groups', 'Power feed lost on ams2-ups-b'],
  ['group-dark', 'groups/{group}', 'Explains 16 CIs'],
])('%s looks as it did', async (name, path, text) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await goWithin(page, filled(path));
  await settled(text);
  expect(await differenceFrom(page, name)).toBe(0);
  expect(keptSmall(name)).toBe(true);
});
