import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Identity, end and new start of a problem, in the view of senders and operators. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const app = appOfTests();
let serial = 0;

const at = (ms: number) => new Date(START + ms).toISOString();

const openTenant = async (settings?: object) => {
  const token = await app.tenant(`life-${++serial}`);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  if (settings) await send('PUT', '/api/admin/settings/correlation', settings);
  const ingest = (sourceId: string, more: object) =>
    send('POST', '/api/events/ingest', { source: 'script', sourceId, severity: 'major', hostname: 'web9', ...more });
  const ended = (sourceId: string, ms: number) => ingest(sourceId, { status: 'resolved', timestamp: at(ms) });
  const shown = async (eventId: string) => (await send('GET', `/api/events/${eventId}`)).event;
  const alertmanager = async (
    status: 'firing' | 'resolved',
    device: string,
    [from, to]: readonly [number, number?],
  ) => {
    const alert = {
      status,
      fingerprint: device,
      startsAt: at(from),
      endsAt: to === undefined ? undefined : at(to),
      labels: { alertname: 'InterfaceDown', severity: 'warning', instance: 'edge-1', device },
      annotations: { summary: 'Interface is down' },
    };
    return (await send('POST', '/api/events/webhook/prometheus', { version: '4', alerts: [alert] })).results[0];
  };
  const nagios = async (type: string, state: string, ms: number) => {
    const said = { notification_type: type, hostname: 'mail-02', service: 'SMTP', state, output: `SMTP ${state}` };
    return (await send('POST', '/api/events/webhook/nagios', { ...said, timestamp: (START + ms) / 1_000 })).results[0];
  };
  return { send, ingest, ended, shown, alertmanager, nagios };
};

test.each([
  ['Service "nginx" is down', 'Service "mysql" is down'],
  ['Port 80 is closed', 'Port 5432 is closed'],
])('%s and %s of one host are two events, and the end of one leaves the other open', async (one, two) => {
  const { ingest, ended, shown } = await openTenant();
  const [a, b] = [await ingest('a', { title: one }), await ingest('b', { title: two })];
  expect([a.status, b.status]).toEqual(['created', 'created']);
  expect(await ended('a', 1)).toMatchObject({ status: 'resolved', eventId: a.eventId });
  expect((await shown(b.eventId)).status).toBe('open');
});

test('readings fold, and the event waits for every sourceId that feeds it', async () => {
  const { ingest, ended, shown } = await openTenant();
  const { eventId } = await ingest('a', { title: 'CPU 91 %', timestamp: at(0) });
  expect(await ingest('b', { title: 'CPU 95 %', timestamp: at(1_000) })).toMatchObject({ isDuplicate: true, eventId });
  expect(await ended('a', MINUTE)).toMatchObject({ status: 'changed', eventId });
  expect(await shown(eventId)).toMatchObject({ status: 'open', title: 'CPU 95 %', conditions: [{ sourceId: 'b' }] });
  expect(await ended('b', MINUTE)).toMatchObject({ status: 'resolved', eventId });
});

describe('the same source and sourceId with another severity', () => {
  const warning = { severity: 'warning', title: 'Disk 91 % full', timestamp: at(-2 * MINUTE) };
  const critical = { severity: 'critical', title: 'Disk 99 % full', timestamp: at(-MINUTE) };

  test('is a new event in the place of the old one', async () => {
    const { ingest, shown, send } = await openTenant();
    const first = await ingest('disk', warning);
    await send('PATCH', `/api/events/${first.eventId}/status`, { status: 'acknowledged' });
    const second = await ingest('disk', critical);
    expect(second.status).toBe('created');
    expect(await shown(first.eventId)).toMatchObject({ status: 'resolved', supersededBy: second.eventId });
    expect(await shown(second.eventId)).toMatchObject({
      status: 'acknowledged',
      supersedes: first.eventId,
      problemSince: at(-2 * MINUTE),
    });
    const open = await send('GET', '/api/events?status=open,acknowledged');
    expect(open.events.map(({ eventId }: { eventId: string }) => eventId)).toEqual([second.eventId]);
  });

  test('stays the same event where the tenant says so', async () => {
    const { ingest, shown } = await openTenant({ plainEscalation: 'same_event' });
    const { eventId } = await ingest('disk', warning);
    expect(await ingest('disk', critical)).toMatchObject({ status: 'duplicate_updated', eventId });
    expect((await shown(eventId)).severity).toBe('critical');
  });
});

describe('a recovery that is late', () => {
  test('does not end what began after it: Alertmanager', async () => {
    const { alertmanager, shown } = await openTenant();
    await alertmanager('firing', 'eth0', [-5 * MINUTE]);
    await alertmanager('resolved', 'eth0', [-5 * MINUTE, -4 * MINUTE]);
    const { eventId } = await alertmanager('firing', 'eth0', [-3 * MINUTE]);
    expect(await alertmanager('resolved', 'eth0', [-5 * MINUTE, -4 * MINUTE])).toMatchObject({ status: 'ignored' });
    const event = await shown(eventId);
    expect(event.status).toBe('open');
    expect(event.history.at(-1).notes).toContain('is older than the latest occurrence; ignored');
  });

  test('does not end what began after it: Nagios', async () => {
    const { nagios, shown } = await openTenant();
    const { eventId } = await nagios('PROBLEM', 'CRITICAL', -50_000);
    expect(await nagios('RECOVERY', 'OK', -100_000)).toMatchObject({ status: 'ignored' });
    expect((await shown(eventId)).status).toBe('open');
    expect(await nagios('RECOVERY', 'OK', -50_000)).toMatchObject({ status: 'resolved', eventId });
  });
});

test('the other replica is counted on the event that ended, and opens nothing', async () => {
  const { alertmanager, nagios, send } = await openTenant();
  await alertmanager('firing', 'eth0', [-5 * MINUTE]);
  const { eventId } = await alertmanager('resolved', 'eth0', [-5 * MINUTE, -4 * MINUTE]);
  for (let n = 0; n < 3; n++)
    expect(await alertmanager('firing', 'eth0', [-5 * MINUTE])).toMatchObject({ status: 'duplicate_updated', eventId });
  const problem = await nagios('PROBLEM', 'CRITICAL', -100_000);
  await nagios('RECOVERY', 'OK', -50_000);
  expect(await nagios('PROBLEM', 'CRITICAL', -100_000)).toMatchObject({ eventId: problem.eventId });
  expect((await send('GET', '/api/events')).events).toHaveLength(2);
});

test('after an hour of silence a complaint without conditions is a new event', async () => {
  const { ingest } = await openTenant();
  const said = { title: 'Database is slow' };
  const first = await ingest('x', { ...said, timestamp: at(-7 * HOUR) });
  expect(await ingest('x', { ...said, timestamp: at(-6 * HOUR) })).toMatchObject({ eventId: first.eventId });
  expect(await ingest('x', { ...said, timestamp: at(-4 * HOUR) })).toMatchObject({ status: 'created' });
});

test('each deployment is an event of its own', async () => {
  const { ingest, shown } = await openTenant();
  const first = await ingest('d-1', { severity: 'info', title: 'checkout deployed', timestamp: at(-3 * HOUR) });
  const next = await ingest('d-2', { severity: 'info', title: 'checkout deployed', timestamp: at(-2.9 * HOUR) });
  expect([first.status, next.status]).toEqual(['created', 'created']);
  expect(await shown(first.eventId)).toMatchObject({ resolutionCategory: 'no-action-needed' });
});

test.each([
  ['1970', '1970-01-01T00:01:00.000Z'],
  ['a month behind the newest event', at(-30 * 24 * HOUR)],
])('a time of %s is shown and not believed', async (_, timestamp) => {
  const { ingest, shown, send } = await openTenant();
  await ingest('now', { title: 'Fan is slow', timestamp: at(0) });
  const { eventId } = await ingest('trap', { title: 'Battery is empty', timestamp });
  const event = await shown(eventId);
  expect(event).toMatchObject({ timestamp, tags: ['clock-skew'] });
  expect(event.firstOccurrence).not.toBe(timestamp);
  const lately = await send('GET', '/api/events?timeRange=1h&search=battery');
  expect(lately.events.map(({ eventId: id }: { eventId: string }) => id)).toEqual([eventId]);
  const metrics = await app.send('GET', '/metrics');
  expect(metrics.body).toMatch(/faultline_clock_skew_total\{[^}]*source="other"[^}]*\} [1-9]/);
});

test('what a monitor says later fills in what the event lacks, and binds it', async () => {
  const { send, shown } = await openTenant();
  const { id } = await send('POST', '/v1/cmdb/ci', { name: 'z-7', type: 'server' });
  const zabbix = (more: object) =>
    send('POST', '/api/events/webhook/zabbix', {
      event_id: '7',
      trigger_name: 'Service crashed',
      severity: '4',
      timestamp: String(START / 1_000),
      ...more,
    });
  const { eventId } = (await zabbix({})).results[0];
  expect((await shown(eventId)).ciId).toBeUndefined();
  await zabbix({ hostname: 'z-7' });
  expect(await shown(eventId)).toMatchObject({ hostname: 'z-7', ciId: { _id: id }, occurrenceCount: 2 });
});
