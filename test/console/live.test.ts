import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { furnishEstate } from './kit/estate.ts';
import { openConsole, signIn, startServer, type TestConsole } from './kit/open-console.ts';

const SECOND = 1_000;
// Browsers are slow on a machine that does much else.
jest.setTimeout(120_000);

let it: TestConsole | null;
beforeAll(async () => {
  it = await openConsole();
  if (it !== null) await furnishEstate(it, it.app.ports.clock.now());
});
afterAll(() => it?.close());

const badge = (page: Page, kind: string) => page.locator(`[role=status][data-kind=${kind}]`);
const event = (n: number) => ({
  source: 's',
  sourceId: `${n}`,
  severity: 'critical',
  title: `Fan ${n} failed`,
  hostname: `h-${n}`,
});
/** A list does not move under its reader: what is new is counted until it is taken in. */
const told = (page: Page, count: number) =>
  page
    .getByText(new RegExp(`^${count} new$|^Fan ${count} failed$`))
    .first()
    .waitFor();
const took = async (work: Promise<unknown>): Promise<number> => {
  const at = performance.now();
  await work;
  return performance.now() - at;
};

describe('eight tabs', () => {
  test('have one stream, and all of them show what changes', async () => {
    if (it === null) return;
    const streams: string[] = [];
    it.context.on('request', (request) => {
      if (request.url().includes('/sse/changes')) streams.push(request.url());
    });
    const first = await it.signedIn('events');
    const { signedIn } = it;
    const tabs = [first, ...(await Promise.all(Array.from({ length: 7 }, () => signedIn('events'))))];
    await Promise.all(tabs.map((page) => badge(page, 'live').waitFor()));
    expect(streams).toHaveLength(1);
    await Promise.all(tabs.map((page) => page.getByText('Switch link down').first().waitFor()));
    await it.ask('POST', '/api/events/ingest', event(1));
    await Promise.all(tabs.map((page) => told(page, 1)));
    // The tab with the stream goes; another one takes it over.
    await tabs[0]!.close();
    await it.ask('POST', '/api/events/ingest', event(2));
    await told(tabs[7]!, 2);
    expect(streams.length).toBeLessThanOrEqual(2);
    for (const page of tabs.slice(1)) await page.close();
  });
});

describe('a server that stops and comes back', () => {
  test('is told when the stream was lost for 5 s, and the page is live within 5 s after it is back, without being loaded again', async () => {
    if (it === null) return;
    const folder = mkdtempSync(join(tmpdir(), 'faultline-'));
    const first = await startServer({ FAULTLINE_DATA: folder });
    const { port } = new URL(first.url);
    const page = await it.context.newPage();
    await page.goto(`${first.url}/ui/events`);
    await signIn(page);
    await badge(page, 'live').waitFor();
    await page.evaluate(() => Object.assign(window, { isSame: true }));

    await first.stop();
    const stale = await took(badge(page, 'stale').waitFor());
    const second = await startServer({ FAULTLINE_DATA: folder, PORT: port });
    const live = await took(badge(page, 'live').waitFor());
    process.stderr.write(
      `console: stale ${stale.toFixed(0)} ms after a stop, live ${live.toFixed(0)} ms after the start\n`,
    );
    expect([stale <= 5 * SECOND, live <= 5 * SECOND]).toEqual([true, true]);
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);

    const token = 'bootstrap-token-of-the-tests';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${second.url}/api/events/ingest`, { method: 'POST', headers, body: JSON.stringify(event(1)) });
    await told(page, 1);
    await page.close();
    await second.stop();
    rmSync(folder, { recursive: true });
  });
});

test('nothing was blocked by the policy, and no script has failed', () => {
  if (it === null) return;
  expect(it.reports).toEqual({ policy: [], errors: [] });
});
