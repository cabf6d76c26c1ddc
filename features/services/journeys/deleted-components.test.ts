import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { SERVICE_KINDS } from '#domain/services/service.ts';
import { STYLES, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const open = async () => {
  const it = await speaking(app, STYLES[0]![1]);
  const [gone, kept] = [await it.ci('gone-1'), await it.ci('kept-1')];
  const component = (ci_id: string) => ({ ci_id, role: 'web', redundancy_group: 'web', redundancy_required: 2 });
  const body = { name: 'Shop', criticality: 'high', components: [component(gone), component(kept)] };
  const { id } = (await it.send('POST', '/services', body)).data;
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'gone-1 down', hostname: 'gone-1' };
  await it.send('POST', '/api/events/ingest', event);
  await app.app.idle();
  const shop = async () => (await it.send('GET', `/services/${id}`)).data;
  return { ...it, gone, kept, id, shop };
};

describe('A CI that is a component of a service', () => {
  test('is not deleted without cascade, which names the service', async () => {
    const { send, gone, id, shop } = await open();
    const refused = await send('DELETE', `/cmdb/ci/${gone}`);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { message: expect.stringContaining('is a component of Shop'), services: [{ id, name: 'Shop' }] },
    ]);
    expect((await shop()).components).toHaveLength(2);
    const bulk = { ids: [gone], action: 'delete' };
    for (const dry_run of [true, false])
      expect((await send('POST', '/cmdb/ci/bulk', { ...bulk, dry_run })).data.rows[0]).toMatchObject({
        action: 'failed',
        error: expect.stringContaining('is a component of Shop'),
      });
  });

  const WAYS: readonly (readonly [string, (gone: string) => readonly [string, string, object?]])[] = [
    ['one by one', (gone) => ['DELETE', `/cmdb/ci/${gone}?cascade=true`]],
    ['with others', (gone) => ['POST', '/cmdb/ci/bulk', { ids: [gone], action: 'delete', cascade: true }]],
  ];
  test.each(WAYS)('leaves it when it is deleted %s, and its events count no more', async (_, way) => {
    const { send, gone, kept, id, shop } = await open();
    expect((await shop()).health.status).toBe('critical');
    const [method, path, body] = way(gone);
    expect((await send(method, path, body)).status).toBe(200);
    const { components, health } = await shop();
    expect(components.map((one: { ci_id: string }) => one.ci_id)).toEqual([kept]);
    expect(components[0].redundancy_required).toBe(1);
    expect(health.status).toBe('healthy');
    const [entry] = (await send('GET', `/api/admin/audit?target=service/${id}`)).data;
    expect(entry).toMatchObject({ action: 'service.updated', actor: { name: 'test' } });
  });

  test('leaves it later when the store is busy in between', async () => {
    const { send, gone, shop } = await open();
    const { put } = app.app.ports.records;
    const records = app.app.ports.records as { put: typeof put };
    records.put = (tenant, kind, ...rest) =>
      kind === SERVICE_KINDS.service ? Promise.reject(new Fault('unavailable', 'busy')) : put(tenant, kind, ...rest);
    const reply = await send('DELETE', `/cmdb/ci/${gone}?cascade=true`);
    records.put = put;
    expect(reply.status).toBe(200);
    expect((await shop()).components).toHaveLength(2);
    app.app.ports.background.ring('discovery');
    await app.app.idle();
    expect((await shop()).components).toHaveLength(1);
  });
});
