import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

/* User actions on events are in the audit trail, once. */

const app = appOfTests();
let tenants = 0;

const fresh = async () => {
  const token = await app.tenant(`deeds-${++tenants}`);
  const headers = { 'x-department': 'network' };
  const send = (method: string, path: string, body?: unknown, more = {}) =>
    app.send(method, path, body, { token, headers: { ...headers, ...more } });
  const ingest = async (hostname: string): Promise<string> => {
    const draft = { source: 's', sourceId: hostname, severity: 'info', title: `Sensor of ${hostname}`, hostname };
    return (await send('POST', '/api/events/ingest', draft)).body.eventId;
  };
  const trail = async (query: string) => {
    await app.app.idle();
    return (await send('GET', `/api/admin/audit?${query}`)).body.data;
  };
  return { send, ingest, trail };
};

describe('a change of status', () => {
  test.each(['/api/events', '/v1/events'])('under %s: who, from where, before and after', async (prefix) => {
    const { send, ingest, trail } = await fresh();
    const id = await ingest('a');
    app.clock.advance(1_000);
    const reply = await send('PATCH', `${prefix}/${id}/status`, { status: 'acknowledged' });
    expect(reply.status).toBe(200);
    const entries = await trail(`target=event/${id}`);
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: new Date(app.clock.now()).toISOString(),
        action: 'event.updated',
        actor: expect.objectContaining({ name: 'test' }),
        address: '127.0.0.1',
        department: 'network',
        target: { kind: 'event', id },
        before: { status: 'open' },
        after: { status: 'acknowledged' },
      },
    ]);
  });

  test('names assignment, notes and category', async () => {
    const { send, ingest, trail } = await fresh();
    const id = await ingest('a');
    const night = (await send('POST', '/v1/teams', { name: 'Night' })).body.id;
    await send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged', assignedTeam: 'night' });
    const done = { status: 'resolved', notes: 'new disk', resolutionCategory: 'manual-fix', assignedTeam: null };
    await send('PATCH', `/api/events/${id}/status`, done);
    const team = { assignedTeam: { id: night, name: 'Night' } };
    expect(await trail(`target=event/${id}`)).toMatchObject([
      {
        before: { status: 'acknowledged', ...team },
        after: { status: 'resolved', resolutionCategory: 'manual-fix', notes: 'new disk' },
      },
      { before: { status: 'open' }, after: { status: 'acknowledged', ...team } },
    ]);
  });

  test('that changes nothing, is refused or comes twice leaves nothing more', async () => {
    const { send, ingest, trail } = await fresh();
    const id = await ingest('a');
    await send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' });
    await send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' });
    await send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged', assignedTo: 'nobody' });
    await send('PATCH', '/api/events/EVT-01M7YWBDXTWDA6R21CQ905J7YQ/status', { status: 'resolved' });
    expect(await trail('target=event')).toHaveLength(1);
    const rival = await ingest('b');
    await send('PATCH', `/api/events/${rival}/status`, { status: 'resolved' });
    await ingest('b');
    expect((await send('PATCH', `/api/events/${rival}/status`, { status: 'suppressed' })).status).toBe(409);
    expect(await trail('target=event')).toHaveLength(2);
  });

  test('by a monitor is none of a person', async () => {
    const { send, ingest, trail } = await fresh();
    await ingest('a');
    await send('POST', '/api/events/ingest', { source: 's', sourceId: 'a', status: 'resolved' });
    expect(await trail('target=event')).toEqual([]);
  });
});

test('events that are put together by hand', async () => {
  const { send, ingest, trail } = await fresh();
  const [one, two] = [await ingest('a'), await ingest('b')];
  const asked = { primaryEventId: one, relatedEventIds: [two], reason: 'same rack', notes: 'seen on site' };
  const key = { 'idempotency-key': 'once' };
  expect((await send('POST', '/api/events/correlate', asked, key)).status).toBe(200);
  expect((await send('POST', '/api/events/correlate', asked, key)).status).toBe(200);
  expect(await trail('action=event.correlated')).toMatchObject([
    {
      target: { kind: 'event', id: one },
      before: null,
      department: 'network',
      after: { relatedEventIds: [two], reason: 'same rack', notes: 'seen on site' },
    },
  ]);
});
