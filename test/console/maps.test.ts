import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleOfTests } from './kit/open-console.ts';

/** Maps of an outage of 991 events on 500 CIs: every shape is named, and what is folded opens. */

const DISTRIBUTION = Array.from({ length: 9 }, (_, n) => `dist-${n}`);
const SERVERS = Array.from({ length: 490 }, (_, n) => `server-${n}`);
const SEVERITIES = ['critical', 'major', 'minor', 'warning'];
const CSV = { 'content-type': 'text/csv' };
const csv = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(',')).join('\n');

const it = consoleOfTests();
const paths = new Map<string, string>();
beforeAll(async () => {
  const { ask, app } = it;
  const switches = ['core', ...DISTRIBUTION].map((name) => [name, 'switch']);
  await ask(
    'POST',
    '/v1/cmdb/import/ci',
    csv([['name', 'type'], ...switches, ...SERVERS.map((n) => [n, 'server'])]),
    CSV,
  );
  const edges = [
    ...DISTRIBUTION.map((one) => ['depends_on', one, 'core']),
    ...SERVERS.map((one, n) => ['depends_on', one, `dist-${n % 9}`]),
  ];
  await ask('POST', '/v1/cmdb/import/relationships', csv([['type', 'source_ci', 'target_ci'], ...edges]), CSV);
  const from = app.ports.clock.now() - 60_000;
  const hosts = ['core', ...DISTRIBUTION, ...SERVERS, ...SERVERS, 'core'];
  const events = hosts.map((hostname, n) => ({
    sourceId: `${n}`,
    hostname,
    severity: n < 10 ? 'critical' : SEVERITIES[(n * 7) % 4],
    title: n < 500 ? 'Host not reachable' : `Agent of ${hostname} does not answer`,
    timestamp: new Date(from + n * 30).toISOString(),
  }));
  for (let n = 0; n < events.length; n += 100)
    await ask('POST', '/api/events/bulk-ingest', { source: 'zabbix', events: events.slice(n, n + 100) });
  await app.idle();
  const [group] = (await ask('GET', '/api/events/groups')).groups;
  expect([group.eventCount, group.cis.count]).toEqual([991, 500]);
  const { data: cis } = await ask('GET', '/api/cmdb/ci?limit=100&search=server');
  const components = cis.slice(0, 90).map(({ _id }: { _id: string }) => ({ ci_id: _id }));
  const { data: service } = await ask('POST', '/api/services', { name: 'Shop', components });
  const [core] = (await ask('GET', '/api/cmdb/ci?search=core')).data;
  paths
    .set('group', `groups/${group.correlationId}`)
    .set('impact', `topology?ci=${core._id}&mode=impact`)
    .set('neighbors', `topology?ci=${core._id}&hops=2`)
    .set('service', `services/${service.id}`);
}, 120_000);

interface LabelBox {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}
interface DrawnShape {
  data(name: 'size'): number;
  data(name: string): string;
  renderedBoundingBox(options: object): LabelBox;
  emit(event: string): void;
}
/** A place with a map of cytoscape in it. */
interface DrawnMap {
  readonly _cyreg: { readonly cy: { zoom(): number; nodes(): { map<T>(of: (shape: DrawnShape) => T): T[] } } };
}
const placeOf = (page: Page) => page.locator('div:has(> canvas), div:has(> div > canvas)').first();

/** Names of the map with their boxes, once they are placed. */
const namesOn = async (page: Page) => {
  await page.locator('canvas').first().waitFor();
  await page.waitForFunction(() => {
    const place = [...document.querySelectorAll('div')].find((one) => '_cyreg' in one);
    return (place as unknown as DrawnMap | undefined)?._cyreg.cy
      .nodes()
      .map((shape) => shape.data('shown'))
      .some(Boolean);
  });
  return placeOf(page).evaluate((place) => {
    const { cy } = (place as unknown as DrawnMap)._cyreg;
    const box = { includeNodes: false, includeEdges: false, includeOverlays: false };
    return cy.nodes().map((shape) => ({
      name: shape.data('name'),
      shown: shape.data('shown'),
      px: shape.data('size') * cy.zoom(),
      box: shape.renderedBoundingBox(box),
    }));
  });
};
type ShownName = Awaited<ReturnType<typeof namesOn>>[number];

const overlaps = (names: readonly ShownName[]): string[] =>
  names.flatMap((a, at) =>
    names.slice(at + 1).flatMap((b) => {
      const meets = a.box.x1 < b.box.x2 && b.box.x1 < a.box.x2 && a.box.y1 < b.box.y2 && b.box.y1 < a.box.y2;
      return meets ? [`${a.shown} / ${b.shown}`] : [];
    }),
  );
const expectReadable = (names: readonly ShownName[]): void => {
  expect(names.length).toBeLessThanOrEqual(60);
  expect(names.filter(({ shown }) => shown === '').map(({ name }) => name)).toEqual([]);
  expect(Math.min(...names.map(({ px }) => px))).toBeGreaterThanOrEqual(10.99);
  expect(overlaps(names)).toEqual([]);
};
const tap = (page: Page, name: string): Promise<void> =>
  placeOf(page).evaluate((place, wanted) => {
    const shapes = (place as unknown as DrawnMap)._cyreg.cy.nodes();
    shapes.map((shape) => shape.data('name') === wanted && shape.emit('tap'));
  }, name);
/** CIs that the names stand for. */
const counted = (names: readonly ShownName[]): number =>
  names.reduce((sum, { name }) => sum + (/^[\d,]+ /.test(name) ? Number.parseInt(name.replace(',', ''), 10) : 1), 0);

test('the map of a group counts all of its CIs; what is folded opens, and closes again', async () => {
  const page = await it.signedIn(paths.get('group'));
  const small = await namesOn(page);
  expectReadable(small);
  expect([counted(small), small.map(({ name }) => name)]).toEqual([
    500,
    expect.arrayContaining(['core', '9 switches']),
  ]);
  await tap(page, '9 switches');
  await page.getByRole('button', { name: 'Collapse' }).waitFor();
  const opened = await namesOn(page);
  expect(opened.map(({ name }) => name)).toEqual(expect.arrayContaining(DISTRIBUTION));
  expect([counted(opened), overlaps(opened.filter(({ shown }) => shown !== ''))]).toEqual([500, []]);
  await page.getByRole('button', { name: 'Collapse' }).click();
  expect(await namesOn(page)).toHaveLength(small.length);
  await page.getByRole('region', { name: 'Impact map' }).getByRole('button', { name: 'Expand' }).click();
  await page.waitForFunction((least) => {
    const place = [...document.querySelectorAll('div')].find((one) => '_cyreg' in one);
    return ((place as unknown as DrawnMap | undefined)?._cyreg.cy.nodes().map(Boolean).length ?? 0) > least;
  }, small.length);
  const large = await namesOn(page);
  expectReadable(large);
  expect([counted(large), large.length > 20]).toEqual([500, true]);
  await it.leave(page);
}, 120_000);

test.each(['impact', 'neighbors', 'service'])(
  'every shape of the map of %s is named',
  async (kind) => {
    const page = await it.onward(paths.get(kind) ?? '');
    expectReadable(await namesOn(page));
    await it.leave(page);
  },
  120_000,
);
