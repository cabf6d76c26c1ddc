import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type App, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';
import { distributed } from './distributed.ts';

/* Two processes of one service. Their clocks are fixed, so that nothing expires by age. */

let api: TestApp;
let worker: App;
let token: string;
beforeAll(async () => {
  api = await openTestApp({ FAULTLINE_ROLE: 'api' });
  const config = { PORT: '0', FAULTLINE_LOG_LEVEL: 'silent', FAULTLINE_ROLE: 'worker', FAULTLINE_PROCESSORS: 'enrich' };
  worker = await start(readConfig({ ...distributed.env, ...config }), { clock: api.clock });
  token = await api.tenant('acme');
}, 60_000);
afterAll(() => Promise.all([worker.stop(), api.stop()]));

const send = async (method: string, path: string, body?: unknown) =>
  (await api.send(method, path, body, { token })).body;
const ci = async (name: string): Promise<string> => (await send('POST', '/v1/cmdb/ci', { name, type: 'server' })).id;
const around = async (id: string) => (await worker.ports.graph.around('acme', id, START))?.near.map((near) => near.ci);
const bound = async (hostname: string) => (await worker.ports.matcher.bind('acme', [{ hostname }]))[0]?.ci?.id;

/**
 * Polls until the answer is this one: the clocks stand, so that it changes only if the other process has published the
 * change.
 */
const becomes = (answer: unknown, ask: () => Promise<unknown>): Promise<void> =>
  until(async () => isDeepStrictEqual(await ask(), answer));

test('what one process changes, the caches of the other soon know', async () => {
  const [app, db] = [await ci('app-1'), await ci('db-1')];
  await becomes(db, () => bound('db-1'));
  expect(await around(app)).toEqual([]);
  expect(await bound('web-1')).toBeUndefined();

  const edge = { type: 'depends_on', source_ci: app, target_ci: db };
  const { id } = await send('POST', '/v1/cmdb/relationships', edge);
  await becomes([db], () => around(app));
  const web = await ci('web-1');
  await becomes(web, () => bound('web-1'));
  await api.app.ports.relationships.remove('acme', id, START + 1);
  await becomes(false, async () => (await worker.ports.graph.around('acme', app, START + 1))?.hasRelationships);
});
