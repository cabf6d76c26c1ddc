import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const TEN_MIB = 10 * 1_024 * 1_024;
const storm = JSON.stringify({ alerts: 'x'.repeat(TEN_MIB) });

test.each([
  ['/api/events/webhook/alertmanager', 'prometheus'],
  ['/api/events/bulk-ingest', 'bulk-ingest'],
])('a storm that %s refuses for its size is seen where people look', async (path, source) => {
  const token = await app.tenant(`storm-${source}`);
  const refused = await app.send('POST', path, storm, { token });
  expect([refused.status, refused.body.message]).toEqual([413, expect.stringMatching(/10485760 bytes.*max_alerts/)]);
  const rejected = await app.send('GET', '/api/admin/rejected', undefined, { token });
  expect(rejected.body.data).toMatchObject([
    { source, kind: 'too_large', index: null, payload: '', error: expect.stringContaining('10485760') },
  ]);
  const { data } = (await app.send('GET', '/api/admin/sources', undefined, { token })).body;
  const counted = data.find(({ name }: { name: string }) => name === source);
  if (source === 'prometheus') expect(counted).toMatchObject({ rejected24h: 1 });
  const metrics = (await app.send('GET', '/metrics')).body as string;
  expect(metrics).toMatch(new RegExp(`faultline_webhook_rejected_total\\{source="${source}"\\} 1`));
});
