import { beforeAll, expect, test } from '@jest/globals';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, goWithin, NARROW, WIDE } from './kit/open-console.ts';

const SETTINGS = '/api/admin/settings/correlation';

const it = consoleOfTests();
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
}, 60_000);

test('settings are tried on stored events, then saved, and given back', async () => {
  const page = await it.signedIn('tuning');
  await page.getByRole('textbox', { name: 'Maximum size, at most' }).fill('2');
  await page.getByRole('button', { name: 'Run simulation' }).click();
  await page.getByRole('row', { name: /^Groups / }).waitFor();

  const [trial] = (await it.ask('GET', `${SETTINGS}/trials`)).data;
  expect(trial).toMatchObject({ state: 'completed', patch: { guards: { maxSize: 2 } }, hours: 24 });
  const { before, after } = trial;
  const cells = await page
    .getByRole('row', { name: /^Events in the largest group / })
    .getByRole('cell')
    .allInnerTexts();
  expect(cells).toEqual([`${before.largest}`, '2', `−${before.largest - 2}`]);
  expect(after.largest).toBe(2);
  expect((await it.ask('GET', SETTINGS)).data.overrides).toEqual({});

  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save settings' });
  await dialog.getByText('1000 → 2').waitFor();
  await dialog.getByText('Simulation: ').waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await it.ask('GET', SETTINGS)).data.overrides).toEqual({ guards: { maxSize: 2 } });

  await page.getByRole('button', { name: 'Undo' }).click();
  const { ask } = it;
  await until(async () => Object.keys((await ask('GET', SETTINGS)).data.overrides).length === 0);
  await it.leave(page);
});

test('an earlier version is found in the history and restored', async () => {
  for (const maxSize of [300, 400]) await it.ask('PUT', SETTINGS, { guards: { maxSize } });
  const page = await it.signedIn('tuning');
  await page.getByRole('button', { name: 'History' }).click();
  const versions = page.getByRole('list', { name: 'History' }).getByRole('listitem');
  await versions.first().getByText('Current').waitFor();
  await versions.nth(1).getByText('1 change').click();
  await versions.nth(1).getByRole('row', { name: 'Maximum size Default 300' }).waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await versions
    .nth(1)
    .getByRole('button', { name: /^Restore version/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Restore this version' });
  await dialog.getByRole('row', { name: 'Maximum size 400 300' }).waitFor();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Version restored').waitFor();
  await page.keyboard.press('Escape');
  const size = page.getByRole('textbox', { name: 'Maximum size, at most' });
  await until(async () => (await size.inputValue()) === '300');
  await it.ask('PUT', SETTINGS, { guards: null });
  await it.leave(page);
});

test('a number out of bounds says so and becomes the nearest, and what is discarded is gone from lists, too', async () => {
  const page = await it.signedIn('tuning');
  const score = page.getByRole('textbox', { name: 'Minimum score, above' });
  const scoreBefore = await score.inputValue();
  await score.fill('7');
  await page.getByText('0.5–0.99').waitFor();
  await score.press('Tab');
  await page.getByText('0.5–0.99').waitFor({ state: 'detached' });
  expect(await score.inputValue()).toBe('0.99');
  await page.getByRole('button', { name: 'Discard' }).click();
  await until(async () => (await score.inputValue()) === scoreBefore);

  await goWithin(page, 'tuning?view=events');
  const names = page.getByRole('textbox', { name: 'Heartbeats' });
  const namesBefore = await names.inputValue();
  await names.fill('Watchdog\n\n');
  expect(await names.inputValue()).toBe('Watchdog\n\n');
  await page.getByRole('button', { name: 'Discard' }).click();
  await until(async () => (await names.inputValue()) === namesBefore);
  await it.leave(page);
});

test('when somebody was quicker, both versions are shown', async () => {
  const page = await it.signedIn('tuning');
  await page.getByRole('textbox', { name: 'Minimum score, above' }).fill('0.75');
  await it.ask('PUT', SETTINGS, { threshold: 0.9 });
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Theirs: 0.9' }).waitFor();
  expect((await it.ask('GET', SETTINGS)).data.overrides).toEqual({ threshold: 0.9 });
  await page.getByRole('button', { name: 'Yours: 0.75' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await it.ask('GET', SETTINGS)).data.overrides).toEqual({ threshold: 0.75 });
  await it.leave(page);
});

test('when somebody has changed something else meanwhile, both are kept', async () => {
  const page = await it.signedIn('tuning');
  await page.getByRole('textbox', { name: 'Minimum score, above' }).fill('0.72');
  await it.ask('PUT', SETTINGS, { guards: { maxSize: 900 } });
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await it.ask('GET', SETTINGS)).data.overrides).toEqual({ threshold: 0.72, guards: { maxSize: 900 } });
  await it.ask('PUT', SETTINGS, { guards: null });
  // Undo must not revert later changes of another user.
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText("Couldn't undo").waitFor();
  await it.leave(page);
});

test('limits that somebody else has changed meanwhile are chosen between', async () => {
  const { ask } = it;
  const overrides = async () => (await ask('GET', '/api/admin/limits')).data.overrides;
  const page = await it.signedIn('admin/limits');
  const field = page.getByRole('textbox', { name: 'Single event ingestion' });
  await field.fill('700');
  await page.getByRole('textbox', { name: 'Bulk ingestion' }).fill('70');
  await ask('PUT', '/api/admin/limits', { ingest: 800 });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save these limits?' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Theirs: 800' }).click();
  expect(await overrides()).toEqual({ ingest: 800 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await overrides()).toEqual({ ingest: 800, bulk: 70 });
  await it.leave(page);
});

test('verdicts are told in sentences', async () => {
  const { groups } = await it.ask('GET', '/api/events/groups');
  const group = groups[0].correlationId;
  await it.ask('PUT', `/api/events/groups/${group}/verdict`, { cause: 'right', members: 'too_many' });
  const page = await it.onward('tuning?view=quality');
  await page.getByText('Root cause correct in 1 of 1 group with a verdict (100%).').waitFor();
  await page.getByText('1 group contained unrelated events').waitFor();
  await page.getByRole('row', { name: 'No unrelated events 0 of 1 0–79%' }).waitFor();
  await page.getByRole('link', { name: 'View groups without a verdict' }).click();
  await page.waitForURL('**/ui/groups?verdict=none');
  await it.leave(page);
});

test.each(['tuning', 'tuning?view=events', 'tuning?view=quality'])(
  '%s keeps WCAG 2.2 AA, and fits 390 px',
  async (path) => {
    const page = await it.onward(path);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.setViewportSize(NARROW);
    const wide = () => document.querySelector('main')?.scrollWidth ?? 0;
    expect(await page.evaluate(wide)).toBeLessThanOrEqual(NARROW.width);
    await page.setViewportSize(WIDE);
    await it.leave(page);
  },
);
