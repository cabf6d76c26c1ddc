import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type App, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { distributed } from './distributed.ts';

/* Two processes of one service. Their clocks stand still, so that nothing is seen by its age. */

const SOON_MS = 3_000;
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

/** The first answer that is another one than `before`, and how long it took. */
const nextAfter = async <T>(before: T, ask: () => Promise<T>): Promise<{ answer: T; tookMs: number }> => {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    const tookMs = performance.now() - began;
    if (JSON.stringify(answer) !== JSON.stringify(before) || tookMs > SOON_MS) return { answer, tookMs };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test('what one process changes, the caches of the other soon know', async () => {
  const [app, db] = [await ci('app-1'), await ci('db-1')];
  await nextAfter(undefined, () => bound('db-1'));
  expect(await around(app)).toEqual([]);
  expect(await bound('web-1')).toBeUndefined();

  const edge = { type: 'depends_on', source_ci: app, target_ci: db };
  const { id } = await send('POST', '/v1/cmdb/relationships', edge);
  const joined = await nextAfter([], () => around(app).then((near) => near ?? []));
  expect(joined.answer).toEqual([db]);
  const web = await ci('web-1');
  const known = await nextAfter(undefined, () => bound('web-1'));
  expect(known.answer).toBe(web);
  await api.app.ports.relationships.remove('acme', id, START + 1);
  const parted = await nextAfter(
    true,
    async () => (await worker.ports.graph.around('acme', app, START + 1))?.hasRelationships,
  );
  expect(parted.answer).toBe(false);
  for (const { tookMs } of [joined, known, parted]) expect(tookMs).toBeLessThan(SOON_MS);
});
