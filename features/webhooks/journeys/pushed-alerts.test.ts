import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pushAlerts } from '#features/webhooks/use-cases/pushing/push-alerts.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/* An Alertmanager behind Faultline: it is told of each group, and of events in none, as Prometheus would tell. */

const MINUTE = 60_000;
let it: TestApp;
let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await openHookReceiver();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await it.stop();
  await receiver.stop();
});

const iso = (ms: number): string => new Date(ms).toISOString();
const send = (method: string, path: string, body?: unknown) => it.send(method, path, body);
const create = (more: object = {}) => {
  const events = ['correlation.created', 'event.ungrouped'];
  return send('POST', '/v1/webhooks', {
    name: 'AM',
    url: `${new URL(receiver.url).origin}/api/v2/alerts`,
    events,
    format: 'alertmanager-api',
    ...more,
  });
};
const ingest = async (hostname: string, more: object = {}) => {
  const event = { source: 's', sourceId: hostname, severity: 'critical', title: `${hostname} is down`, hostname };
  await send('POST', '/api/events/ingest', { ...event, ...more });
  await it.app.idle();
};
/** Alerts that one turn of the job sends. */
const pushed = async () => {
  const before = receiver.received.length;
  await pushAlerts(it.app.ports, () => false);
  return receiver.received.slice(before).flatMap(({ body }) => body);
};

test('an alert is repeated each minute while it is open, and its end for a quarter of an hour', async () => {
  expect((await create()).status).toBe(201);
  await ingest('db-1', { service: 'Shop' });
  const [alert, ...others] = await pushed();
  expect(others).toEqual([]);
  expect(alert).toEqual({
    labels: {
      alertname: 'FaultlineEvent',
      faultline_event: expect.stringMatching(/^EVT-/),
      severity: 'critical',
      instance: 'db-1',
      service: 'Shop',
    },
    annotations: { summary: 'db-1 is down' },
    startsAt: iso(it.clock.now()),
    endsAt: iso(it.clock.now() + 5 * MINUTE),
    generatorURL: '',
  });
  expect(await pushed()).toEqual([]);
  it.clock.advance(MINUTE);
  expect(await pushed()).toMatchObject([{ labels: alert.labels, endsAt: iso(it.clock.now() + 5 * MINUTE) }]);
  await send('PATCH', `/api/events/${alert.labels.faultline_event}/status`, { status: 'resolved' });
  await it.app.idle();
  const endsAt = iso(it.clock.now());
  for (let minute = 0; minute <= 17; minute++) {
    expect([minute, await pushed()]).toMatchObject([minute, minute <= 15 ? [{ endsAt }] : []]);
    it.clock.advance(MINUTE);
  }
});

test('a group is one alert; its members are none', async () => {
  await create();
  const token = await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database', attributes: { hostname: 'db-1' } });
  const app = await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server', attributes: { hostname: 'web-1' } });
  const ends = { source_ci: app.body.id, target_ci: token.body.id };
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', ...ends });
  await ingest('db-1');
  it.clock.advance(1_000);
  await ingest('web-1');
  const { groups } = (await send('GET', '/api/events/groups')).body;
  expect(groups).toHaveLength(1);
  expect(await pushed()).toMatchObject([
    {
      labels: { alertname: 'FaultlineGroup', faultline_group: groups[0].correlationId, instance: 'db-1' },
      annotations: { summary: 'Group (2 events): probable root cause db-1 is down' },
    },
  ]);
});

test('what was not received is sent with the next turn; a pause is kept', async () => {
  await create();
  await ingest('db-1');
  receiver.next(503);
  expect(await pushed()).toHaveLength(1);
  expect(await pushed()).toHaveLength(1);
  expect(await pushed()).toHaveLength(0);
});

test('filters hold; a disabled webhook is told nothing', async () => {
  const { body } = await create({ filter: { services: ['shop'] } });
  await ingest('db-1', { service: 'Shop' });
  await ingest('fan-1');
  expect((await pushed()).map(({ labels }) => labels.instance)).toEqual(['db-1']);
  it.clock.advance(MINUTE);
  const { name, url, events, format } = body;
  await send('PUT', `/v1/webhooks/${body.id}`, { name, url, events, format, active: false });
  expect(await pushed()).toEqual([]);
});

test('its own alerts do not come back as events, and another address is refused', async () => {
  await create();
  await ingest('db-1');
  const [alert] = await pushed();
  await send('POST', '/api/v2/alerts', [alert]);
  const hook = await send('POST', '/api/events/webhook/alertmanager', { version: '4', alerts: [alert] });
  expect(hook.body.results).toMatchObject([{ status: 'ignored', reason: 'an alert of Faultline itself' }]);
  expect((await send('GET', '/api/events?status=all')).body.events).toHaveLength(1);
  const wrong = await create({ name: 'Other', url: receiver.url });
  expect(wrong.body.error.details[0]).toMatchObject({
    field: 'url',
    error: 'expected the address of Alertmanager, ending with /api/v2/alerts',
  });
});
