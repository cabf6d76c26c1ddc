import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '#api/endpoints.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* No model is configured: each AI function answers from rules, and says what its answer stands on. */

let app: TestApp;
let token: string;
let ciId: string;
let lonely: string;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.tenant('bare');
  ciId = (await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' })).body.id;
  lonely = (await send('POST', '/v1/cmdb/ci', { name: 'bare-1', type: 'server' })).body.id;
  const web = (await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server' })).body.id;
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: web, target_ci: ciId });
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', timestamp: START };
  await send('POST', '/api/events/ingest', { ...event, hostname: 'db-1' });
});
afterAll(() => app.stop());

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  app.send(method, path, body, { token, headers });
const connection = { sourceServer: 'web-1', targetServer: 'db-1', port: 5432, protocol: 'tcp', frequency: 9 };

/** Endpoints that answer on evidence, with a request for each CI. */
const ASKED: Readonly<Record<string, (ci: string) => readonly [method: string, path: string, body?: object]>> = {
  'insights.get': (ci) => ['GET', `/api/cmdb-ai/insights/${ci}`],
  'insights.create': (ci) => ['POST', `/api/cmdb-ai/insights/${ci}`],
  'ai-relationships.analyze': (ci) => [
    'POST',
    `/api/cmdb/ai-relationships/analyze/${ci}`,
    { networkConnections: [connection] },
  ],
  'changes.analyze': (ci) => ['POST', '/api/change-analysis/analyze', { ciId: ci, changeType: 'restart' }],
  'changes.quick-assess': (ci) => ['POST', '/api/change-analysis/quick-assess', { ciId: ci, changeType: 'restart' }],
};

test('every endpoint of the AI surface that answers on evidence is asked', () => {
  const onEvidence = endpoints.filter(({ mounts }) =>
    mounts.some(({ on, reply }) => on === 'ai' && 'generatedBy' in ((reply as { shape?: object }).shape ?? {})),
  );
  expect(onEvidence.map(({ id }) => id).sort()).toEqual(Object.keys(ASKED).sort());
});

const asked = Object.entries(ASKED).flatMap(([id, request]) =>
  ['known', 'lonely'].map((which) => ({ id, which, request })),
);

test.each(asked)('$id answers for a $which CI', async ({ which, request }) => {
  const [method, path, body] = request(which === 'known' ? ciId : lonely);
  const reply = await send(method, path, body);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(300);
  expect(reply.body).toMatchObject({ success: true, generatedBy: 'rules', model: null });
  const { abstained, citations } = reply.body;
  expect(abstained || citations.length > 0).toBe(true);
  for (const { href } of citations)
    if (href !== '') expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
});

test.each(asked)(
  '$id of a $which CI says that no model was wanted, or that there is none',
  async ({ which, request }) => {
    const [method, path, body] = request(which === 'known' ? ciId : lonely);
    expect((await send(method, path, body, { 'x-ai-mode': 'rules' })).status).toBeLessThan(300);
    const wanted = await send(method, path, body, { 'x-ai-mode': 'model' });
    // What is shown as it was stored asks no model.
    if (method !== 'GET') expect([wanted.status, wanted.body.error.code]).toEqual([503, 'INTERNAL_ERROR']);
  },
);
