import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '#infra/system/time.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { type FakePrometheus, openFakePrometheus } from './kit/fake-prometheus.ts';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests } from './kit/open-console.ts';

let prometheus: FakePrometheus;
const clock = setClock(systemClock.now());
const it = consoleOfTests({ clock, env: { FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' } });
beforeAll(async () => {
  prometheus = await openFakePrometheus();
});
afterAll(() => prometheus.stop());

test('a newcomer enters an address, sees its size, and adds it', async () => {
  const page = await it.signedIn('start');
  await page.getByRole('textbox', { name: 'Prometheus URL' }).fill('http://127.0.0.1:9');
  await page.keyboard.press('Enter');
  await page.getByText('Check the URL, and that the server is reachable.').waitFor();
  await page.getByRole('textbox', { name: 'Prometheus URL' }).fill(prometheus.url);
  // The button waits for the end of the request before it.
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('14 CIs, 2 alerts firing').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  expect((await it.ask('GET', '/api/cmdb/sources')).data).toEqual([]);
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByRole('link', { name: 'View source' }).click();
  await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor();
  await page.getByText('CIs created').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await it.leave(page);
});

test('a source by keyboard: added with a sign-in, tried, held, confirmed and deleted', async () => {
  const page = await it.onward('sources?tab=topology');
  await page.getByRole('button', { name: 'Add source', disabled: false }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add source' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('prod');
  await dialog.getByRole('textbox', { name: 'URL' }).fill(prometheus.url);
  await dialog.getByRole('combobox', { name: 'Sign-in' }).click();
  await page.getByRole('option', { name: 'Bearer token' }).click();
  await dialog.getByLabel('Token').fill('a-secret');
  await dialog.getByRole('textbox', { name: 'Grace period' }).fill('10s');
  await dialog.getByRole('button', { name: 'Preview', disabled: false }).press('Enter');
  await dialog.getByText('Found 14 CIs, 2 alerts firing').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'prod' }).click();
  await page.getByText('Healthy').waitFor();
  await page.getByText('Bearer token').waitFor();
  expect(await page.content()).not.toContain('a-secret');
  prometheus.nodes = 3;
  await page.getByRole('button', { name: 'Preview', disabled: false }).press('Enter');
  await page.getByRole('region', { name: 'Preview result' }).getByText('CIs no longer reported').waitFor();
  await it.ask('POST', '/api/cmdb/sources/prod/run', {});
  clock.advance(10_000);
  await page.getByRole('button', { name: 'Run now', disabled: false }).press('Enter');
  await page.getByText('The last run retired nothing').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Apply', disabled: false }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', disabled: false }).press('Enter');
  await page.getByText('The last run retired nothing').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit', disabled: false }).press('Enter');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Pause automatic runs' }).press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', disabled: false }).press('Enter');
  await page.getByText('Paused').waitFor();
  expect((await it.ask('GET', '/api/cmdb/sources/prod')).data).toMatchObject({
    auth: { type: 'bearer' },
    paused: true,
  });
  prometheus.status = 503;
  await page.getByRole('button', { name: 'Run now', disabled: false }).press('Enter');
  await page.getByText('Check the monitoring server.').waitFor();
  await page.getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
  await page.getByRole('link', { name: 'prod' }).waitFor({ state: 'detached' });
  expect(await hindrancesOn(page)).toEqual([]);
  await it.leave(page);
});

test('kinds of alerts are added and deleted', async () => {
  const page = await it.onward('sources?tab=alerts');
  await page.getByText('No alert kinds yet').waitFor();
  await page.getByRole('button', { name: 'Add alert kind', disabled: false }).press('Enter');
  await page.getByRole('textbox', { name: 'Alert name' }).fill('Shop*Down');
  expect(await hindrancesOn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Shop*Down' }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete Shop*Down', disabled: false }).press('Enter');
  await page.getByText('No alert kinds yet').waitFor();
  await it.leave(page);
});
