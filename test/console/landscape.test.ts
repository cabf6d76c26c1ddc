import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DECIDED_MS } from '#application/operations/paced.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { pause } from '#infra/wait.ts';
import { hindrancesOn } from './kit/fit.ts';
import { consoleOfTests } from './kit/open-console.ts';

const CIS = 10_000;
const SITES = 8;
const RACKS = 20;
/** Boxes of a page, with those around others. */
const MAX_DRAWN = 1_200;

const it = consoleOfTests();
let page: Page;

const ciOf = (at: number, n: number): Ci => ({
  tenant: 'default',
  id: `ci-${String(n).padStart(5, '0')}`,
  name: `host-${n}`,
  type: n % 5 === 0 ? 'switch' : 'server',
  status: 'active',
  attributes: {
    hostname: `host-${n}`,
    ...(n % 100 === 7 ? {} : { site: `site-${n % SITES}`, rack: `r${Math.floor(n / SITES) % RACKS}` }),
  },
  customFields: {},
  createdAt: at,
  updatedAt: at,
  createdBy: 'test',
  updatedBy: 'test',
  revision: 1,
});

beforeAll(async () => {
  const now = it.app.ports.clock.now();
  await it.app.ports.cis.put(
    'default',
    Array.from({ length: CIS }, (_, n) => ciOf(now, n)),
  );
  const events = [
    ['host-3', 'critical'],
    ['host-11', 'major'],
  ].map(([hostname, severity], n) => ({ sourceId: `${n}`, hostname, severity, title: 'Host down' }));
  await it.ask('POST', '/api/events/bulk-ingest', { source: 'curl', events });
  // A change that follows the events would make the page ask again.
  await pause(DECIDED_MS);
  await it.app.idle();
  page = await it.signedIn('events');
  await page.getByText('2 events', { exact: true }).waitFor();
}, 60_000);

const boxes = () => page.getByRole('list', { name: 'Boxes of the landscape' });

test('10,000 CIs are boxes of sites with racks by one request, the worst first', async () => {
  await page.getByRole('link', { name: 'Landscape' }).hover();
  const drawn = page.locator('[data-worst="critical"]');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/cmdb/landscape') && asked.push(request.url()));
  await page.getByRole('link', { name: 'Landscape' }).click();
  await drawn.first().waitFor();
  expect(asked).toHaveLength(1);
  await page.getByRole('status').filter({ hasText: '10,000 CIs, 2 with open events' }).waitFor();
  const [first] = await boxes().getByRole('listitem').allInnerTexts();
  expect(first?.replaceAll(/\s+/g, ' ')).toBe('Critical site-3 1,200 CIs, 2 with open events');
  expect(await page.locator('[data-frame]').count()).toBe(SITES);
  expect(await hindrancesOn(page)).toEqual([]);
});

test('names lie within their boxes, and boxes of one level do not overlap', async () => {
  const faults = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-worst], [data-frame]')];
    const frames = all.filter((one) => one.dataset.frame !== undefined).map((one) => one.getBoundingClientRect());
    const overlap = (a: DOMRect, b: DOMRect): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const small = all
      .flatMap((one) => [...one.querySelectorAll('span')])
      .filter((name) => Number.parseFloat(getComputedStyle(name).fontSize) < 11);
    return frames.filter((one, i) => frames.slice(i + 1).some((other) => overlap(one, other))).length + small.length;
  });
  expect(faults).toBe(0);
});

test('by keyboard: into a site and a rack, whose CIs are a map; the trail leads back', async () => {
  await boxes()
    .getByRole('button', { name: /site-3/ })
    .first()
    .focus();
  await page.keyboard.press('ArrowRight');
  await boxes().getByRole('button', { name: 'Boxes in site-3' }).press('Enter');
  await boxes()
    .getByRole('button', { name: /^Critical r0/ })
    .waitFor();
  await boxes()
    .getByRole('button', { name: /^Critical site-3/ })
    .press('Enter');
  await page.getByRole('status').filter({ hasText: '1,200 CIs' }).waitFor();
  await boxes()
    .getByRole('button', { name: /^Critical r0/ })
    .press('Enter');
  await page
    .getByRole('list', { name: 'Map as a list' })
    .getByRole('button', { name: /^Critical host-3 / })
    .waitFor();
  expect(new URL(page.url()).searchParams.get('path')).toBe('site-3,r0');
  expect(await hindrancesOn(page)).toEqual([]);
  await page
    .getByRole('navigation', { name: 'Location in the landscape' })
    .getByRole('button', { name: 'All CIs' })
    .click();
  await page.getByRole('status').filter({ hasText: '10,000 CIs' }).waitFor();
});

test('other levels: by type, each CI a box that leads to its page', async () => {
  page = await it.onward('landscape?levels=type');
  await page.getByRole('status').filter({ hasText: '10,000 CIs' }).waitFor();
  await page.locator('[data-frame]').first().waitFor();
  expect(await page.locator('[data-frame] ~ button, [data-frame]').count()).toBeLessThan(MAX_DRAWN);
  await boxes().getByRole('button', { name: 'Boxes in Server' }).click();
  await boxes()
    .getByRole('button', { name: /^Critical host-3 / })
    .click();
  await page.getByRole('heading', { level: 1, name: /host-3/ }).waitFor();
});
