import { beforeAll, describe, expect, test } from '@jest/globals';
import { resolveSilent } from '#application/events/resolve-silent.ts';
import type { EventSweeps } from '#domain/ports/events/event-sweeps.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Events that nothing ends: silence ends them, and changes are over by themselves. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const it = appOfTests();
let tenants = 0;
beforeAll(async () => {
  // Weeks pass here, and receipt times are limited by the broker's append time.
  it.clock.set(START - 60 * DAY);
});

const sweepWith = async (sweeps: EventSweeps, cursors = new Map<string, string>()) => {
  await resolveSilent({ ...it.app.ports, sweeps }, { cursors, isStopping: () => false });
  await it.app.idle();
};
const sweep = () => sweepWith(it.app.ports.sweeps);

const fresh = async () => {
  const id = `silence-${++tenants}`;
  const token = await it.tenant(id);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  let serial = 0;
  const ingest = async (more: object = {}): Promise<string> => {
    const own = ++serial;
    const draft = { source: 'otel', sourceId: `${own}`, severity: 'major', title: 'Disk full', hostname: `h-${own}` };
    return (await send('POST', '/api/events/ingest', { ...draft, ...more })).body.eventId;
  };
  const shown = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event;
  const fire = (hostname: string) => {
    const alert = { status: 'firing', labels: { alertname: 'Down', instance: hostname, severity: 'critical' } };
    return send('POST', '/api/events/webhook/prometheus', { version: '4', alerts: [alert] });
  };
  const only = async () => {
    const { events } = (await send('GET', '/api/events')).body;
    expect(events).toHaveLength(1);
    return events[0];
  };
  return { id, send, ingest, shown, fire, only };
};

describe('silence', () => {
  test('of a day resolves an event, and says so', async () => {
    const { ingest, shown } = await fresh();
    const id = await ingest();
    it.clock.advance(DAY);
    await sweep();
    expect(await shown(id)).toMatchObject({ status: 'open' });
    it.clock.advance(1_000);
    await sweep();
    const event = await shown(id);
    expect(event).toMatchObject({
      status: 'resolved',
      resolutionCategory: 'auto-resolved',
      resolutionNotes: 'no updates for 24h',
      resolvedAt: new Date(it.clock.now()).toISOString(),
    });
    expect(event.history.at(-1)).toMatchObject({ by: null, from: 'open', to: 'resolved', notes: 'no updates for 24h' });
  });

  test('lasts since it was received, however long ago it happened', async () => {
    const { ingest, shown } = await fresh();
    const id = await ingest({ timestamp: it.clock.now() - 3 * DAY });
    await sweep();
    expect(await shown(id)).toMatchObject({ status: 'open' });
  });

  test('of a monitor lasts a week', async () => {
    const { fire, only } = await fresh();
    await fire('h');
    it.clock.advance(6 * DAY);
    await sweep();
    expect((await only()).status).toBe('open');
    it.clock.advance(DAY + 1_000);
    await sweep();
    expect((await only()).status).toBe('resolved');
  });

  test('is as long as the tenant sets it, by source and severity, or never', async () => {
    const { ingest, shown, send } = await fresh();
    const path = '/api/admin/settings/lifecycle';
    const exceptions = [
      { source: 'otel', severity: 'info', resolveAfterMs: HOUR },
      { source: 'otel', resolveAfterMs: null },
    ];
    const put = await send('PUT', path, { exceptions, resolveAfterMs: 2 * HOUR });
    expect(put.body.data).toMatchObject({
      effective: { resolveAfterMs: 2 * HOUR, conditionResolveAfterMs: 7 * DAY, exceptions },
      overrides: { resolveAfterMs: 2 * HOUR },
      defaults: { resolveAfterMs: DAY, conditionResolveAfterMs: 7 * DAY, exceptions: [] },
    });
    const [soon, never, later] = [
      await ingest({ severity: 'info' }),
      await ingest(),
      await ingest({ source: 'nagios' }),
    ];
    const statuses = async () => (await Promise.all([soon, never, later].map(shown))).map(({ status }) => status);
    it.clock.advance(HOUR + 1_000);
    await sweep();
    expect(await statuses()).toEqual(['resolved', 'open', 'open']);
    it.clock.advance(HOUR);
    await sweep();
    expect(await statuses()).toEqual(['resolved', 'open', 'resolved']);
    it.clock.advance(30 * DAY);
    await sweep();
    expect(await statuses()).toEqual(['resolved', 'open', 'resolved']);
    expect((await send('PUT', path, {})).body.data.effective).toMatchObject({ resolveAfterMs: DAY });
    const wrong = [{ resolveAfterMs: HOUR }, { source: 's', resolveAfterMs: 1 }];
    for (const exception of wrong) expect((await send('PUT', path, { exceptions: [exception] })).status).toBe(400);
  });

  test('that is broken between the look and the record resolves nothing', async () => {
    const { id, send, fire, only } = await fresh();
    await send('PUT', '/api/admin/settings/lifecycle', { conditionResolveAfterMs: HOUR });
    await fire('racing');
    it.clock.advance(HOUR + 1_000);
    const { sweeps } = it.app.ports;
    let again = false;
    await sweepWith({
      ...sweeps,
      silent: async (tenant, filter, page) => {
        const part = await sweeps.silent(tenant, filter, page);
        if (!again && tenant === id && part.items.length > 0) {
          again = true;
          await fire('racing');
        }
        return part;
      },
    });
    expect(again).toBe(true);
    expect(await only()).toMatchObject({ status: 'open', occurrenceCount: 2 });
  });
});

describe('changes', () => {
  test('are over after the longest window and need nothing', async () => {
    const { ingest, shown } = await fresh();
    const [marked, titled, severe, fault] = [
      await ingest({ category: 'deployment', title: 'shop' }),
      await ingest({ title: 'Release 4.2 deployed', severity: 'info' }),
      await ingest({ title: 'Release 4.2 deployed', severity: 'major' }),
      await ingest(),
    ];
    it.clock.advance(HOUR);
    await sweep();
    expect(await shown(marked)).toMatchObject({ status: 'open' });
    it.clock.advance(1_000);
    await sweep();
    for (const id of [marked, titled])
      expect(await shown(id)).toMatchObject({ status: 'resolved', resolutionCategory: 'no-action-needed' });
    for (const id of [severe, fault]) expect(await shown(id)).toMatchObject({ status: 'open' });
  });

  test('take nothing from the health of a service or from its map', async () => {
    const { send, ingest } = await fresh();
    const ci = (await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server' })).body.id;
    const shop = (await send('POST', '/v1/services', { name: 'Shop', components: [{ ci_id: ci }] })).body.id;
    await ingest({ hostname: 'web-1', severity: 'critical', category: 'change', title: 'shop' });
    const { health } = (await send('GET', `/v1/services/${shop}`)).body;
    expect(health).toEqual({ status: 'healthy', score: 100 });
    const { dependency_map } = (await send('GET', `/v1/services/${shop}/dependencies`)).body;
    const map = await it.send('GET', dependency_map.visualization_url, undefined, { token: null });
    expect(map.body).toContain('Shop: healthy, 100 of 100');
    await ingest({ hostname: 'web-1', severity: 'critical' });
    expect((await send('GET', `/v1/services/${shop}`)).body.health.status).toBe('critical');
  });
});
