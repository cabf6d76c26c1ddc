import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, goWithin, NARROW, WIDE } from './kit/open-console.ts';

const it = consoleOfTests();
const ids = new Map<string, string>();
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
  const { data } = await it.ask('GET', '/api/cmdb/ci?limit=20');
  for (const { _id, name } of data) ids.set(name, _id);
}, 60_000);

const expectValue = (field: Locator, value: string): Promise<void> =>
  until(async () => (await field.inputValue()) === value);

test('the list of CIs shows the worst open event of each, and changes several after a look at what would happen', async () => {
  const page = await it.signedIn('cis?type=server');
  const row = page.getByRole('row').filter({ hasText: 'web-1' });
  await row.getByText('Warning').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'New status' }).click();
  await page.getByRole('option', { name: 'Maintenance' }).click();
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('2 CIs to update').waitFor();
  const before = await it.ask('GET', '/api/cmdb/ci?status=maintenance');
  expect(before.pagination.total).toBe(0);
  await dialog.getByRole('button', { name: 'Apply to 2 CIs' }).click();
  await page.getByText('Updated 2 CIs').waitFor();
  expect((await it.ask('GET', '/api/cmdb/ci?status=maintenance')).pagination.total).toBe(2);
  await it.leave(page);
});

test('a change by somebody else meanwhile is not lost', async () => {
  const id = ids.get('db-1') ?? '';
  const page = await it.onward(`cis/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Main database');
  await it.ask('PUT', `/api/cmdb/ci/${id}`, { description: 'The database of the shop' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  await dialog.getByText('Changes to save:').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Theirs: The database of the shop').waitFor();
  await dialog.getByText('Yours: Main database').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved db-1').waitFor();
  expect((await it.ask('GET', `/api/cmdb/ci/${id}`)).data.description).toBe('Main database');
  await it.leave(page);
});

test('the map says what fails with a CI, and the list beside it says the same', async () => {
  const csv = { 'content-type': 'text/csv' };
  await it.ask('POST', '/v1/cmdb/import/ci', 'name,type\nsw-2,switch\nha-1,balancer\nlog-1,appliance\n', csv);
  const edges = [
    'network_connection,ha-1,sw-1,manual,uplink',
    'network_connection,ha-1,sw-2,manual,uplink',
    'depends_on,log-1,db-1,ai-accepted,',
  ];
  const head = 'type,source_ci,target_ci,discovered_by,attributes.redundancy_group';
  await it.ask('POST', '/v1/cmdb/import/relationships', `${[head, ...edges].join('\n')}\n`, csv);
  const page = await it.onward(`topology?ci=${ids.get('sw-1')}&mode=impact`);
  await page.getByText('5 impacted, 1 protected').waitFor();
  const list = page.getByRole('list', { name: 'Map as list' });
  expect(await list.getByRole('listitem').count()).toBe(7);
  await list.getByText('protected by redundancy: 1 of 2 available, 1 required').waitFor();
  await list.getByText('depends on · proposed by AI').waitFor();
  const legend = page.getByRole('list', { name: 'Map legend' });
  await legend.getByText('protected by redundancy (1 of 2 available)').waitFor();
  await legend.getByText('proposed by AI, accepted').waitFor();

  // The keyboard folds and unfolds the CIs below another one.
  await list.getByRole('button', { name: '4 below db-1' }).press('Enter');
  await list.getByText('4 more').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  await list.getByRole('button', { name: '4 below db-1', expanded: false }).press('Enter');
  await list.getByRole('button', { name: /^Warning web-2/ }).click();
  await page.getByRole('region', { name: 'Selected: web-2' }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);

  // On a phone the map is usable before the page is scrolled.
  await page.setViewportSize(NARROW);
  await page.getByRole('button', { name: /^As of now/ }).waitFor();
  const fit = (await page.getByRole('button', { name: 'Fit' }).boundingBox())!;
  expect(fit.y + fit.height).toBeLessThan(NARROW.height);
  const map = (await page.locator('main').getByRole('img', { name: /map/i }).first().boundingBox())!;
  expect(map.y).toBeGreaterThanOrEqual(fit.y + fit.height);
  await page.setViewportSize(WIDE);

  await page.getByRole('link', { name: 'Open events on 5 CIs' }).click();
  await page.getByText('5 events', { exact: true }).waitFor();
  const chip = page.getByText(/^on: /);
  expect(await chip.textContent()).toMatch(/^on: .+, .+ and 3 more$/);
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove on' }).click();
  await chip.waitFor({ state: 'detached' });
  await it.leave(page);
});

interface Position {
  readonly x: number;
  readonly y: number;
}
/** A place with a map of cytoscape in it. */
interface Drawn {
  readonly _cyreg: {
    readonly cy: {
      zoom(): number;
      nodes(): { map<T>(of: (node: { data(name: string): string; renderedPosition(): Position }) => T): T[] };
    };
  };
}

const drawnOn = (page: Page) => page.locator('div:has(> canvas), div:has(> div > canvas)').first();
const zoomOf = (page: Page): Promise<number> =>
  drawnOn(page).evaluate((place) => (place as unknown as Drawn)._cyreg.cy.zoom());

test('a map keeps what a person looks at while states of its CIs change, and a reload keeps the CI that was chosen', async () => {
  const csv = { 'content-type': 'text/csv' };
  await it.ask('POST', '/v1/cmdb/import/ci', 'name,type\nhot-1,appliance\n', csv);
  await it.ask('POST', '/v1/cmdb/import/relationships', 'type,source_ci,target_ci\ndepends_on,hot-1,db-1\n', csv);
  const page = await it.onward(`topology?ci=${ids.get('db-1')}&hops=1`);
  const list = page.getByRole('list', { name: 'Map as list' });
  await list.getByRole('button', { name: /^hot-1/ }).click();
  await page.getByRole('region', { name: 'Selected: hot-1' }).waitFor();
  await page.getByRole('button', { name: 'Zoom out' }).dblclick();
  const drawn = drawnOn(page);
  const zoom = (): Promise<number> => zoomOf(page);
  const places = (): Promise<Record<string, Position>> =>
    drawn.evaluate((place) => {
      const nodes = (place as unknown as Drawn)._cyreg.cy.nodes();
      return Object.fromEntries(nodes.map((node) => [node.data('name'), { ...node.renderedPosition() }]));
    });
  const before = await zoom();
  const box = (await drawn.boundingBox())!;
  const from = (await places())['hot-1']!;
  await page.mouse.move(box.x + from.x, box.y + from.y);
  await page.mouse.down();
  await page.mouse.move(box.x + from.x + 60, box.y + from.y + 30, { steps: 5 });
  await page.mouse.up();
  const dragged = (await places())['hot-1']!;
  expect(Math.round(dragged.x - from.x)).toBe(60);
  const event = { source: 'curl', sourceId: 'hot', severity: 'critical', title: 'Too hot', hostname: 'hot-1' };
  await it.ask('POST', '/api/events/ingest', event);
  await list.getByRole('button', { name: /^Critical hot-1/ }).waitFor();
  expect(await zoom()).toBe(before);
  expect((await places())['hot-1']).toEqual(dragged);
  await page.getByRole('button', { name: 'Fit' }).click();
  expect(await zoom()).toBeGreaterThan(before);
  await page.reload();
  await page.getByRole('region', { name: 'Selected: hot-1' }).waitFor();
  await it.leave(page);
});

test('a CI and a time of the map are typed letter by letter, and the focus stays', async () => {
  await it.ask('POST', '/v1/cmdb/import/ci', 'name,type\nqx-7,router\n', { 'content-type': 'text/csv' });
  const page = await it.onward(`topology?ci=${ids.get('db-1')}`);
  const field = page.getByRole('combobox', { name: 'CI', exact: true });
  await expectValue(field, 'db-1');
  await field.click();
  await page.getByRole('option', { name: /^web-1/ }).waitFor();
  await field.press('Control+a');
  await field.pressSequentially('qx-7', { delay: 350 });
  expect(await field.inputValue()).toBe('qx-7');
  await page.getByRole('option', { name: /^qx-7/ }).click();
  await page.waitForURL((url) => !url.search.includes(ids.get('db-1')!));
  await expectValue(field, 'qx-7');
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.goBack();
  await expectValue(field, 'db-1');

  const asOf = page.getByLabel(/^As of \(time in/);
  await asOf.focus();
  // Browsers of other places have the day first, and no need of the letters.
  await asOf.pressSequentially('020320260405AM', { delay: 50 });
  expect(await asOf.inputValue()).toMatch(/^2026-0[23]-0[23]T04:05$/);
  await page.waitForURL((url) => /^2026-0[23]-0[23]T04:05/.test(url.searchParams.get('at') ?? ''));
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expectValue(asOf, '');
  await it.leave(page);
});

test('a proposal of AI is drawn on the map: a click on it leads to the decision, and accepted it counts', async () => {
  await it.ask('POST', '/v1/cmdb/import/ci', 'name,type\nin-1,server\nin-2,server\n', { 'content-type': 'text/csv' });
  const [source, target] = await Promise.all(
    ['in-1', 'in-2'].map(async (name) => (await it.ask('GET', `/api/cmdb/ci?search=${name}`)).data[0]._id),
  );
  await it.ask('POST', '/v1/cmdb/relationships', { type: 'connects_to', source_ci: source, target_ci: target });
  const evidence = { reasoning: 'in-1 opens connections to in-2 in each of the last 7 days, at all hours. '.repeat(6) };
  await it.ask('POST', '/api/cmdb/ai-relationships', { source, target, type: 'depends_on', confidence: 0.8 });
  // Long evidence wraps, and leaves names their room.
  const list = await it.onward('discovery?tab=proposals');
  await list.route('**/ai-relationships?*', async (route) => {
    const response = await route.fetch();
    const { relationships, ...rest } = await response.json();
    await route.fulfill({
      response,
      json: { ...rest, relationships: relationships.map((one: object) => ({ ...one, evidence })) },
    });
  });
  await list.reload();
  const table = list.getByRole('table', { name: 'Proposals' });
  const widthOf = async (name: string) =>
    (await table.getByRole('columnheader', { name, exact: true }).boundingBox())!.width;
  await table.waitFor();
  expect(await widthOf('Evidence')).toBeLessThan(450);
  const name = (await table.getByRole('link', { name: 'in-2' }).boundingBox())!;
  expect(name.height).toBeLessThan(30);
  await it.leave(list);
  const page = await it.onward(`topology?ci=${target}&hops=1`);
  const proposals = page.getByRole('region', { name: 'AI proposals' });
  const line = proposals.getByRole('button', { name: /^in-1 depends on in-2 80% confidence/ });
  await line.waitFor();
  await page.getByRole('list', { name: 'Map legend' }).getByText('proposed by AI, pending review').waitFor();
  expect(await line.getAttribute('aria-expanded')).toBe('false');
  expect(await hindrancesOn(page)).toEqual([]);
  // However few they are.
  expect(await zoomOf(page)).toBe(1.25);
  // Both lines lead through the middle of the map, beside each other.
  const map = (await page.getByRole('img', { name: /^Map of 2 CIs/ }).boundingBox())!;
  for (let beside = -80; beside <= 80 && (await line.getAttribute('aria-expanded')) === 'false'; beside += 5) {
    await page.mouse.click(map.x + map.width / 2 + beside, map.y + map.height / 2);
    // Waits until it is drawn: a second click on the line would close it again.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
  await proposals.getByRole('button', { name: 'Reject' }).waitFor();
  await proposals.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('Accepted: in-1 depends on in-2').waitFor();
  await proposals.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Impact', exact: true }).click();
  await page.getByText('1 impacted', { exact: true }).waitFor();

  // Kinds over which no fault spreads are no option here; of the others, one may be omitted.
  await page.getByRole('button', { name: 'All relationships' }).click();
  const kinds = page.getByRole('list', { name: 'Relationship types' });
  await kinds.getByRole('checkbox', { name: /^Network connection/ }).click();
  expect(await kinds.getByRole('checkbox', { name: /^Connects to/ }).count()).toBe(0);
  await page.getByText('0 impacted', { exact: true }).waitFor();
  await it.leave(page);
});

test('a file is looked at before anything is written', async () => {
  const page = await it.onward('import');
  const text = 'name,type,attributes.ip_address\nnew-1,server,192.0.2.9\nbad-1,server,192.0.2.999\n';
  const file = { name: 'hosts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.getByLabel('CI or relationship file').setInputFiles(file);
  const button = page.getByRole('button', { name: 'Import 1 row' });
  await button.waitFor();
  await page.getByText('expected an IPv4 or IPv6 address').waitFor();
  expect((await it.ask('GET', '/api/cmdb/ci?search=new-1')).pagination.total).toBe(0);
  await button.click();
  await page.getByText('1 imported, 1 failed').waitFor();
  expect((await it.ask('GET', '/api/cmdb/ci?search=new-1')).pagination.total).toBe(1);
  await it.leave(page);
});

test('columns that are not known are mapped to fields, with suggestions, and the mapping is remembered', async () => {
  const page = await it.onward('import');
  const rows = 'Bezeichnung,Kind,IP adress,Patch level\nmapped-1,server,192.0.2.44,7\n';
  const file = { name: 'estate.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
  const input = page.getByLabel('CI or relationship file');
  await input.setInputFiles(file);
  const fieldOf = (column: string) => page.getByRole('combobox', { name: `Field of ${column}` });
  await fieldOf('Kind').waitFor();
  expect([await fieldOf('Kind').inputValue(), await fieldOf('IP adress').inputValue()]).toEqual([
    'type',
    'attributes.ip_address',
  ]);
  for (const [column, field] of [
    ['Bezeichnung', 'name'],
    ['Patch level', 'custom_fields.patch_level'],
  ] as const) {
    await fieldOf(column).click();
    await page.getByRole('option', { name: field, exact: true }).click();
  }
  expect(await violationsInThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Update preview' }).click();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('1 imported').waitFor();
  const [ci] = (await it.ask('GET', '/api/cmdb/ci?search=mapped-1')).data;
  expect(ci).toMatchObject({
    type: 'server',
    attributes: { ip_address: '192.0.2.44' },
    custom_fields: { patch_level: 7 },
  });
  await input.setInputFiles(file);
  await until(async () => (await fieldOf('Bezeichnung').inputValue()) === 'name');

  await goWithin(page, `cis/${ci._id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'patch_level value' }).fill('8');
  await dialog.getByRole('button', { name: 'Add custom field' }).click();
  await dialog.getByRole('textbox', { name: 'Custom field 2 name' }).fill('cost_center');
  await dialog.getByRole('textbox', { name: 'cost_center value' }).fill('K-7');
  await dialog.getByRole('button', { name: 'Review changes' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Cost center: (empty) → K-7').waitFor();
  const changed = (await it.ask('GET', `/api/cmdb/ci/${ci._id}`)).data;
  expect(changed.custom_fields).toEqual({ patch_level: 8, cost_center: 'K-7' });
  await it.leave(page);
});

test('a host that only events know is bound to the CI that it is', async () => {
  await it.ask('POST', '/api/events/ingest', {
    source: 'curl',
    sourceId: 'u',
    severity: 'minor',
    title: 'Fan slow',
    hostname: 'db-one',
  });
  await it.app.idle();
  const page = await it.onward('discovery?tab=hosts');
  await page.getByRole('button', { name: 'Bind to CI…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'CI' }).fill('db-1');
  await page.getByRole('option', { name: /^db-1/ }).click();
  await dialog.getByText('is empty. Setting it binds matching events').waitFor();

  // A list that becomes empty meanwhile closes no dialog.
  const none = { success: true, data: { hosts: [], events: 0, truncated: false } };
  await page.route('**/api/discovery/unbound-hosts*', (route) => route.fulfill({ json: none }));
  await it.ask('POST', '/api/events/ingest', { source: 'curl', sourceId: 'v', severity: 'minor', title: 'Fan slow' });
  await page.getByText('All hosts are bound to CIs').waitFor();
  await dialog.getByText('is empty. Setting it binds matching events').waitFor();
  await page.unroute('**/api/discovery/unbound-hosts*');

  const { data } = await it.ask('GET', '/api/cmdb/ci?search=db-1');
  let others = 0;
  await page.route('**/api/cmdb/ci/*', async (route) => {
    if (route.request().method() === 'PUT' && others === 0) {
      others += 1;
      await it.ask('PUT', `/api/cmdb/ci/${data[0]._id}`, { description: 'Moved' });
    }
    return route.continue();
  });
  await dialog.getByRole('button', { name: 'Bind' }).click();
  await dialog.getByText('Someone else changed this CI').waitFor();
  await dialog.getByRole('button', { name: 'Bind' }).click();
  await page.getByText('Events from db-one now bind to db-1').waitFor();
  await page.getByText('All hosts are bound to CIs').waitFor();
  await it.leave(page);
});

test('a scanner token is made once by a double click, and its secret is not lost by a click beside it', async () => {
  const page = await it.onward('discovery?tab=tokens');
  await page.getByRole('textbox', { name: 'Token name' }).fill('nmap of rack 1');
  await page.getByRole('button', { name: 'Create' }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Token: nmap of rack 1' });
  await dialog.waitFor();
  await page.mouse.click(5, 300);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await it.ask('GET', '/api/discovery/tokens')).data).toHaveLength(1);
  await it.leave(page);
});

test('a planned change is assessed, and is listed with its risk and evidence', async () => {
  await it.ask('POST', '/v1/cmdb/ci', { name: 'plan-1', type: 'server' });
  const page = await it.onward('changes');
  await page.getByRole('button', { name: 'Assess change' }).click();
  const form = page.getByRole('dialog', { name: 'Assess a planned change' });
  await form.getByRole('combobox', { name: 'CI' }).fill('plan-1');
  await page.getByRole('option', { name: /^plan-1/ }).click();
  await form.getByLabel('Start').fill('2030-01-02T23:00');
  await form.getByRole('button', { name: 'Assess change' }).click();
  const risk = page.getByRole('dialog', { name: 'Risk of a planned change' });
  await risk.getByText('Base failure rate of restart changes: 5%.').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // It is further ahead than the range of the page.
  await page.getByText('No changes in this range').waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'Time range' }).click();
  await page.getByRole('textbox', { name: 'From' }).fill('2030-01-01T00:00');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('2030-01-03T00:00');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('row', { name: /^restart 2 Jan .* plan-1 Planned/ }).waitFor();
  await it.leave(page);
});

test('a search for services begins with the first page', async () => {
  for (const name of ['Billing', 'Shop']) await it.ask('POST', '/api/services', { name, components: [] });
  const page = await it.onward('me');
  await page.route('**/api/services?*', async (route) => {
    const answer = await (await route.fetch()).json();
    return route.fulfill({ json: { ...answer, pagination: { ...answer.pagination, pages: 2 } } });
  });
  await page.getByRole('link', { name: 'Services' }).click();
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  const tiles = page.getByRole('list', { name: 'Services by health' });
  await page.getByRole('button', { name: 'Next' }).click();
  await tiles.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search' }).fill('Bill');
  await tiles.getByRole('link', { name: 'Billing' }).waitFor();
  await page.unroute('**/api/services?*');
  await it.leave(page);
});
