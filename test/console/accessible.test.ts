import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violationsInThemes } from './kit/axe.ts';
import { hindrancesOn } from './kit/fit.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { goWithin, openConsole, type TestConsole } from './kit/open-console.ts';

// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
let page: Page | undefined;
beforeAll(async () => {
  it = await openConsole();
  if (it === null) return;
  const now = it.app.ports.clock.now();
  await furnishInfrastructure(it, now);
  const { data } = await it.ask('GET', '/api/cmdb/ci?limit=2');
  const [source, target] = data.map(({ _id }: { _id: string }) => _id);
  await it.ask('POST', '/api/cmdb/ai-relationships', { source, target, type: 'connects_to', confidence: 0.8 });
  const silence = { matcher: { ciId: source }, endsAt: new Date(now + 3_600_000).toISOString(), reason: 'New disks' };
  await it.ask('POST', '/api/events/silences', silence);
});
afterAll(() => it?.close());

test('the entrance keeps WCAG 2.2 AA in both themes', async () => {
  if (it === null) return;
  const entrance = await it.tab();
  await entrance.getByRole('textbox', { name: 'Username' }).waitFor();
  expect(await violationsInThemes(entrance)).toEqual([]);
  await entrance.close();
});

/**
 * Address below `ui/`, heading, and a text that shows that its data is there; other pages are checked by their own
 * tests.
 */
const PAGES = [
  ['home', 'Home', 'Switch link down'],
  ['inbox', 'Inbox', 'Notification rules'],
  ['noise', 'Noise', 'Switch link down'],
  ['groups', 'Groups', 'Switch link down'],
  ['events', 'Events', 'PostgreSQL unreachable'],
  ['silences', 'Silences', 'New disks'],
  ['cis', 'CIs', 'db-1'],
  ['topology', 'Topology', 'Select a CI to start'],
  ['landscape', 'Landscape', 'db-1'],
  ['services', 'Services', 'No services yet'],
  ['import', 'Import', 'Column reference'],
  ['discovery', 'Discovery', 'No scans yet'],
  ['discovery?tab=proposals', 'Discovery', '80%'],
  ['tuning', 'Tuning', 'Minimum score'],
  ['admin/on-call', 'On call', 'No teams yet'],
  ['me', 'Administrator', 'Appearance'],
] as const;

test.each(PAGES)(
  '%s keeps WCAG 2.2 AA in both themes, and needs no sideways scrolling at 320 px',
  async (path, heading, text) => {
    if (it === null) return;
    page ??= await it.signedIn();
    await goWithin(page, path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText(text).first().waitFor();
    expect(await hindrancesOn(page)).toEqual([]);
  },
);
