import { describe, expect, test } from '@jest/globals';
import { HEARTBEAT_KIND, type Heartbeat } from '#application/events/heartbeats.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let tenants = 0;

const fresh = async () => {
  const id = `opsgenie-${++tenants}`;
  const admin = await it.tenant(id);
  const draft = { name: 'genie', kind: 'integration', scopes: ['events.webhook', 'events.read', 'events.write'] };
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
    ['POST', '/v2/alerts/1/snooze', {}, 'endTime'],
    ['POST', '/v2/alerts/1/assign', { owner: {} }, 'owner'],
    ['POST', '/v2/alerts/1/assign', { owner: { username: 'nobody' } }, 'owner'],
    ['GET', '/v2/alerts?limit=101', undefined, 'limit'],
    ['GET', '/v2/alerts?offset=19990', undefined, 'offset'],
    ['GET', '/v2/alerts?sort=owner', undefined, 'sort'],
    ['GET', '/v2/alerts?query=teams:x', undefined, 'query'],
    ['GET', '/v2/alerts?searchIdentifier=x', undefined, 'searchIdentifier'],
  ])('%s %s with %j is refused by field', async (method, path, body, field) => {
    const { send } = await fresh();
    const reply = await send(method, path, body);
    expect(reply).toMatchObject({ status: 422, body: { message: expect.stringContaining(field), took: 0 } });
    expect(reply.body.errors).toHaveProperty(field);
  });

  test('are listed by query, in pages that link to the next', async () => {
    const [{ send, admin }, other] = [await fresh(), await fresh()];
    await other.send('POST', '/v2/alerts', { message: 'Theirs' });
    for (const [n, host] of ['a', 'b', 'c', 'd'].entries()) {
      it.clock.advance(1_000);
      const entity = `db-${host}`;
      await send('POST', '/v2/alerts', { message: `Disk ${host} is full`, alias: host, entity, priority: `P${n + 1}` });
    }
    const event = { source: 'x', sourceId: 'a', severity: 'critical', title: 'Not of Opsgenie', hostname: 'x' };
    await it.send('POST', '/api/events/ingest', event, { token: admin });
    await it.app.idle();
    await send('POST', '/v2/alerts/b/close?identifierType=alias');
    const listed = async (path: string) => {
      const { status, body } = await send('GET', path);
      expect([status, body.took, typeof body.requestId]).toEqual([200, 0, 'string']);
      return { aliases: body.data.map(({ alias }: { alias: string }) => alias).join(), ...body.paging };
    };
    const query = async (text: string) => (await listed(`/v2/alerts?query=${encodeURIComponent(text)}`)).aliases;
    expect((await listed('/v2/alerts')).aliases).toBe('d,c,b,a');
    expect(await query('status: open')).toBe('d,c,a');
    expect(await query('NOT (status: open AND priority: P4)')).toBe('c,b,a');
    expect(await query('message: "disk c" OR entity: db-a')).toBe('c,a');
    const first = await listed('/v2/alerts?query=status%3Dopen&limit=2&sort=priority&order=desc');
    expect(first).toMatchObject({ aliases: 'a,c', next: expect.stringMatching(/^\/v2\/alerts\?query=status%3Dopen&/) });
    expect(await listed(first.next)).toEqual({ aliases: 'd', first: first.first });
  });

  test('are snoozed until a time, and open again then', async () => {
    const { send, outcome, shown, admin } = await fresh();
    await send('POST', '/v2/alerts', alert);
    await send('POST', '/v2/alerts', { ...alert, alias: 'other', entity: 'db-2' });
    const at = (minutes: number) => new Date(it.clock.now() + minutes * 60_000).toISOString();
    const path = `/v2/alerts/${byAlias}/snooze?identifierType=alias`;
    const reply = await send('POST', path, { endTime: at(10), note: 'disk ordered', user: 'ann' });
    expect(reply.status).toBe(202);
    expect(await outcome(reply.body.requestId)).toMatchObject({ isSuccess: true, action: 'snooze' });
    await send('POST', path, { endTime: at(5) });
    expect(await shown(`${byAlias}?identifierType=alias`)).toMatchObject({ snoozed: true, snoozedUntil: at(5) });
    expect(await shown('other?identifierType=alias')).toMatchObject({ snoozed: false });
    const { silences } = (await it.send('GET', '/api/events/silences', undefined, { token: admin })).body;
    expect(silences).toMatchObject([{ endsAt: at(5), matcher: { source: 'opsgenie' } }]);
    await send('POST', '/v2/alerts', alert);
    expect(await shown(`${byAlias}?identifierType=alias`)).toMatchObject({ snoozed: true, count: 2 });
    const past = await send('POST', path, { endTime: at(-1) });
    expect(past).toMatchObject({ status: 422, body: { errors: { endTime: expect.stringContaining('future') } } });
    it.clock.advance(6 * 60_000);
    await send('POST', '/v2/alerts', alert);
    expect(await shown(`${byAlias}?identifierType=alias`)).toMatchObject({ snoozed: false, status: 'open', count: 3 });
  });

  test('are assigned to a user by id or name', async () => {
    const { send, outcome, shown, admin } = await fresh();
    const draft = { username: `ann-${tenants}`, password: 'a long password 1!', name: 'Ann', role: 'operator' };
    const { data: ann } = (await it.send('POST', '/api/admin/users', draft, { token: admin })).body;
    await send('POST', '/v2/alerts', alert);
    for (const owner of [{ username: draft.username }, { id: ann.id }]) {
      const reply = await send('POST', `/v2/alerts/${byAlias}/assign?identifierType=alias`, { owner, note: 'please' });
      expect(await outcome(reply.body.requestId)).toMatchObject({ isSuccess: true, action: 'assign' });
      expect(await shown(`${byAlias}?identifierType=alias`)).toMatchObject({ owner: 'Ann', acknowledged: false });
    }
  });

  test('are decided only with the permission for it', async () => {
    const { send, admin } = await fresh();
    await send('POST', '/v2/alerts', alert);
    const draft = { name: 'sender', kind: 'integration', scopes: ['events.webhook'] };
    const { token } = (await it.send('POST', '/api/admin/tokens', draft, { token: admin })).body.data;
    const headers = { authorization: `GenieKey ${token}` };
    for (const [method, path] of [
      ['GET', '/v2/alerts'],
      ['POST', `/v2/alerts/${byAlias}/snooze`],
      ['POST', `/v2/alerts/${byAlias}/assign`],
    ] as const) {
      const reply = await it.send(method, path, method === 'POST' ? {} : undefined, { token: null, headers });
      expect(reply).toMatchObject({ status: 403, body: { code: 40_301, message: expect.any(String) } });
    }
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
