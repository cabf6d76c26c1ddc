import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { holdFile } from '#test/setup/hold-file.ts';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests } from './kit/open-console.ts';

/**
 * Messages of the console while another program holds the file of the server, so that it cannot write accepted events.
 */

const directory = temporaryDirectory();
const it = consoleOfTests({ env: { FAULTLINE_DATA: directory.path } });
let page: Page;
beforeAll(async () => {
  page = await it.signedIn('me');
});
afterAll(() => directory.remove());

const readiness = async (): Promise<number> => (await fetch(`${it.url}/readyz`)).status;
/** Sends until the server reports that it is not ready. */
const filled = async (): Promise<void> => {
  for (let sent = 0; (await readiness()) !== 503; sent += 1) {
    expect(sent).toBeLessThan(200);
    const event = { source: 's', sourceId: `${sent}`, severity: 'major', title: 'Disk full', hostname: 'db-1' };
    await it.ask('POST', '/api/events/ingest', event).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

test('a store that takes no writes: what is not well, a countdown, and the events by themselves when it is well again', async () => {
  const release = await holdFile(directory.path);
  try {
    await filled();
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByText("Couldn't load events: the server is not ready").first().waitFor();
    await page
      .getByText(/Retrying in \d+s/)
      .first()
      .waitFor();
    const ill = page.getByRole('list', { name: 'Unhealthy components' }).first();
    await ill
      .getByText(/locked/)
      .first()
      .waitFor();
    expect(await hindrancesOn(page)).toEqual([]);
  } finally {
    release();
  }
  await page.getByRole('row').filter({ hasText: 'Disk full' }).first().waitFor();
  expect(await page.getByText('the server is not ready').count()).toBe(0);
});
