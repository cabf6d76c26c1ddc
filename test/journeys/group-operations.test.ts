import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* One thing is done to several groups, and to events in none, with one request, and undone with another. */

const MINUTE = 60_000;
const NONE = 'COR-1-nobody';
const app = appOfTests();
let tenants = 0;

type Body = Readonly<Record<string, unknown>>;

/** Groups of three switches each, and one event in none. */
const furnished = async (sites: readonly string[] = ['fra', 'ams']) => {
  const tenant = `ops-${++tenants}`;
  const token = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.send(method, path, body, { token, headers });
  const ingest = async (events: readonly Body[]): Promise<string[]> => {
    const reply = await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
    await app.app.idle();
    return reply.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
  };
  const at = (site: string, hour: number, title: string): Body[] =>
    [1, 2, 3].map((n) => ({
      sourceId: `${site}-${n}`,
      hostname: `${site}-${n}`,
      severity: 'major',
      title,
      timestamp: START - hour * 60 * MINUTE,
    }));
  const ids: string[] = [];
  const events: string[][] = [];
  for (const [i, site] of sites.entries()) {
    const members = await ingest(at(site, 2 * (sites.length - i), `Link down at ${site}`));
    events.push(members);
    ids.push((await send('GET', `/api/events/${members[0]}`)).body.event.correlationId);
  }
  const [lone] = await ingest([
    { sourceId: 'db', hostname: 'pay-db', severity: 'critical', title: 'Database is down', timestamp: START },
  ]);
  const shown = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event;
  const group = async (id: string) => (await send('GET', `/api/events/groups/${id}`)).body.group;
  const act = (verb: string, body: Body, headers = {}) => send('POST', `/api/events/groups/${verb}`, body, headers);
  const audit = async (action: string) => (await send('GET', `/api/admin/audit?action=${action}`)).body.data;
  return { tenant, token, send, ingest, ids, events, lone: lone!, shown, group, act, audit };
};

const result = (id: string, changed: number, error: string | null = null) => ({
  id,
  ok: error === null,
  changed,
  queued: false,
  error,
});

test('an event in no group that an undo opens again hours later keeps its place and founds no group', async () => {
  const { send, ingest, act, shown } = await furnished([]);
  await ingest([
    {
      sourceId: 'fan',
      hostname: 'rack-9',
      severity: 'critical',
      title: 'Fan is broken',
      timestamp: START - 180 * MINUTE,
    },
  ]);
  const list = async () =>
    (await send('GET', '/api/events/groups?include=single&status=active')).body.groups.map(
      ({ correlationId }: { correlationId: string }) => correlationId,
    );
  const before = await list();
  expect(before).toHaveLength(2);
  app.clock.advance(4 * 60 * MINUTE);
  for (const id of before) {
    const { operationId } = (await act('resolve', { ids: [id] })).body;
    await act('undo', { operationId });
    await app.app.idle();
    expect(await shown(id)).toMatchObject({ status: 'open', correlationId: null });
  }
  expect(await list()).toEqual(before);
});

describe('acknowledging', () => {
  test('is one request, one audit entry, one line of history for each group, and one undo', async () => {
    const { ids, lone, act, audit, group, shown, events } = await furnished();
    const [a, b] = ids as [string, string];
    const { status, body } = await act('acknowledge', { ids: [a, b, lone, NONE], notes: 'power' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      operationId: expect.any(String),
      changed: 7,
      results: [result(a, 3), result(b, 3), result(lone, 1), result(NONE, 0, `Group ${NONE} was not found`)],
    });
    expect(await group(a)).toMatchObject({ status: 'acknowledged', counts: { open: 0, acknowledged: 3 } });
    expect(await shown(lone)).toMatchObject({ status: 'acknowledged', acknowledgedBy: { name: 'test' } });

    const entries = await audit('group.acknowledged');
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      target: { kind: 'group', id: a },
      actor: { name: 'test' },
      after: { operationId: body.operationId, ids: [a, b, lone], status: 'acknowledged', notes: 'power' },
    });
    expect(await audit('event.updated')).toEqual([]);
    const { history } = await group(a);
    expect(history).toEqual([expect.objectContaining({ kind: 'status', text: 'acknowledged 3 events: power' })]);

    const undone = await act('undo', { operationId: body.operationId });
    expect(undone.body).toMatchObject({ operationId: null, changed: 7 });
    expect(undone.body.results.map(({ id }: { id: string }) => id).sort()).toEqual([a, b, lone].sort());
    expect(await group(b)).toMatchObject({ status: 'active', counts: { open: 3, acknowledged: 0 } });
    const event = await shown(events[0]![0]!);
    expect(event.status).toBe('open');
    expect(event).not.toHaveProperty('acknowledgedBy');
    expect(await audit('group.undone')).toHaveLength(1);
  });

  test('moves what is open alone, and says so when nothing was', async () => {
    const { ids, act, send, events, shown, audit } = await furnished(['fra']);
    const [first, second] = events[0] as [string, string, string];
    await send('PATCH', `/api/events/${first}/status`, { status: 'resolved' });
    await send('PATCH', `/api/events/${second}/status`, { status: 'suppressed' });
    expect((await act('acknowledge', { ids })).body).toMatchObject({ changed: 1 });
    expect((await shown(first)).status).toBe('resolved');
    expect((await shown(second)).status).toBe('suppressed');
    expect((await act('acknowledge', { ids })).body).toMatchObject({ operationId: null, changed: 0 });
    expect(await audit('group.acknowledged')).toHaveLength(1);
    expect((await act('unacknowledge', { ids })).body).toMatchObject({ changed: 1 });
    expect((await act('reopen', { ids })).body).toMatchObject({ changed: 2 });
  });

  test('the same key does it once', async () => {
    const { ids, act, audit } = await furnished(['fra']);
    const key = { 'Idempotency-Key': 'ack-1' };
    const first = await act('acknowledge', { ids }, key);
    expect((await act('acknowledge', { ids }, key)).body).toEqual(first.body);
    expect(await audit('group.acknowledged')).toHaveLength(1);
  });
});

describe('an undo', () => {
  test('gives each event back what it was, and leaves alone what has changed since', async () => {
    const { ids, act, send, events, shown } = await furnished(['fra']);
    const [first, second, third] = events[0] as [string, string, string];
    await act('acknowledge', { ids, notes: 'mine' });
    await send('PATCH', `/api/events/${second}/status`, { status: 'suppressed' });
    const before = await shown(first);
    const { body } = await act('resolve', { ids, notes: 'new fuse', resolutionCategory: 'manual-fix' });
    expect(body.changed).toBe(3);
    expect(await shown(first)).toMatchObject({ status: 'resolved', resolutionCategory: 'manual-fix' });
    await send('POST', `/api/events/${third}/notes`, { text: 'I have seen it' });

    expect((await act('undo', { operationId: body.operationId })).body.changed).toBe(2);
    const { history: _was, updatedAt: _then, ...same } = before;
    const { history, updatedAt: _now, ...after } = await shown(first);
    expect(after).toEqual(same);
    expect(history.at(-1)).toMatchObject({ from: 'resolved', to: 'acknowledged', notes: 'undone' });
    expect((await shown(second)).status).toBe('suppressed');
    expect((await shown(third)).status).toBe('resolved');
    expect((await act('undo', { operationId: body.operationId })).body.changed).toBe(0);
  });

  test('opens nothing that its monitor has ended or reported anew meanwhile', async () => {
    const { act, ingest, lone, shown, send } = await furnished(['fra']);
    const first = (await act('resolve', { ids: [lone] })).body;
    await ingest([
      {
        sourceId: 'db',
        hostname: 'pay-db',
        severity: 'critical',
        title: 'Database is down',
        timestamp: START + MINUTE,
      },
    ]);
    expect((await act('undo', { operationId: first.operationId })).body.changed).toBe(0);
    expect((await shown(lone)).status).toBe('resolved');

    const alert = { status: 'firing', labels: { alertname: 'Full', instance: 'a:1' }, fingerprint: 'f1' };
    const hook = async (alerts: readonly Body[]) => {
      const reply = await send('POST', '/api/events/webhook/alertmanager', { version: '4', alerts });
      await app.app.idle();
      return reply;
    };
    await hook([{ ...alert, startsAt: new Date(START).toISOString() }]);
    const { events } = (await send('GET', '/api/events?search=Full')).body;
    const id = events[0].eventId;
    const second = (await act('resolve', { ids: [id] })).body;
    app.clock.advance(MINUTE);
    const endsAt = new Date(START + MINUTE).toISOString();
    await hook([{ ...alert, status: 'resolved', startsAt: new Date(START).toISOString(), endsAt }]);
    expect((await act('undo', { operationId: second.operationId })).body.changed).toBe(0);
    expect((await shown(id)).status).toBe('resolved');
  });

  test('of a firing condition keeps the condition, so that its monitor still ends it', async () => {
    const { act, send, shown } = await furnished([]);
    const alert = { status: 'firing', labels: { alertname: 'Full', instance: 'a:1' }, fingerprint: 'f1' };
    const startsAt = new Date(app.clock.now()).toISOString();
    const hook = async (more: Body) => {
      await send('POST', '/api/events/webhook/alertmanager', {
        version: '4',
        alerts: [{ ...alert, startsAt, ...more }],
      });
      await app.app.idle();
    };
    await hook({});
    const id = (await send('GET', '/api/events?search=Full')).body.events[0].eventId;
    const { operationId } = (await act('resolve', { ids: [id] })).body;
    await act('undo', { operationId });
    expect((await shown(id)).status).toBe('open');
    app.clock.advance(MINUTE);
    await hook({ status: 'resolved', endsAt: new Date(app.clock.now()).toISOString() });
    expect(await shown(id)).toMatchObject({ status: 'resolved', resolutionCategory: 'auto-resolved' });
  });

  test('is refused after ten minutes, and of what was never done', async () => {
    const { ids, act } = await furnished(['fra']);
    const { operationId } = (await act('acknowledge', { ids })).body;
    app.clock.advance(10 * MINUTE + 1_000);
    expect((await act('undo', { operationId })).status).toBe(404);
    expect((await act('undo', { operationId: '01M7YWBDXTWDA6R21CQ905J7YQ' })).status).toBe(404);
  });
});

describe('assigning', () => {
  test('gives groups and events in none to somebody at once, and takes it back', async () => {
    const { ids, lone, act, send, group, shown, audit } = await furnished();
    const [a, b] = ids as [string, string];
    await send('POST', '/v1/teams', { name: 'Night', members: [] });
    await send('POST', '/v1/teams', { name: 'Day', members: [] });
    await act('assign', { ids: [a], team_id: 'Day' });
    const { body } = await act('assign', { ids: [a, b, lone], team_id: 'Night' });
    expect(body).toMatchObject({ changed: 3, results: [{ ok: true }, { ok: true }, { ok: true }] });
    for (const id of [a, b]) expect((await group(id)).assignedTeam.name).toBe('Night');
    expect((await shown(lone)).assignedTeam.name).toBe('Night');
    expect(await audit('group.assigned')).toHaveLength(2);

    await act('assign', { ids: [b], team_id: null });
    expect((await act('undo', { operationId: body.operationId })).body.changed).toBe(2);
    expect((await group(a)).assignedTeam.name).toBe('Day');
    expect((await group(b)).assignedTeam).toBeNull();
    expect((await shown(lone)).assignedTeam).toBeUndefined();
    expect((await act('assign', { ids: [a], user_id: 'nobody-of-that-name' })).status).toBe(400);
    expect((await act('assign', { ids: [a] })).status).toBe(400);
  });
});

test('mine are also those of my teams', async () => {
  const { ids, act, send, tenant } = await furnished(['fra']);
  const password = 'a long enough password';
  const user = { username: 'bo', name: 'Bo', role: 'operator', password };
  const { id } = (await send('POST', '/api/admin/users', user)).body.data;
  await send('POST', '/v1/teams', { name: 'Storage', members: [id] });
  const login = await app.send('POST', '/api/auth/login', { username: 'bo', password, tenant });
  const mine = async () =>
    (await app.send('GET', '/api/events/groups?assignee=me', undefined, { token: login.body.data.token })).body.groups;
  expect(await mine()).toEqual([]);
  await act('assign', { ids, team_id: 'Storage' });
  expect(await mine()).toMatchObject([{ correlationId: ids[0] }]);
});
