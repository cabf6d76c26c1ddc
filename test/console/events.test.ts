import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { focusList } from './kit/focus.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports } from './kit/open-console.ts';

/** The table of events: one beside it, several, and all that match. */

const it = consoleOfTests();
beforeAll(async () => {
  const now = it.app.ports.clock.now();
  await furnishInfrastructure(it, now);
  const events = Array.from({ length: 120 }, (_, n) => ({
    source: 'bulk',
    sourceId: `${n}`,
    severity: n % 2 === 0 ? 'minor' : 'warning',
    hostname: `rack-${n}`,
    title: `Fan slow in rack ${n}`,
    timestamp: new Date(now - n * 60_000).toISOString(),
  }));
  await it.ask('POST', '/api/events/bulk-ingest', { source: 'bulk', events });
  await it.app.idle();
});

const numberOf = async (query: string): Promise<number> =>
  (await it.ask('GET', `/api/events?limit=1&${query}`)).pagination.total;
const list = (page: Page) => page.getByRole('grid', { name: 'Events' });

test('all that match are acknowledged with one request, counted once, and taken back one by one', async () => {
  const page = await it.signedIn('events?source=bulk&severity=minor');
  await page.getByText('60 events').first().waitFor();
  await list(page)
    .getByRole('checkbox', { name: /Fan slow/ })
    .first()
    .click();
  await page.getByText('1 event selected').waitFor();
  await page.getByRole('button', { name: 'Select all 60 matching events' }).click();
  await page.getByText('All 60 matching events selected').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/events/status')) asked.push(request.postData()!);
  });
  await page.getByRole('button', { name: 'Acknowledge' }).dblclick();
  await page.getByText('60 events acknowledged').waitFor();
  expect(asked).toHaveLength(1);
  expect(JSON.parse(asked[0]!)).toMatchObject({ filter: { source: 'bulk', severity: 'minor' }, expect: 60 });
  expect(await numberOf('source=bulk&status=acknowledged')).toBe(60);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await numberOf('source=bulk&status=open')).toBe(120);
  await it.leave(page);
});

test('an event opens in a tab of its own with Ctrl or the middle button', async () => {
  const page = await it.onward('events?source=bulk&severity=minor');
  const row = list(page).getByRole('row', { name: /Fan slow in rack 4\b/ });
  for (const how of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
    const [other] = await Promise.all([it.context.waitForEvent('page'), row.click(how)]);
    await other
      .getByRole('complementary', { name: 'Event details' })
      .getByText('rack-4', { exact: true })
      .first()
      .waitFor();
    expect(new URL(other.url()).searchParams.get('severity')).toBe('minor');
    await other.close();
  }
  expect(new URL(page.url()).searchParams.get('event')).toBeNull();
  await it.leave(page);
});

test('what was selected is resolved with a reason', async () => {
  const page = await it.onward('events?source=bulk&severity=warning');
  await list(page)
    .getByRole('checkbox', { name: /Fan slow/ })
    .nth(0)
    .click();
  await list(page)
    .getByRole('checkbox', { name: /Fan slow/ })
    .nth(1)
    .click();
  await page.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve 2 events' });
  await dialog.getByRole('combobox', { name: 'Resolution category' }).click();
  expect(await violationsInThemes(page)).toEqual([]);
  await page.getByRole('option').nth(1).click();
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('2 events resolved').waitFor();
  expect(await numberOf('source=bulk&status=resolved')).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  await it.leave(page);
});

test('selected events are suppressed with a reason and an end, and the event shows both', async () => {
  const page = await it.onward('events?source=bulk&severity=warning');
  const boxes = list(page).getByRole('checkbox', { name: /Fan slow/ });
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.getByRole('button', { name: 'Suppress', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Suppress 2 events' });
  const suppress = dialog.getByRole('button', { name: 'Suppress' });
  expect(await suppress.isDisabled()).toBe(true);
  await dialog.getByRole('combobox', { name: 'Duration' }).click();
  await page.getByRole('option', { name: '2 hours' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('new fans');
  expect(await violationsInThemes(page)).toEqual([]);
  await suppress.click();
  await page.getByText('2 events suppressed').waitFor();
  expect(await numberOf('source=bulk&status=suppressed')).toBe(2);
  await list(page)
    .getByRole('row', { name: /Fan slow/ })
    .first()
    .click();
  const beside = page.getByRole('complementary', { name: 'Event details' });
  await beside.getByText('by a user until').waitFor();
  await beside.getByText('new fans').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await numberOf('source=bulk&status=suppressed')).toBe(0);
  await it.leave(page);
});

test('an event that comes moves neither the focus out of a dialog nor the list beside an open event', async () => {
  const page = await it.onward('events?source=bulk');
  await list(page)
    .getByRole('row', { name: /Fan slow/ })
    .first()
    .waitFor();
  await focusList(page);
  await page.locator('[role=status][data-kind=live]').waitFor();
  const comes = async (n: number): Promise<void> => {
    const answered = page.waitForResponse((response) => response.url().includes('/api/events?'));
    await it.ask('POST', '/api/events/ingest', {
      source: 'bulk',
      sourceId: `new-${n}`,
      severity: 'info',
      hostname: `new-${n}`,
      title: `Door ${n} opened`,
    });
    await answered;
  };
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: /^Resolve/ });
  await dialog.getByRole('button', { name: 'Cancel' }).focus();
  await page.mouse.move(0, 0);
  await comes(1);
  await list(page)
    .getByRole('row', { name: /Door 1 opened/ })
    .waitFor({ state: 'attached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await list(page)
    .getByRole('row', { name: /Fan slow/ })
    .first()
    .click();
  const beside = page.getByRole('complementary', { name: 'Event details' });
  await beside.getByRole('heading').first().waitFor();
  await list(page).evaluate((scroller) => scroller.scrollTo(0, 1_500));
  await beside.hover();
  await comes(2);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await list(page).evaluate(({ scrollTop }) => scrollTop)).toBe(1_500);
  await it.leave(page);
});

test('one event beside the list: facts, history, explained with another, acknowledged', async () => {
  const page = await it.onward('events?source=curl');
  await list(page)
    .getByRole('row', { name: /PostgreSQL unreachable/ })
    .click();
  const beside = page.getByRole('complementary', { name: 'Event details' });
  await beside.getByRole('heading', { name: 'PostgreSQL unreachable' }).waitFor();
  await beside.getByText(/bound by name/).waitFor();
  await beside.getByText('Compare with another event').click();
  const other = beside.getByRole('combobox', { name: 'Other event' });
  await other.fill('Switch');
  // Content loaded meanwhile may push it down, and its list is hidden while it is out of sight.
  await page.getByRole('option', { name: /sw-1: Switch link down/ }).waitFor({ state: 'attached' });
  await other.scrollIntoViewIfNeeded();
  await page.getByRole('option', { name: /sw-1: Switch link down/ }).click();
  await beside.getByText('Same group').waitFor();
  await beside.getByText('Raw', { exact: true }).click();
  expect(await hindrancesOn(page)).toEqual([]);
  await beside.getByRole('button', { name: 'Acknowledge' }).click();
  await beside.getByText('open → acknowledged').waitFor();
  await beside.getByRole('button', { name: 'Close details' }).click();
  await beside.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).not.toContain('event=');
  await it.leave(page);
});

test('facets and the chart narrow the list, and filters that find nothing say so', async () => {
  const page = await it.onward('events');
  await page.getByText('127 events').first().waitFor();
  await page.getByRole('button', { name: /^Critical/ }).click();
  await page.getByText('2 events').first().waitFor();
  expect(new URL(page.url()).searchParams.get('severity')).toBe('critical');
  await page.getByPlaceholder('Search title, description or hostname').fill('no such words');
  await page
    .getByText(/No event/)
    .first()
    .waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await it.leave(page);
});

expectNoReports(it);
