import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { Reply } from '#test/setup/test-app.ts';

/** A monitoring system that Faultline does not know posts as its tenant has mapped it. */

const app = appOfTests();

let tenants = 0;
const open = async () => {
  const token = await app.tenant(`mappings-${++tenants}`);
  const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
    app.send(method, path, body, { token });
  const mapping = '/api/admin/sources/uptime/mapping';
  return { send, mapping, hook: (body: unknown) => send('POST', '/api/events/webhook/uptime', body) };
};
const MAPPING = {
  title: 'Uptime',
  fields: { key: '$.id', title: '{$.name} is {$.state}', state: '$.state', severity: '$.state', hostname: '$.host' },
  severities: { down: 'critical' },
};
const body = { id: 7, name: 'Shop', state: 'Down', host: 'shop-1' };

test('unknown before, an event and its end afterwards, and listed as a source', async () => {
  const { send, mapping, hook } = await open();
  expect((await hook(body)).status).toBe(404);
  expect((await send('PUT', mapping, MAPPING)).status).toBe(200);
  const { results, source } = (await hook(body)).body;
  expect({ source, results }).toMatchObject({ source: 'uptime', results: [{ status: 'created', sourceId: '7' }] });
  const shown = async () => (await send('GET', `/api/events/${results[0].eventId}`)).body.event;
  expect(await shown()).toMatchObject({
    source: 'uptime',
    title: 'Shop is Down',
    severity: 'critical',
    hostname: 'shop-1',
  });
  expect((await hook({ ...body, state: 'Up' })).body.results).toMatchObject([{ status: 'resolved' }]);
  expect((await shown()).status).toBe('resolved');
  const listed = (await send('GET', '/api/admin/sources')).body.data.find(
    ({ name }: { name: string }) => name === 'uptime',
  );
  expect(listed).toMatchObject({ title: 'Uptime', isMonitor: true, isMapped: true, events24h: 2 });
  expect((await send('GET', '/api/admin/sources/uptime')).body.data.path).toBe('/api/events/webhook/uptime');
});

test('a sample shows what would come of it, and nothing is stored', async () => {
  const { send, mapping } = await open();
  const tried = await send('POST', `${mapping}/try`, { mapping: MAPPING, sample: [body, { name: 'x' }] });
  expect(tried.body.data.results).toMatchObject([
    {
      action: 'open',
      sourceId: '7',
      event: { title: 'Shop is Down', severity: 'critical' },
      reason: null,
      missing: [],
    },
    {
      action: null,
      event: null,
      reason: 'fields.key: $.id matches nothing',
      missing: expect.arrayContaining(['fields.key: $.id matches nothing', 'fields.hostname: $.host matches nothing']),
    },
  ]);
  expect((await send('GET', mapping)).status).toBe(404);
  expect((await send('POST', `${mapping}/try`, { sample: body })).status).toBe(404);
  await send('PUT', mapping, MAPPING);
  expect((await send('POST', `${mapping}/try`, { sample: body })).body.data.results).toHaveLength(1);
  expect((await send('GET', '/api/events')).body.events).toEqual([]);
});

test('what cannot be read is refused by its field, kept, and shown among what was rejected', async () => {
  const { send, mapping, hook } = await open();
  const refused = await send('PUT', mapping, { fields: { key: '$..id', title: '$.name' } });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('fields.key');
  await send('PUT', mapping, MAPPING);
  expect((await hook({ name: 'x' })).status).toBe(400);
  expect((await send('GET', '/api/admin/rejected')).body.data).toMatchObject([
    { source: 'uptime', error: 'fields.key: $.id matches nothing' },
  ]);
});

test('the names of known systems are theirs, and a deleted mapping is unknown again', async () => {
  const { send, mapping, hook } = await open();
  expect((await send('PUT', '/api/admin/sources/alertmanager/mapping', MAPPING)).status).toBe(409);
  expect((await send('PUT', '/api/admin/sources/Up%20time/mapping', MAPPING)).status).toBe(400);
  await send('PUT', mapping, MAPPING);
  expect((await send('GET', mapping)).body.data).toEqual({ name: 'uptime', mapping: MAPPING });
  expect((await send('DELETE', mapping)).status).toBe(200);
  expect((await send('DELETE', mapping)).status).toBe(404);
  expect((await hook(body)).status).toBe(404);
});
