import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/setup/until.ts';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports } from './kit/open-console.ts';

/** The page of one group, part by part; `storm.test.ts` covers its keys. */

const HOUR = 3_600_000;
const sensor = (n: number, at: number) => ({
  source: 'curl',
  sourceId: `sensor-${n}`,
  severity: 'minor',
  title: `Sensor ${n} reads too much`,
  hostname: `sensor-${n}`,
  timestamp: new Date(at).toISOString(),
});

const it = consoleOfTests();
let page: Page;
let id = '';
beforeAll(async () => {
  const now = it.app.ports.clock.now();
  for (let n = 8; n > 0; n--) await it.ask('POST', '/api/events/ingest', sensor(n, now - (n + 2) * HOUR));
  await furnishInfrastructure(it, now);
  // Too late to be compared with later ones.
  for (let n = 9; n <= 18; n++) await it.ask('POST', '/api/events/ingest', sensor(n, now - (n + 2) * HOUR));
  const stranger = { source: 'curl', sourceId: 'x', severity: 'minor', title: 'Toner is low', hostname: 'printer-9' };
  await it.ask('POST', '/api/events/ingest', { ...stranger, timestamp: new Date(now - 3 * HOUR).toISOString() });
  await it.app.idle();
  id = (await it.ask('GET', '/api/events/groups')).groups[0].correlationId;
  page = await it.signedIn(`groups/${id}`);
});
beforeEach(async () => {
  await page?.getByRole('heading', { level: 1, name: 'Switch link down' }).waitFor();
});

const group = async () => (await it.ask('GET', `/api/events/groups/${id}`)).group;
const tabs = () => page.getByRole('group', { name: 'Group sections' });
const openTab = (name: RegExp) => tabs().getByRole('button', { name }).click();

test('an investigation is shown check by check, with its conclusion', async () => {
  const panel = page.getByRole('region', { name: 'Investigation' });
  await panel.getByRole('button', { name: 'Investigate' }).click();
  await panel.getByText(/^Probable root cause: .*Switch link down.* confidence\.$/).waitFor();
  await panel
    .getByText(/CIs in the group depend on/)
    .first()
    .waitFor();
  await panel.getByText('Deciding observation').waitFor();
  expect(await panel.getByRole('list', { name: 'Checks' }).first().getByRole('listitem').count()).toBe(5);
  await panel.getByRole('button', { name: 'Investigate again' }).waitFor();
  expect(await panel.getByRole('link', { name: 'event 1' }).first().getAttribute('href')).toMatch(/events\?event=EVT-/);
});

test('advice of users comes first, beside similar incidents with their outcome', async () => {
  const similar = {
    correlationId: 'COR-1-abc',
    likeness: 0.8,
    at: new Date(it.app.ports.clock.now() - 50 * HOUR).toISOString(),
    title: 'Link down',
    subject: 'sw-1',
    durationSeconds: 1_860,
    by: 'Ann',
    note: 'Replaced the SFP',
  };
  await page.route('**/groups/*/similar', (route) => route.fulfill({ json: { success: true, similar: [similar] } }));
  const refs = { history: [], hypothesis: [], actions: [[], []] };
  const claims = ['fact', 'fact', 'fact', 'possible'].map((certainty) => ({ text: '', refs: [], certainty }));
  const recommendedActions = ['Runbook: https://wiki.example.com/link ask Ann', 'Check the cable.'];
  const aiAnalysis = { eventId: 'EVT-1', recommendedActions, refs, claims, citations: [] };
  await page.route(`**/api/events/groups/${id}`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, group: { ...body.group, aiAnalysis } } });
  });
  await page.reload();
  const advice = page.getByRole('region', { name: 'Advice' });
  const link = advice.getByRole('link', { name: 'https://wiki.example.com/link' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  await advice.getByText('Check the cable. (general advice)').waitFor();
  const past = page.getByRole('region', { name: 'Similar incidents' });
  expect(await past.getByRole('link', { name: 'sw-1: Link down' }).getAttribute('href')).toMatch(/groups\/COR-1-abc$/);
  await past.getByText(/lasted 31m · by Ann · 80% alike/).waitFor();
  await past.getByText('Replaced the SFP').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.unrouteAll();
});

test('its parts are there at once: cause, map, timeline, members', async () => {
  await page.getByText(/Explains 4 CIs/).waitFor();
  const why = page.getByRole('region', { name: 'Probable root cause' });
  expect(await why.getByRole('link').getAttribute('href')).toMatch(/\/cis\/\w+$/);
  await page.getByText('5 CIs').waitFor();
  await page.getByRole('region', { name: 'Events by CI' }).getByRole('button', { name: 'sw-1' }).waitFor();
  await page
    .getByRole('region', { name: 'Now' })
    .getByRole('link', { name: /Switch link down/ })
    .waitFor();
  await page
    .getByRole('grid', { name: 'Events' })
    .getByRole('row', { name: /PostgreSQL/ })
    .waitFor();
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 1_280, height: 720 });
  await page.getByRole('columnheader', { name: 'First seen' }).waitFor();
  await page.setViewportSize(size);
  expect(await hindrancesOn(page)).toEqual([]);
});

test('the map is also a list, and what is chosen there is shown among the members', async () => {
  const map = page.getByRole('region', { name: 'Impact map' });
  await map.getByRole('button', { name: 'List' }).click();
  await map.getByRole('button', { name: /app-1 application/ }).click();
  await map.getByRole('link', { name: 'app-1' }).waitFor();
  const canvas = async () => (await map.boundingBox())!.height;
  const before = await canvas();
  await map.getByRole('button', { name: 'Expand' }).click();
  expect(await canvas()).toBeGreaterThan(before * 1.3);
  expect(await violationsInThemes(page)).toEqual([]);
  await map.getByRole('button', { name: 'Map' }).click();
  await map.getByRole('button', { name: 'Collapse' }).click();
  await map.locator('canvas').first().waitFor();
});

test('two members are chosen, and what joins them is explained', async () => {
  await openTab(/Why grouped/);
  await page.getByText('Select two events').waitFor();
  for (const [label, name] of [
    ['Event 1', 'db-1: PostgreSQL unreachable'],
    ['Event 2', 'sw-1: Switch link down'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name }).click();
  }
  await page.getByText('Same group').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
});

test('of an event outside it says why it is not here', async () => {
  await openTab(/Why not/);
  await page.getByText('Select an event').waitFor();
  await page.getByRole('textbox', { name: 'Event outside this group' }).fill('toner');
  await page.getByRole('button', { name: /printer-9: Toner is low/ }).click();
  const { events } = await it.ask('GET', '/api/events?view=row');
  const [stranger, cause] = ['Toner is low', 'Switch link down'].map(
    (title) => events.find((event: { title: string }) => event.title === title).eventId,
  );
  const { strategies } = await it.ask('GET', `/api/events/${stranger}/explain?with=${cause}`);
  for (const { reason } of strategies as { reason: string }[])
    await page.getByText(reason, { exact: true }).first().waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Event outside this group' }).fill('nothing like it');
  await page.getByText('No matching events').waitFor();
});

test('a note is written, a verdict given, and both are in the history', async () => {
  await openTab(/Notes/);
  await page.getByText('No notes yet.').waitFor();
  // The timeline arrives in parts, of a length that this group has.
  await page.route('**/timeline*', (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=2') }),
  );
  await page.getByRole('textbox', { name: 'New note' }).fill('The switch is being replaced');
  await openTab(/Raw/);
  expect(new URL(page.url()).searchParams.get('tab')).toBe('raw');
  await openTab(/Notes/);
  expect(await page.getByRole('textbox', { name: 'New note' }).inputValue()).toBe('The switch is being replaced');
  await page.getByRole('button', { name: 'Add note' }).click();
  await tabs().getByRole('button', { name: 'Notes 1' }).waitFor();
  // It is in the notes, and is the newest in the timeline.
  await openTab(/Timeline/);
  const happened = page.getByRole('list', { name: 'Group timeline' });
  await happened.getByRole('listitem').first().getByText('The switch is being replaced').waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  const next = happened.getByRole('button', { name: 'Load earlier' });
  await next.waitFor();
  expect(await happened.locator('time').count()).toBe(2);
  await next.click();
  await until(async () => (await happened.locator('time').count()) > 2);
  await page.getByRole('button', { name: 'Oldest first' }).click();
  await happened.getByRole('listitem').first().getByText('began', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('timeline')).toBe('oldest');
  await page.unroute('**/timeline*');
  await page.getByRole('button', { name: 'Yes, correct root cause' }).click();
  await page.getByText(': root cause correct').waitFor();
  await page.getByRole('button', { name: 'No, wrong root cause' }).click();
  const asked = page.getByRole('dialog', { name: 'Root cause verdict' });
  await asked.getByRole('radio').nth(1).check();
  const named = await asked.getByRole('radio', { checked: true }).inputValue();
  expect(await hindrancesOn(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/: root cause wrong, should be “.+”/).waitFor();
  expect((await group()).verdict).toMatchObject({ cause: 'wrong', rootEventId: named });
  await page.getByRole('button', { name: 'Yes, correct root cause' }).click();
  await page.getByText(': root cause correct').waitFor();
  expect(await group()).toMatchObject({
    verdict: { cause: 'right' },
    notes: [{ text: 'The switch is being replaced' }],
  });
  await page
    .getByRole('group', { name: 'Timeline entries' })
    .getByRole('button', { name: /User actions/ })
    .click();
  for (const text of ['Administrator added a note', 'Administrator gave a verdict'])
    await page.getByText(text).first().waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
  await openTab(/Review/);
  await page.getByText('Time to acknowledge').waitFor();
  await page.getByRole('list', { name: 'Course' }).getByText('The switch is being replaced').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Markdown' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${id}.md`);
  expect(await hindrancesOn(page)).toEqual([]);
  await openTab(/Raw/);
  await page.getByText('"correlationId"').or(page.getByText('correlationId')).first().waitFor();
  expect(await hindrancesOn(page)).toEqual([]);
});

test('it is taken, given up, resolved with a reason, and all of it taken back', async () => {
  await page.getByRole('button', { name: /^Assign to me/ }).click();
  await page.getByText('Assigned to Administrator').first().waitFor();
  await page.getByRole('button', { name: 'Unassign' }).click();
  await page.getByText('Unassigned').first().waitFor();
  await page.getByRole('button', { name: /^Resolve/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Resolve “[\w.-]+: Switch link down”$/ });
  await dialog.getByRole('textbox', { name: 'Resolution notes' }).fill('Replaced');
  expect(await violationsInThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('5 events resolved').waitFor();
  expect(await group()).toMatchObject({ status: 'resolved', assignedTo: null });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await group()).toMatchObject({ status: 'active' });
});

test('dialogs of merging and splitting keep WCAG, and can be left', async () => {
  await openTab(/^Events/);
  await page.getByRole('button', { name: /^Merge/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Merge with' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true);
  expect(await violationsInThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const members = page.getByRole('grid', { name: 'Events' });
  await members.getByRole('checkbox', { name: /HTTP 503/ }).click();
  await page.getByRole('region', { name: 'Group details' }).getByRole('button', { name: 'Split', exact: true }).click();
  await dialog.getByText('is removed from this group').waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  const why = dialog.getByRole('textbox', { name: 'Reason' });
  expect(await why.evaluate((field) => [field === document.activeElement, field.matches(':required')])).toEqual([
    true,
    true,
  ]);
  await why.fill('  ');
  expect(await dialog.getByRole('button', { name: 'Split' }).isDisabled()).toBe(true);
  // A click outside does not discard typed text.
  await page.mouse.click(20, 700);
  expect(await why.inputValue()).toBe('  ');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Move to group…' }).click();
  await dialog.getByRole('textbox', { name: 'Move to' }).waitFor();
  expect(await violationsInThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await group()).eventCount).toBe(5);
});

test('a ticket is copied as text, Markdown, link and curl', async () => {
  await it.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: it.url });
  for (const [item, part] of [
    ['As plain text', 'Switch link down'],
    ['As Markdown', '### CRITICAL: sw-1: Switch link down'],
    ['Link', `${it.url}/ui/groups/${id}`],
    ['As curl', `curl `],
    ['Group ID', id],
  ] as const) {
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(part);
  }
});

interface Explained {
  readonly refusedReason: string | null;
  readonly notCompared: { readonly cause: string; readonly reason: string } | null;
  readonly strategies: readonly { readonly reason: string }[];
}
/** Returns the server's reason for the separation of the two. */
const keptApart = ({ refusedReason, notCompared, strategies }: Explained): { kind: string; said: string[] } => {
  const fell = strategies.map(({ reason }) => reason);
  if (refusedReason !== null) return { kind: 'guard', said: [refusedReason, ...fell] };
  if (notCompared === null) return { kind: 'strategies', said: fell };
  return { kind: notCompared.cause, said: [notCompared.reason.replace('not compared: ', ''), ...fell] };
};

test('of 20 events outside it names the strategies that fell short, the guard, or why they were never compared', async () => {
  const { events } = await it.ask('GET', '/api/events?view=row&limit=100');
  type Row = { readonly eventId: string; readonly title: string; readonly hostname: string };
  const of = (title: RegExp): Row[] => events.filter((event: Row) => title.test(event.title));
  const [split, sensors] = [of(/Response time/), of(/^Sensor/)];
  const eventIds = split.map(({ eventId }) => eventId);
  await it.ask('POST', `/api/events/groups/${id}/split`, { eventIds, reason: 'another fault' });
  await it.app.idle();
  await openTab(/Why not/);
  await page.reload();
  const cause = of(/Switch link down/)[0]!.eventId;
  const kinds = new Map<string, number>();
  for (const { eventId, title, hostname } of [...split, ...sensors]) {
    await page.getByRole('textbox', { name: 'Event outside this group' }).fill(`${title} ${hostname}`);
    await page.getByRole('button', { name: `${hostname}: ${title}` }).click();
    const shown = page.getByRole('region', { name: 'Explanation' });
    await shown.getByText(`${hostname}: ${title}`).waitFor();
    const { kind, said } = keptApart(await it.ask('GET', `/api/events/${eventId}/explain?with=${cause}`));
    for (const text of said) await shown.getByText(text).first().waitFor();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  expect(Object.fromEntries(kinds)).toEqual({ guard: 2, strategies: 8, late: 10 });
});

expectNoReports(it);
