import { describe, expect, test } from '@jest/globals';
import { HEARTBEAT_KIND, type Heartbeat } from '#application/events/heartbeats.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let tenants = 0;

const fresh = async () => {
  const id = `opsgenie-${++tenants}`;
  const admin = await it.tenant(id);
  const draft = { name: 'genie', kind: 'integration', scopes: ['events.webhook', 'events.read'] };
  const made = await it.send('POST', '/api/admin/tokens', draft, { token: admin });
  const headers = { authorization: `GenieKey ${made.body.data.token}` };
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await it.send(method, path, body, { token: null, headers });
    await it.app.idle();
    return reply;
  };
  const outcome = async (requestId: string) => (await send('GET', `/v2/alerts/requests/${requestId}`)).body.data;
  const shown = async (path: string) => (await send('GET', `/v2/alerts/${path}`)).body.data;
  const events = async () => (await it.send('GET', '/api/events?status=all', undefined, { token: admin })).body.events;
  return { id, admin, send, outcome, shown, events };
};

const alert = {
  message: 'Disk is full',
  alias: 'disk/db-1',
  entity: 'db-1',
  priority: 'P2',
  tags: ['nightly'],
  details: { team: 'data' },
};
const byAlias = `${encodeURIComponent(alert.alias)}`;

describe('alerts', () => {
  test('are created, acknowledged and closed by alias; the status of a request names the alert', async () => {
    const { send, outcome, shown, events } = await fresh();
    const reply = await send('POST', '/v2/alerts', alert);
    expect(reply).toMatchObject({ status: 202, body: { result: 'Request will be processed', took: 0 } });
    const told = await outcome(reply.body.requestId);
    expect(told).toMatchObject({ isSuccess: true, action: 'create', alias: alert.alias });
    expect(await shown(told.alertId)).toMatchObject({
      id: told.alertId,
      alias: alert.alias,
      message: alert.message,
      priority: 'P2',
      entity: 'db-1',
      status: 'open',
      acknowledged: false,
      count: 1,
      tags: ['nightly', 'team:data'],
    });
    await send('POST', `/v2/alerts/${byAlias}/acknowledge?identifierType=alias`, { note: 'on it', user: 'ann' });
    expect(await shown(`${byAlias}?identifierType=alias`)).toMatchObject({ status: 'open', acknowledged: true });
    await send('POST', `/v2/alerts/${byAlias}/unacknowledge?identifierType=alias`);
    expect(await events()).toMatchObject([{ source: 'opsgenie', status: 'open', severity: 'major' }]);
    const closed = await send('POST', `/v2/alerts/${byAlias}/close?identifierType=alias`, { note: 'replaced' });
    expect(await outcome(closed.body.requestId)).toMatchObject({ isSuccess: true, action: 'close' });
    expect(await events()).toMatchObject([{ status: 'resolved' }]);
  });

  test('are changed by id: message, description, priority and notes', async () => {
    const { send, outcome, shown, admin } = await fresh();
    const { alertId } = await outcome((await send('POST', '/v2/alerts', alert)).body.requestId);
    await send('PUT', `/v2/alerts/${alertId}/message`, { message: 'Disk is nearly full' });
    await send('PUT', `/v2/alerts/${alertId}/description`, { description: '98% of /var' });
    await send('PUT', `/v2/alerts/${alertId}/priority`, { priority: 'P1' });
    expect(await shown(alertId)).toMatchObject({
      message: 'Disk is nearly full',
      description: '98% of /var',
      priority: 'P1',
      count: 1,
    });
    await send('POST', `/v2/alerts/${alertId}/notes`, { note: 'Fan ordered', user: 'ann' });
    const { event } = (await it.send('GET', `/api/events/${await idOf()}`, undefined, { token: admin })).body;
    expect(JSON.stringify(event.history)).toContain('Fan ordered (ann)');
    async function idOf(): Promise<string> {
      return (await it.send('GET', '/api/events', undefined, { token: admin })).body.events[0].eventId;
    }
  });

  test('without an alias are the same if they say the same', async () => {
    const { send, events } = await fresh();
    const { alias: _, ...unnamed } = alert;
    await send('POST', '/v2/alerts', unnamed);
    await send('POST', '/v2/alerts', unnamed);
    expect(await events()).toMatchObject([{ occurrenceCount: 2 }]);
  });

  test('that are unknown, or of another tenant or source, do not exist', async () => {
    const [ours, theirs] = [await fresh(), await fresh()];
    const { requestId } = (await theirs.send('POST', '/v2/alerts', alert)).body;
    const { alertId } = await theirs.outcome(requestId);
    for (const path of [`${alertId}/close`, `${alertId}/notes`, `${byAlias}/close?identifierType=alias`]) {
      const reply = await ours.send('POST', `/v2/alerts/${path}`, { note: 'x' });
      expect(reply.status).toBe(202);
      expect(await ours.outcome(reply.body.requestId)).toMatchObject({
        isSuccess: false,
        status: 'Alert does not exist',
      });
    }
    expect(await ours.send('GET', `/v2/alerts/${alertId}`)).toMatchObject({ status: 404 });
    expect(await ours.send('GET', `/v2/alerts/requests/${requestId}`)).toMatchObject({ status: 404 });
    expect(await theirs.events()).toMatchObject([{ status: 'open' }]);
    await it.send(
      'POST',
      '/api/events/ingest',
      { source: 'x', sourceId: alert.alias, severity: 'info', title: 'X', hostname: 'db-1' },
      { token: ours.admin },
    );
    await it.app.idle();
    await ours.send('POST', `/v2/alerts/${byAlias}/close?identifierType=alias`, {});
    expect(await ours.events()).toMatchObject([{ source: 'x', status: 'open' }]);
  });

  test.each([
    ['POST', '/v2/alerts', {}, 'message'],
    ['POST', '/v2/alerts', { message: 'x', priority: 'high' }, 'priority'],
    ['PUT', '/v2/alerts/1/message', { message: ' ' }, 'message'],
    ['POST', '/v2/alerts/1/close?identifierType=tiny', {}, 'identifierType'],
  ])('%s %s with %j is refused by field', async (method, path, body, field) => {
    const { send } = await fresh();
    const reply = await send(method, path, body);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(field), took: 0 } });
    expect(reply.body.errors).toHaveProperty(field);
  });

  test('need a key', async () => {
    const headers = { authorization: 'GenieKey 0123' };
    expect(await it.send('POST', '/v2/alerts', alert, { token: null, headers })).toMatchObject({
      status: 401,
      body: { message: expect.any(String), requestId: expect.any(String) },
    });
  });
});

test('webhooks of Opsgenie bring what happens to alerts there', async () => {
  const { admin, events } = await fresh();
  const post = async (action: string, more: object = {}) => {
    const body = { action, alert: { ...alert, alertId: 'a-1', ...more }, integrationName: 'x' };
    const reply = await it.send('POST', '/api/events/webhook/opsgenie', body, { token: admin });
    await it.app.idle();
    return reply.body.results[0];
  };
  await post('Create');
  await post('UpdateMessage', { message: 'Disk is nearly full', username: 'ann' });
  expect(await events()).toMatchObject([{ title: 'Disk is nearly full', occurrenceCount: 1 }]);
  expect(await post('AddNote', { note: 'x' })).toMatchObject({ status: 'ignored' });
  await post('Acknowledge', { username: 'ann' });
  expect(await events()).toMatchObject([{ status: 'acknowledged' }]);
  await post('Delete');
  expect(await events()).toMatchObject([{ status: 'resolved' }]);
});

test('heartbeats that the tenant lists beat by GET and POST', async () => {
  const { id, admin, send } = await fresh();
  const settings = '/api/admin/settings/correlation';
  await it.send('PUT', settings, { heartbeats: ['Nightly'] }, { token: admin });
  for (const method of ['GET', 'POST']) {
    const reply = await send(method, '/v2/heartbeats/nightly/ping');
    expect(reply).toMatchObject({ status: 202, body: { result: 'PONG - Heartbeat received' } });
    const noted = await it.app.ports.records.get<Heartbeat>(id, HEARTBEAT_KIND, 'nightly');
    expect(noted?.body).toEqual({ name: 'Nightly', lastSeen: it.clock.now(), missing: false });
    it.clock.advance(60_000);
  }
  expect((await send('GET', '/v2/heartbeats/other/ping')).status).toBe(404);
});
