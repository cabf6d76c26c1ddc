import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests, expectNoReports } from './kit/open-console.ts';

/** Steps of a new user, without reading anything: the demo, then a monitor of their own. */

const SECOND = 1_000;
const it = consoleOfTests();

/** A notification as Alertmanager posts it. */
const NOTIFICATION = {
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'faultline',
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://am:9093',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskFull', instance: 'db-7:9100', job: 'node', severity: 'critical' },
      annotations: { summary: 'Disk of db-7 is full' },
      startsAt: '2026-11-25T10:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: 'a1b2c3',
    },
  ],
};

/** Runs the equivalent of the command that the page shows. */
const run = async (command: string | null, body: unknown): Promise<number> => {
  const [, address, token] =
    /^curl -s (\S+) -H 'Authorization: (Bearer flt_\w+)' -H 'Content-Type: application\/json'/.exec(command ?? '')!;
  const headers = { authorization: token!, 'content-type': 'application/json' };
  return (await fetch(address!, { method: 'POST', headers, body: JSON.stringify(body) })).status;
};
const pasted = (page: Page, title: string): Promise<string | null> =>
  page.getByRole('figure').filter({ hasText: title }).locator('pre').textContent();

test('from the printed link to the largest fault of the demo, acknowledged, in three clicks', async () => {
  const links: string[] = [];
  const config = readConfig({ PORT: '0', FAULTLINE_DATA: ':memory:', FAULTLINE_LOG_LEVEL: 'silent' });
  const fresh = await start(config, { tellPassword: (_, link) => void links.push(link!), checkReplies: true });
  const page = await it.context.newPage();
  const head = page.getByRole('heading', { level: 1, name: /UPS input: CRITICAL/ });
  const way = async (): Promise<void> => {
    await page.goto(links[0]!);
    await page.getByRole('button', { name: 'Load demo' }).click();
    await page.getByRole('button', { name: 'Open largest group' }).click({ timeout: 150_000 });
    await head.waitFor();
  };
  await way();
  await page.getByText('Demo tenant').waitFor();
  // Cause, reason, services and owner are seen without scrolling.
  for (const text of ['Probable root cause', /Explains 48 CIs/, 'Affects Mobile Shop and Web Shop', 'Unassigned'])
    expect((await page.getByText(text).first().boundingBox())!.y).toBeLessThan(800);
  await page.getByText('Below, select two events').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Got it' }).click();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText(/events? acknowledged/).waitFor();
  await page.keyboard.press('i');
  await page.getByText('Assigned to Administrator').first().waitFor();
  // An action in the demo is not undone in another tenant.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await page.getByRole('button', { name: /^Back to/ }).click();
  await undo.waitFor({ state: 'detached', timeout: 5 * SECOND });
  await page.getByRole('link', { name: 'Get started' }).click();
  await page.getByRole('button', { name: 'Open largest group' }).click();
  await head.waitFor();

  // A tab whose tenant is deleted returns to its own.
  await page.getByRole('button', { name: 'Delete demo' }).click();
  await page.getByRole('dialog', { name: 'Delete demo' }).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Load demo' }).or(page.getByText('Deleting the demo')).first().waitFor();
  await page.evaluate(() => sessionStorage.setItem('faultline-tenant', 'demo-of-yesterday'));
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  await page.close();
  await it.context.clearCookies();
  await fresh.stop();
});

test('the set-up gives what is pasted at a monitor, and shows its first event when it is told of it', async () => {
  const page = await it.signedIn('start');
  await page.getByText('Waiting for the first event').waitFor();
  await it.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: it.url });
  await page.getByRole('button', { name: 'Copy' }).last().click();
  await page.getByText('Copied without the token').waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('Token (shown once').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  const command = await pasted(page, 'Test from a shell');
  let looks = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/events?')) looks += 1;
  });
  expect(await run(command, NOTIFICATION)).toBe(200);
  await page.getByText('First event received').waitFor();
  // It was notified of the event, and perhaps of its group: it does not poll.
  expect(looks).toBeLessThanOrEqual(2);
  expect(await violationsInThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Disk of db-7 is full' }).click();
  await page.getByRole('complementary').getByText('DiskFull').first().waitFor();
  await it.leave(page);
});

test('a list that is dropped on the set-up is looked at, and nothing is written', async () => {
  const page = await it.signedIn('start');
  const card = page.getByRole('region', { name: 'Import your CIs' });
  const file = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['name,type\ndropped-1,server\n'], 'hosts.csv', { type: 'text/csv' }));
    return data;
  });
  await card.getByText('or drop a file here').dispatchEvent('drop', { dataTransfer: file });
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  await page.getByText('hosts.csv').waitFor();
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  expect((await it.ask('GET', '/api/cmdb/ci?search=dropped-1')).pagination.total).toBe(0);
  // The page that is opened later begins without it.
  await page.goBack();
  await page.goForward();
  await page.getByText('Column reference').waitFor();
  await page.close();
});

test('a source is opened from the list, set up with a token, and heard', async () => {
  const page = await it.onward('sources');
  await page.getByRole('table', { name: 'Available sources' }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('link', { name: 'Grafana Alerting' }).click();
  await page.getByText('Waiting for the first event from Grafana Alerting').waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Token: Grafana Alerting' });
  const token = await dialog.locator('code').textContent();
  expect(await violationsInThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await pasted(page, 'Grafana environment variable')).toBe(`FAULTLINE_WEBHOOK_TOKEN=${token}`);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${it.url}/api/events/webhook/grafana`);

  const command = await pasted(page, 'Test from a shell');
  expect(await run(command, NOTIFICATION)).toBe(200);
  await page.getByText('Received').waitFor();
  // An unreadable body is reported with its reason.
  expect(await run(command, { alerts: [{ labels: 7 }] })).toBe(400);
  await page.reload();
  const refused = page.getByRole('region', { name: 'Rejected payloads' }).locator('summary');
  await refused.click();
  await page.getByText('"labels": 7').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await it.leave(page);
});

test('a test event of a source goes the way of the webhook, and ends by itself', async () => {
  const page = await it.onward('sources/zabbix');
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Test event sent. It resolves').waitFor();
  await page.getByText('Received').waitFor();
  await page.getByRole('link', { name: 'View events' }).click();
  await page.getByRole('row', { name: /Test of Faultline/ }).waitFor();
  await it.leave(page);
});

test('a source that there is not says so', async () => {
  const page = await it.onward('sources/nothing-like-it');
  await page.getByText('Not found', { exact: true }).waitFor();
  await it.leave(page);
});

expectNoReports(it);
