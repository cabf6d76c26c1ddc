import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const app = appOfTests();

test('a token is in no replay and not in the store; a replay says why', async () => {
  const draft = { name: 'feed', role: 'ingest' };
  const create = () => app.send('POST', '/api/admin/tokens', draft, { headers: { 'idempotency-key': 'once' } });
  const first = await create();
  const again = await create();
  expect(first.body.data.token).toMatch(/^flt_/);
  expect(first.body.data.note).toContain("doesn't expire");
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(again.body.data).toEqual({ ...first.body.data, token: null, note: expect.stringContaining('once') });
  const kept = await app.app.ports.records.list('default', 'idempotency', { limit: 10 });
  expect(JSON.stringify(kept)).toContain(first.body.data.id);
  expect(JSON.stringify(kept)).not.toContain(first.body.data.token);
});

test('what webhooks could not read is listed newest first, for those who may see the pipeline', async () => {
  const alerts = Array.from({ length: 3 }, (_, i) => ({ status: 'firing', labels: { alertname: `a${i}` } }));
  await app.send('POST', '/api/events/webhook/alertmanager', { alerts: [alerts[0], 'no alert', alerts[1]] });
  app.clock.advance(1_000);
  await app.send('POST', '/api/events/webhook/zabbix', { event_id: '1' });
  app.clock.advance(1_000);
  await app.send('POST', '/api/events/webhook/azure', 'no json at all');
  const { body } = await app.send('GET', '/api/admin/rejected');
  expect(body.pagination).toMatchObject({ page: 1, limit: 20, total: 3, pages: 1, nextCursor: null });
  expect(body.data.map((one: { source: string; index: number }) => [one.source, one.index])).toEqual([
    ['azure', null],
    ['zabbix', expect.anything()],
    ['prometheus', 1],
  ]);
  expect(body.data[0]).toMatchObject({ at: new Date(START + 2_000).toISOString(), payload: '"no json at all"' });
  expect(body.data[2].error).toEqual(expect.any(String));

  const [first, second] = await Promise.all([
    app.send('GET', '/api/admin/rejected?limit=2'),
    app.send('GET', '/api/admin/rejected?limit=2&page=2'),
  ]);
  const next = await app.send('GET', `/api/admin/rejected?limit=2&cursor=${first.body.pagination.nextCursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(body.data);
  expect(next.body.data).toEqual(second.body.data);
  expect(next.body.pagination).toMatchObject({ total: 3, nextCursor: null });

  expect((await app.send('GET', '/api/admin/rejected?cursor=bogus')).status).toBe(400);
  const foreign = await app.tenant('elsewhere');
  expect((await app.send('GET', '/api/admin/rejected', undefined, { token: foreign })).body.data).toEqual([]);
  const viewer = await app.tenant('onlooker', 'viewer');
  expect((await app.send('GET', '/api/admin/rejected', undefined, { token: viewer })).status).toBe(403);
});
