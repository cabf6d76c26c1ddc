import { describe, expect, test } from '@jest/globals';
import { HEARTBEAT_KIND, type Heartbeat } from '#application/events/heartbeats.ts';
import { resolveSilent } from '#application/events/resolve-silent.ts';
import { checkHeartbeats, MISSING_AFTER_MS } from '#application/jobs.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let tenants = 0;

const SETTINGS = '/api/admin/settings/correlation';
const alert = (alertname: string, status = 'firing') => ({
  status,
  labels: { alertname, severity: 'none' },
  annotations: { summary: `${alertname} is firing` },
});

/** A tenant of its own for each test, which lists these heartbeats. */
const fresh = async (...heartbeats: string[]) => {
  const tenant = `heartbeats-${++tenants}`;
  const token = await it.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const list = (names: readonly string[]) => send('PUT', SETTINGS, { heartbeats: names });
  expect((await list(heartbeats)).status).toBe(200);
  const post = async (...alerts: unknown[]) =>
    (await send('POST', '/api/events/webhook/prometheus', { version: '4', alerts })).body.results;
  const events = async () => (await send('GET', '/api/events')).body.events;
  const noted = async (id: string) => it.app.ports.records.get<Heartbeat>(tenant, HEARTBEAT_KIND, id);
  return { send, list, post, events, noted };
};
const check = (listeningSince = 0) => checkHeartbeats(it.app.ports, { now: it.clock.now(), listeningSince });
const ignored = (action: string) => ({ action, status: 'ignored', eventId: null });

describe('a listed heartbeat is no event', () => {
  test('from a webhook, firing or over; what came with it is', async () => {
    const { post, events, noted } = await fresh('watchdog');
    const results = await post(alert('Watchdog'), alert('DiskFull'), alert('Watchdog', 'resolved'), alert('Other'));
    expect(results).toMatchObject([
      ignored('open'),
      { action: 'open', status: 'created' },
      ignored('resolve'),
      { action: 'open', status: 'created' },
    ]);
    const names = (await events()).map((event: { details: { alertname: string } }) => event.details.alertname);
    expect(names.sort()).toEqual(['DiskFull', 'Other']);
    expect((await noted('watchdog'))?.body).toEqual({ name: 'watchdog', lastSeen: it.clock.now(), missing: false });
  });

  test('from ingest and bulk ingest, by its title', async () => {
    const { send, events } = await fresh('Deadman');
    const event = { source: 'cron', sourceId: '1', severity: 'info', title: 'DEADMAN' };
    const single = await send('POST', '/api/events/ingest', event);
    expect(single).toMatchObject({ status: 200, body: { status: 'ignored', eventId: null } });
    const disk = { ...event, sourceId: '2', title: 'Disk full' };
    const { results, summary } = (await send('POST', '/api/events/bulk-ingest', { events: [event, disk] })).body;
    expect(results.success).toMatchObject([
      { sourceId: '1', status: 'ignored', eventId: null },
      { sourceId: '2', status: 'created' },
    ]);
    expect(summary).toMatchObject({ total: 2, successful: 2 });
    expect(await events()).toHaveLength(1);
  });

  test('an unlisted one is an event like others', async () => {
    const { post, events, noted } = await fresh();
    expect(await post(alert('Watchdog'))).toMatchObject([{ status: 'created' }]);
    expect(await events()).toHaveLength(1);
    expect(await noted('watchdog')).toBeNull();
  });

  test('is written at most every ten seconds', async () => {
    const { post, noted } = await fresh('Watchdog');
    await post(alert('Watchdog'));
    const first = await noted('watchdog');
    it.clock.advance(9_999);
    await post(alert('Watchdog'));
    expect(await noted('watchdog')).toEqual(first);
    it.clock.advance(1);
    await post(alert('Watchdog'));
    expect((await noted('watchdog'))?.body.lastSeen).toBe(it.clock.now());
  });
});

describe('the absence of a heartbeat', () => {
  test('is one critical event after more than 15 minutes, and ends with the next beat', async () => {
    const { post, events } = await fresh('Watchdog');
    await post(alert('Watchdog'));
    const since = new Date(it.clock.now()).toISOString();
    it.clock.advance(MISSING_AFTER_MS);
    await check();
    expect(await events()).toEqual([]);
    it.clock.advance(1);
    await check();
    it.clock.advance(60_000);
    await check();
    expect(await events()).toMatchObject([
      {
        source: 'faultline',
        sourceId: 'heartbeat/watchdog',
        severity: 'critical',
        status: 'open',
        title: 'Heartbeat Watchdog is missing',
        description: `No heartbeat from Watchdog since ${since}.`,
        occurrenceCount: 1,
      },
    ]);
    await post(alert('Watchdog'));
    await check();
    await check();
    expect(await events()).toMatchObject([{ status: 'resolved', resolutionCategory: 'auto-resolved' }]);
    it.clock.advance(MISSING_AFTER_MS + 1);
    await check();
    const statuses = (await events()).map((event: { status: string }) => event.status);
    expect(statuses.sort()).toEqual(['open', 'resolved']);
  });

  test('is told again when somebody resolves the event meanwhile, as soon as it is checked', async () => {
    const { post, events, send } = await fresh('Watchdog');
    const statuses = async () => (await events()).map((event: { status: string }) => event.status).sort();
    await post(alert('Watchdog'));
    for (const round of [1, 2]) {
      it.clock.advance(MISSING_AFTER_MS + 1);
      await check();
      const open = (await events()).find((event: { status: string }) => event.status === 'open');
      await send('PATCH', `/api/events/${open.eventId}/status`, { status: 'resolved', notes: 'restarted' });
      await check();
      expect(await statuses()).toEqual(['open', ...Array.from({ length: 2 * round - 1 }, () => 'resolved')]);
      // Back, and missing again within the hour.
      await post(alert('Watchdog'));
      await check();
    }
  });

  test('lasts as long as the heartbeat is missing, however long nobody speaks of it', async () => {
    const { post, events } = await fresh('Watchdog');
    await post(alert('Watchdog'));
    it.clock.advance(MISSING_AFTER_MS + 1);
    await check();
    it.clock.advance(8 * 86_400_000);
    await resolveSilent(it.app.ports, { cursors: new Map(), isStopping: () => false });
    expect(await events()).toMatchObject([{ status: 'open', occurrenceCount: 1 }]);
  });

  test('of two whose names differ in a number are two events', async () => {
    const { post, events } = await fresh('Watchdog 1', 'Watchdog 2');
    await post(alert('Watchdog 1'), alert('Watchdog 2'));
    it.clock.advance(MISSING_AFTER_MS + 1);
    await check();
    expect(await events()).toHaveLength(2);
    await post(alert('Watchdog 2'));
    await check();
    const open = (await events()).filter((event: { status: string }) => event.status === 'open');
    expect(open).toMatchObject([{ title: 'Heartbeat Watchdog 1 is missing' }]);
  });

  test('that was never heard raises nothing', async () => {
    const { events } = await fresh('Watchdog');
    it.clock.advance(2 * MISSING_AFTER_MS);
    await check();
    expect(await events()).toEqual([]);
  });

  test('ends when it is listed no more, and listing it again starts anew', async () => {
    const { post, events, list } = await fresh('Watchdog');
    await post(alert('Watchdog'));
    it.clock.advance(MISSING_AFTER_MS + 1);
    await check();
    await list([]);
    await check();
    expect(await events()).toMatchObject([{ status: 'resolved' }]);
    await list(['Watchdog']);
    await check();
    expect(await events()).toHaveLength(1);
  });

  test('does not count while nobody listened, and does not end by that', async () => {
    const { post, events } = await fresh('Watchdog');
    await post(alert('Watchdog'));
    it.clock.advance(MISSING_AFTER_MS + 1);
    await check(it.clock.now());
    expect(await events()).toEqual([]);
    await check();
    await check(it.clock.now());
    expect(await events()).toMatchObject([{ status: 'open' }]);
  });
});
