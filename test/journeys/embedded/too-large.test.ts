import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const TEN_MIB = 10 * 1_024 * 1_024;
const storm = JSON.stringify({ receiver: 'night shift', alerts: 'x'.repeat(TEN_MIB) });

const rejectedOf = async (token: string) =>
  (await app.send('GET', '/api/admin/rejected', undefined, { token })).body.data;

test.each([
  ['/api/events/webhook/alertmanager', 'prometheus'],
  ['/api/events/bulk-ingest', 'bulk-ingest'],
])('a storm that %s refuses for its size is seen where people look', async (path, source) => {
  const token = await app.tenant(`storm-${source}`);
  const refused = await app.send('POST', path, storm, { token });
  expect([refused.status, refused.body.message]).toEqual([413, expect.stringMatching(/10485760 bytes.*max_alerts/)]);
  const rejected = await rejectedOf(token);
  expect(rejected).toMatchObject([
    { source, kind: 'too_large', index: null, error: expect.stringContaining('10485760') },
  ]);
  // Its sender and subject are in its beginning.
  expect(rejected[0].payload).toMatch(/^"\{\\"receiver\\":\\"night shift\\",\\"alerts\\":\\"x+$/);
  expect(rejected[0].payload).toHaveLength(8_192);
  const { data } = (await app.send('GET', '/api/admin/sources', undefined, { token })).body;
  const counted = data.find(({ name }: { name: string }) => name === source);
  if (source === 'prometheus') expect(counted).toMatchObject({ rejected24h: 1 });
  const metrics = (await app.send('GET', '/metrics')).body as string;
  expect(metrics).toMatch(new RegExp(`faultline_webhook_rejected_total\\{source="${source}"\\} 1`));
});

const sent = async (
  token: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
) => {
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers }, body, duplex: 'half' };
  return (await fetch(app.url + path, init as RequestInit)).status;
};
const inPieces = () =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < storm.length; at += 65_536) controller.enqueue(Buffer.from(storm.slice(at, at + 65_536)));
      controller.close();
    },
  });

test.each([
  ['of unknown length', '/api/events/webhook/grafana', inPieces, {}],
  ['that is zipped', '/api/events/webhook/grafana', () => gzipSync(storm), { 'content-encoding': 'gzip' }],
  ['for a source that the tenant has mapped', '/api/events/webhook/own-monitor', () => storm, {}],
])('a storm %s', async (_, path, body, headers) => {
  const token = await app.tenant('storms');
  const mapping = { fields: { key: '$.id', title: '$.title' } };
  await app.send('PUT', '/api/admin/sources/own-monitor/mapping', mapping, { token });
  expect(await sent(token, path, body(), headers)).toBe(413);
  const [newest] = await rejectedOf(token);
  expect(newest).toMatchObject({ source: path.split('/').at(-1), kind: 'too_large' });
  expect(newest.payload).toContain('night shift');
});

test('keeps no credential that stands in its beginning, and nothing for an address that leads nowhere', async () => {
  const token = await app.tenant('storm-secrets');
  const secret = `{"routing_key":"R0123456789","payload":"${'x'.repeat(TEN_MIB)}"}`;
  expect(await sent(token, '/api/events/webhook/pagerduty', secret)).toBe(413);
  expect(await sent(token, '/api/events/webhook/no-such-monitor', secret)).toBe(413);
  const rejected = await rejectedOf(token);
  expect(rejected).toHaveLength(1);
  expect(rejected[0].payload).toContain('[hidden]');
  expect(rejected[0].payload).not.toContain('R0123456789');
});
