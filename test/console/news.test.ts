import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focusList } from './kit/focus.ts';
import { furnishInfrastructure } from './kit/infrastructure.ts';
import { consoleOfTests, expectNoReports } from './kit/open-console.ts';

/** Unrequested announcements: live changes, new critical groups, completed actions. */

const it = consoleOfTests();
beforeAll(async () => {
  await furnishInfrastructure(it, it.app.ports.clock.now());
  await it.context.clock.install();
});

const told = (page: Page) => page.getByRole('status', { name: 'Notifications' });
/**
 * News are announced at most every 10 s: the time of the pages advances meanwhile, in steps that the stream does not
 * mistake for silence.
 */
const toldIn = async (tabs: readonly Page[], text: RegExp): Promise<void> => {
  const waits = Promise.all(tabs.map((tab) => told(tab).getByText(text).waitFor())).then(() => true);
  const soon = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 250));
  while (!(await Promise.race([waits, soon()]))) await it.context.clock.fastForward(3_000);
};
let serial = 0;
/**
 * Two events joined by a user, at a time without other events. They are as severe as that only in their group: by
 * themselves they would be news before it is made.
 */
const newGroup = async (severity: string, title: string): Promise<void> => {
  const n = ++serial;
  const timestamp = new Date(it.app.ports.clock.now() - n * 2 * 3_600_000).toISOString();
  const send = (as: string) =>
    it.ask('POST', '/api/events/bulk-ingest', {
      source: 'curl',
      events: [1, 2].map((part) => ({
        sourceId: `${n}-${part}`,
        severity: as,
        title,
        timestamp,
        hostname: `alone-${n}-${part}`,
      })),
    });
  const made = await send('minor');
  const [primaryEventId, other] = made.results.success.map(({ eventId }: { eventId: string }) => eventId);
  await it.ask('POST', '/api/events/correlate', { primaryEventId, relatedEventIds: [other] });
  if (severity !== 'minor') await send(severity);
};
const opened = async (path: string): Promise<Page> => {
  const page = await it.signedIn(path);
  await page.locator('[role=status][data-kind=live]').waitFor();
  return page;
};

test('a new critical group is announced politely, also beside what is new in a list', async () => {
  const page = await opened('me');
  await newGroup('critical', 'Cooling stopped');
  await toldIn([page], /^New critical problem: alone-\d-\d: Cooling stopped/);
  const other = await opened('groups');
  await newGroup('minor', 'Lamp is dark');
  await newGroup('critical', 'Water in the room');
  // At the same time: the next message replaces it.
  await toldIn([page, other], /^New critical problem: alone-\d-\d: Water in the room/);
  await it.leave(other);
  await it.leave(page);
});

test('it sounds in one of two tabs, for those who want it', async () => {
  await it.context.addInitScript(() => {
    const kept = globalThis as unknown as { sounds: number };
    kept.sounds = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) {
      kept.sounds += 1;
      start.call(this, at);
    };
  });
  const one = await opened('me');
  await one.getByRole('switch', { name: 'Play a sound for new critical problems' }).click();
  const other = await opened('groups');
  const tabs = [one, other];
  await newGroup('critical', 'Smoke in the room');
  await toldIn(tabs, /^New critical problem: alone-\d-\d: Smoke in the room/);
  const sounds = (tab: Page) =>
    tab.evaluate(async () => {
      // Locks are given in turn: behind this one the tab knows whether the sound was its own.
      await navigator.locks.request('behind', () => undefined);
      return (globalThis as unknown as { sounds: number }).sounds;
    });
  // Two tones.
  await Promise.any(
    tabs.map((tab) => tab.waitForFunction(() => (globalThis as unknown as { sounds: number }).sounds === 2)),
  );
  expect((await Promise.all(tabs.map(sounds))).toSorted()).toEqual([0, 2]);
  for (const tab of tabs) await it.leave(tab);
});

test('what waits in a list is announced', async () => {
  const page = await opened('events');
  await page.getByRole('row', { name: /PostgreSQL unreachable/ }).waitFor();
  await focusList(page);
  await it.ask('POST', '/api/events/ingest', {
    source: 's',
    sourceId: 'news',
    severity: 'minor',
    title: 'Fan is slow',
    hostname: 'fan-1',
  });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await told(page).getByText('1 new. Press . to show them.').waitFor();
  await page.keyboard.press('.');
  await page.getByRole('row', { name: /Fan is slow/ }).waitFor();
  await it.leave(page);
});

test('what was done is said in a polite region', async () => {
  const page = await opened('groups');
  await page.getByRole('row', { name: /Switch link down/ }).waitFor();
  await focusList(page);
  await page.keyboard.press('i');
  const message = page.locator('.mantine-Notification-root').getByText('Assigned to Administrator');
  await message.waitFor();
  const polite = await message.evaluate((text) => [
    text.closest('[aria-live]')?.getAttribute('aria-live'),
    text.closest('[role=alert]'),
  ]);
  expect(polite).toEqual(['polite', null]);
  await it.leave(page);
});

expectNoReports(it);
