import { beforeAll, expect, test } from '@jest/globals';
import { occurred } from '#test/setup/occurred.ts';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports, goWithin } from './kit/open-console.ts';

/** Pages beside the faults: the pipeline, reports, the assistant, silences, and user settings. */

const it = consoleOfTests();
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
});

/** A dead letter as a stage leaves it. */
const refuse = async (hostname: string, reason: string): Promise<void> => {
  const { ids, clock, records } = it.app.ports;
  const place = { topic: 'events.incoming', partition: 0, offset: 1, position: 1, processor: 'store', attempts: 1 };
  const event = { source: 'curl', sourceId: hostname, hostname, title: 'Fan failed' };
  const content = { kind: 'json', record: occurred({ ...event, receivedAt: clock.now() }) };
  const id = ids.ulid();
  await records.put('default', 'dead-letter', id, { id, ...place, reason, at: clock.now(), content, settled: null });
};
const letters = async (query = ''): Promise<{ state: string }[]> =>
  (await it.ask('GET', `/api/admin/dead-letters${query}`)).data;

test('dead letters are read, replayed, discarded, and settled many at once', async () => {
  for (const n of [1, 2, 3]) await refuse(`h-${n}`, 'the disk was full');
  await refuse('odd', 'the record is odd');
  const page = await it.signedIn('pipeline');
  const table = page.getByRole('table', { name: 'Dead letters' });
  const rows = table.getByRole('row').filter({ hasText: 'the disk was full' });
  await rows.first().waitFor();
  expect(await hindrancesOn(page)).toEqual([]);

  await table.getByRole('row').filter({ hasText: 'odd' }).getByRole('button', { name: 'Show' }).click();
  const drawer = page.getByRole('dialog', { name: 'Dead letter' });
  await drawer.getByText('events.incoming, partition 0').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Discarded. Kept for 7 days.').waitFor();
  await drawer.waitFor({ state: 'detached' });
  expect(await letters('?state=discarded')).toHaveLength(1);

  await rows.first().getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replayed', { exact: true }).waitFor();
  expect(await letters('?state=replayed')).toHaveLength(1);

  expect(await page.getByRole('button', { name: 'Replay all' }).isDisabled()).toBe(true);
  await goWithin(page, 'pipeline?reason=disk');
  await page.getByRole('button', { name: 'Discard all' }).click();
  const sure = page.getByRole('dialog', { name: 'Discard all matching' });
  await sure.getByText('whose reason contains “disk”').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await sure.waitFor({ state: 'detached' });
  expect(await letters()).toHaveLength(2);
  await page.getByRole('button', { name: 'Discard all' }).click();
  await sure.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('2 records discarded').waitFor();
  await page.getByText(/No matching dead letters|No dead letters/).waitFor();
  expect(await letters()).toEqual([]);
  await it.leave(page);
});

test('a sink rests and goes on, and a stage that is chosen shows its hour', async () => {
  const page = await it.onward('pipeline');
  const stages = page.getByRole('table', { name: 'Processors' });
  await stages.getByRole('button', { name: 'Pause' }).first().click();
  await page.getByText('Records are queued.').waitFor();
  await stages.getByText('by Administrator').waitFor();
  const { processors } = (await it.ask('GET', '/api/admin/pipeline')).data;
  expect(processors.filter(({ status }: { status: string }) => status === 'paused')).toHaveLength(1);
  expect(await hindrancesOn(page)).toEqual([]);
  await stages.getByRole('button', { name: 'Resume' }).click();
  await page
    .getByText(/^Resumed/)
    .first()
    .waitFor();
  await stages.getByText('by Administrator').waitFor({ state: 'detached' });
  const way = page.getByRole('region', { name: 'Event flow' });
  const last = way.getByRole('button').last();
  await last.click();
  expect(await last.getAttribute('aria-pressed')).toBe('true');
  await it.leave(page);
});

test('a report is made, fetched and deleted', async () => {
  const page = await it.onward('reports');
  await page.getByText('No reports yet').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  const form = page.getByRole('region', { name: 'New report' });
  const kinds = form.getByRole('combobox', { name: 'Report type' });
  const { data: templates } = await it.ask('GET', '/api/reports/templates');
  for (const { template_id } of templates) await kinds.selectOption(template_id);
  await kinds.selectOption(templates[0].template_id);
  await kinds.press('ArrowDown');
  await kinds.press('ArrowDown');
  expect(await kinds.inputValue()).toBe(templates[2].template_id);
  await kinds.selectOption(templates[0].template_id);
  await form.getByRole('combobox', { name: 'Format' }).selectOption('csv');
  await form.getByRole('checkbox', { name: 'Share with tenant' }).check();
  await form.getByRole('button', { name: 'Create report' }).dblclick();
  await page.getByText('Generating the report').waitFor();
  const list = page.getByRole('region', { name: 'Reports' });
  await list.getByText('shared').waitFor();
  const fetched = page.waitForEvent('download');
  await list.getByRole('button', { name: /^Download/ }).click();
  const file = await fetched;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  const kept = (await it.ask('GET', '/api/reports')).data;
  expect(kept).toMatchObject([{ format: 'csv', shared: true, status: 'completed' }]);
  expect(await hindrancesOn(page)).toEqual([]);
  await list.getByRole('button', { name: /^Delete/ }).click();
  await page.getByText('Deleted ').waitFor();
  await page.getByText('No reports yet').waitFor();
  await it.leave(page);
});

test('a schedule is made, edited and deleted', async () => {
  const page = await it.onward('reports');
  const form = page.getByRole('region', { name: 'New report' });
  await form.getByRole('combobox', { name: 'Report type' }).selectOption('handover');
  await form.getByRole('combobox', { name: 'Format' }).selectOption('md');
  await form.getByRole('combobox', { name: 'Repeat' }).selectOption('week');
  await form.getByRole('combobox', { name: 'Day' }).selectOption('Friday');
  await form.getByLabel(/^Time \(/).fill('06:30');
  await form.getByRole('button', { name: 'Create schedule' }).click();
  const list = page.getByRole('region', { name: 'Schedules' });
  await list.getByText(/^Every Friday at 06:30 \(/).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await list.getByRole('button', { name: 'Edit Handover' }).click();
  const edit = page.getByRole('region', { name: 'Edit schedule' });
  expect(await edit.getByRole('combobox', { name: 'Format' }).inputValue()).toBe('md');
  await edit.getByRole('combobox', { name: 'Repeat' }).selectOption('month');
  await edit.getByRole('combobox', { name: 'Delivery' }).selectOption('webhook');
  await edit.getByRole('button', { name: 'Save' }).click();
  await list.getByText(/^On the first of every month at 06:30 \(/).waitFor();
  const kept = (await it.ask('GET', '/api/reports/schedules')).data;
  expect(kept).toMatchObject([
    { template_id: 'handover', format: 'md', every: 'month', delivery: { method: 'webhook' } },
  ]);
  await list.getByRole('button', { name: 'Delete Handover' }).click();
  await list.waitFor({ state: 'detached' });
  await it.leave(page);
});

test('a report that cannot be made says why', async () => {
  const page = await it.onward('reports');
  const form = page.getByRole('region', { name: 'New report' });
  await page.route('**/api/reports/generate', (route) =>
    route.fulfill({
      status: 429,
      json: { success: false, error: { code: 'X', message: 'Ten are being made already' } },
    }),
  );
  await form.getByRole('button', { name: 'Create report' }).click();
  await page.getByText("Couldn't start the report").waitFor();
  await page.getByText('Ten are being made already').waitFor();
  await it.leave(page);
});

test('a question is answered by counting, and one that is not understood says so', async () => {
  const page = await it.onward('reports?view=ask');
  await page.getByRole('button', { name: 'Top 5 noisiest hosts in the last 24 hours' }).click();
  await page.getByRole('rowheader', { name: 'sw-1' }).waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Question' }).fill('Events per hour in the last 24 hours');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('img', { name: /time buckets/ }).waitFor();
  await page.getByRole('textbox', { name: 'Question' }).fill('colourless green ideas');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Question not understood').waitFor();
  await page.goBack();
  await page.getByRole('img', { name: /time buckets/ }).waitFor();
  const question = page.getByRole('textbox', { name: 'Question' });
  expect(await question.inputValue()).toBe('Events per hour in the last 24 hours');
  await page.goForward();
  await page.getByText('Question not understood').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await it.leave(page);
});

test('the assistant answers beside the page, and each sentence leads to what it stands on', async () => {
  const page = await it.onward('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await page.keyboard.press('Control+j');
  const drawer = page.getByRole('complementary', { name: 'Assistant' });
  await drawer.getByRole('textbox', { name: 'Question' }).fill('Which critical events are open?');
  await page.keyboard.press('Enter');
  await drawer.getByText('Rule-based answer, no language model.').waitFor();
  await drawer
    .getByRole('link', { name: /sw-1|Switch link down/ })
    .first()
    .waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await drawer.getByText(/^Looked up: Find events \(\d/).waitFor();
  // The server never answers.
  await page.route('**/api/chatbot', () => undefined);
  await drawer.getByRole('textbox', { name: 'Question' }).fill('How many events were there last week?');
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await drawer.getByText('Canceled.').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await page.unrouteAll();
  await page.route('**/api/chatbot', (route) => route.abort());
  await drawer.getByRole('textbox', { name: 'Question' }).fill('Show me all databases');
  await page.keyboard.press('Enter');
  await drawer.getByText("Couldn't load answer").waitFor();
  await page.unrouteAll();
  await drawer.getByRole('button', { name: 'Retry' }).click();
  await drawer.getByText('db-1').first().waitFor();
  await drawer.getByRole('button', { name: 'New conversation' }).click();
  await drawer.getByText('Ask about events').waitFor();
  await drawer.getByRole('textbox', { name: 'Question' }).fill('Which hosts');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+j');
  expect(await drawer.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('Which hosts');
  await drawer.getByRole('textbox', { name: 'Question' }).fill('');
  await page.keyboard.press('Escape');
  await it.leave(page);
});

test('Enter in the palette awaits the finds of what is typed', async () => {
  for (const name of ['ups-b', 'mail-03']) await it.ask('POST', '/api/cmdb/ci', { name, type: 'server' });
  const page = await it.onward('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const field = palette.getByRole('textbox', { name: 'Search or go to…' });
  await field.fill('ups-b');
  await palette.getByRole('button', { name: /^ups-b/ }).waitFor();
  await field.fill('mail-03');
  await page.keyboard.press('Enter');
  const opened = page.getByRole('heading', { level: 1, name: /^(ups-b|mail-03)$/ });
  await opened.waitFor();
  expect(await opened.textContent()).toBe('mail-03');
  await it.leave(page);
});

test('a CI is silenced, and the silence ended', async () => {
  const { data } = await it.ask('GET', '/api/cmdb/ci?search=web-2');
  const page = await it.onward(`cis/${data[0]._id}`);
  const panel = page.getByRole('region', { name: 'Maintenance' });
  await panel.getByRole('button', { name: 'Silence…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Silence web-2' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('New disks');
  expect(await violationsInThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Silence' }).dblclick();
  await page.getByText('Silence created').waitFor();
  await panel.getByText('New disks').waitFor();
  const event = { source: 'curl', sourceId: 'q', severity: 'major', title: 'Disk gone', hostname: 'web-2' };
  await it.ask('POST', '/api/events/ingest', event);
  await it.app.idle();
  const { events } = await it.ask('GET', '/api/events?search=Disk%20gone');
  expect(events).toMatchObject([{ status: 'suppressed' }]);
  expect(await hindrancesOn(page)).toEqual([]);
  await panel.getByRole('button', { name: 'End silence' }).click();
  await panel.getByText('Not silenced.').waitFor();
  // The work of another person is seen without a new load.
  await it.ask('POST', '/api/events/silences', {
    matcher: { ciId: data[0]._id },
    endsAt: new Date(it.app.ports.clock.now() + 3_600_000).toISOString(),
    reason: 'Moved to another rack',
  });
  await it.ask('PUT', `/api/cmdb/ci/${data[0]._id}`, { description: 'On the way' });
  await panel.getByText('Moved to another rack').waitFor();
  const past = page.getByRole('region', { name: 'History' });
  await past.getByText('On the way').waitFor();
  for (let n = 1; n <= 10; n++) await it.ask('PUT', `/api/cmdb/ci/${data[0]._id}`, { description: `Mile ${n}` });
  await past.getByText(/^Showing 10 of 1\d/).waitFor();
  await past.getByRole('button', { name: 'Load more' }).click();
  await past
    .getByText(/^Created/)
    .first()
    .waitFor();
  // All silences are listed, those of CIs by the names of these.
  await page.getByRole('link', { name: 'Silences' }).click();
  const silence = page.getByRole('list', { name: 'Silences' }).getByRole('listitem');
  await silence.filter({ hasText: 'Moved to another rack' }).getByText('CI web-2').waitFor();
  await silence.getByRole('button', { name: 'End silence' }).click();
  await page.getByText('No active silences').waitFor();
  await page.getByRole('button', { name: 'Past' }).click();
  await silence.filter({ hasText: 'New disks' }).getByText('CI web-2').waitFor();
  await it.leave(page);
});

test('charts are drawn in a browser that was started without a locale', async () => {
  const { ask } = it;
  // The charts begin after two steps of the server, 20 s after its start; by now they are nearly over.
  await until(async () => (await ask('GET', '/api/admin/pipeline/history')).data.at.length >= 2);
  const page = await it.context.newPage();
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'language', { value: 'en-US@posix' }));
  await page.goto(`${it.url}/ui/pipeline`);
  await page.locator('.uplot canvas').first().waitFor();
  expect(await page.getByText("Couldn't display").count()).toBe(0);
  await it.leave(page);
});

test('theme, zone, density and keys are kept for the person; the password is changed', async () => {
  const ann = { username: 'ann', password: 'a long enough password' };
  await it.ask('POST', '/api/admin/users', { ...ann, name: 'Ann', role: 'operator' });
  await it.context.clearCookies();
  const page = await it.signedIn('me', ann);
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByText('Compact', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tok');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByText('UTC+9').waitFor();

  const form = page.getByRole('form', { name: 'Change password' });
  const fill = async (current: string, next: string, again = next): Promise<void> => {
    await form.getByLabel('Current password').fill(current);
    await form.locator('input[name=new]').fill(next);
    await form.getByLabel('Confirm new password').fill(again);
    await form.getByRole('button', { name: 'Change password' }).click();
  };
  await fill(ann.password, 'another long password', 'yet another one');
  await form.getByText("Passwords don't match").waitFor();
  await fill('not my password', 'another long password');
  await form.getByText('does not match the current password').waitFor();
  await fill(ann.password, 'short');
  await form
    .getByText(/at least|short|12|8/)
    .first()
    .waitFor();
  await form.getByText('does not match the current password').waitFor({ state: 'detached' });
  expect(await violationsInThemes(page)).toEqual([]);
  await fill(ann.password, 'another long password');
  await page.getByText('Password changed').waitFor();
  await page.reload();
  await page.getByText('UTC+9').waitFor();
  // An immediate reload undoes nothing, not even when the server was not informed in time.
  for (const [words, value, isTold] of [
    ['Comfortable', 'comfortable', true],
    ['Compact', 'compact', false],
  ] as const) {
    let refused = isTold ? 0 : 1;
    await page.route('**/api/me/settings', (route) =>
      route.request().method() === 'PUT' && refused-- > 0 ? route.abort() : route.continue(),
    );
    await page.getByText(words, { exact: true }).click();
    await page.reload();
    await page.getByText('UTC+9').waitFor();
    expect(await page.getByRole('radio', { name: words }).isChecked()).toBe(true);
    await until(async () => (await page.evaluate(() => localStorage.getItem('faultline-settings-unsent'))) === null);
    expect(JSON.parse((await page.evaluate(() => localStorage.getItem('faultline-settings')))!).density).toBe(value);
    await page.unrouteAll({ behavior: 'wait' });
  }
  await it.leave(page);
  await it.context.clearCookies();
});

expectNoReports(it);
