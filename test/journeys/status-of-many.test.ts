import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { LINEAR, processorTimeUntil } from '#test/setup/processor-time.ts';
import { START } from '#test/setup/test-app.ts';

/* Many events are acknowledged, resolved and opened again with one request. */

const MINUTE = 60_000;
const NONE = 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ';
const app = appOfTests();
let tenants = 0;

const furnished = async () => {
  const tenant = `many-${++tenants}`;
  const token = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.send(method, path, body, { token, headers });
  /** Ids in the order of the hosts. */
  const ingest = async (hosts: readonly string[], more: object = {}): Promise<string[]> => {
    const events = hosts.map((hostname) => ({
      sourceId: hostname,
      hostname,
      severity: 'major',
      title: 'Link down',
      timestamp: START,
      ...more,
    }));
    const reply = await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
    await app.app.idle();
    return reply.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
  };
  const move = (body: object, headers = {}) => send('POST', '/api/events/status', body, headers);
  const shown = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event;
  const total = async (query: string): Promise<number> =>
    (await send('GET', `/api/events?${query}`)).body.pagination.total;
  return { tenant, send, ingest, move, shown, total };
};
const hostsOf = (n: number, prefix = 'h'): string[] => Array.from({ length: n }, (_, i) => `${prefix}-${i}`);

describe('by ids', () => {
  test('says what each became, and names those that are unknown', async () => {
    const { ingest, move, shown, total } = await furnished();
    const [a, b, c] = (await ingest(hostsOf(3))) as [string, string, string];
    await move({ ids: [a], status: 'acknowledged' });
    const { status, body } = await move({ ids: [a, b, b, NONE, 'EVT-7'], status: 'acknowledged', notes: 'looking' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      matched: 4,
      changed: 1,
      unchanged: 1,
      queued: 0,
      more: false,
      failed: [
        { eventId: NONE, error: `Event ${NONE} was not found` },
        { eventId: 'EVT-7', error: 'Event EVT-7 was not found' },
      ],
    });
    for (const id of [a, b])
      expect((await shown(id)).history.at(-1)).toMatchObject({ to: 'acknowledged', notes: 'looking' });
    expect((await shown(c)).status).toBe('open');
    expect(await total('status=acknowledged')).toBe(2);
  });

  test('is undone by its opposite, from any state', async () => {
    const { ingest, move, shown } = await furnished();
    const [id] = (await ingest(['h'])) as [string];
    const before = await shown(id);
    for (const status of ['acknowledged', 'suppressed', 'resolved']) {
      expect((await move({ ids: [id], status })).body).toMatchObject({ changed: 1 });
      expect((await shown(id)).status).toBe(status);
      expect((await move({ ids: [id], status: 'open' })).body).toMatchObject({ changed: 1, failed: [] });
      const { history, updatedAt, conditions, ...after } = await shown(id);
      const { history: _history, updatedAt: _at, conditions: _conditions, ...first } = before;
      expect(after).toEqual(first);
      expect(history.at(-1)).toMatchObject({ from: status, to: 'open', by: { name: 'test' } });
    }
  });

  test('what is resolved stays so while another event of its complaint is open', async () => {
    const { ingest, move, shown } = await furnished();
    const [old] = (await ingest(['h'])) as [string];
    await move({ ids: [old], status: 'resolved' });
    const [next] = (await ingest(['h'], { timestamp: START + 10 * MINUTE })) as [string];
    expect(next).not.toBe(old);
    const { status, body } = await move({ ids: [old], status: 'open' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      matched: 1,
      changed: 0,
      failed: [{ eventId: old, error: expect.stringContaining(next) }],
    });
    expect((await shown(old)).status).toBe('resolved');
  });

  test('two ended events of one complaint: one is opened, the other refused', async () => {
    const { ingest, move } = await furnished();
    const [a] = (await ingest(['h'])) as [string];
    await move({ ids: [a], status: 'resolved' });
    const [b] = (await ingest(['h'], { timestamp: START + 10 * MINUTE })) as [string];
    await move({ ids: [b], status: 'resolved' });
    expect((await move({ ids: [a, b], status: 'open' })).body).toMatchObject({ changed: 1, failed: [{}] });
  });
});

describe('of a group', () => {
  test('the numbers equal a fresh list; a repeat with the same key changes nothing and says the same', async () => {
    const { ingest, move, send, total } = await furnished();
    const ids = await ingest(hostsOf(12));
    const { groups } = (await send('GET', '/api/events/groups')).body;
    expect(groups).toHaveLength(1);
    const { correlationId, eventCount } = groups[0];
    expect(eventCount).toBe(12);
    await move({ ids: ids.slice(0, 2), status: 'resolved' });
    await move({ ids: ids.slice(2, 3), status: 'acknowledged' });

    const key = { 'Idempotency-Key': 'ack-1' };
    const first = await move({ correlationId, status: 'acknowledged', notes: 'power is coming back' }, key);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      matched: 12,
      changed: 9,
      unchanged: 3,
      queued: 0,
      failed: [],
      more: false,
    });
    const inGroup = `correlationId=${correlationId}`;
    expect(await total(inGroup)).toBe(first.body.matched);
    expect(await total(`${inGroup}&status=acknowledged`)).toBe(10);
    expect(await total(`${inGroup}&status=resolved`)).toBe(2);

    const history = async () => (await send('GET', `/api/events/${ids[5]}`)).body.event.history.length;
    const before = await history();
    const again = await move({ correlationId, status: 'acknowledged', notes: 'power is coming back' }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await history()).toBe(before);
  });

  test('what recovered by itself stays so when the group is opened again', async () => {
    const { ingest, move, send, total, shown } = await furnished();
    const ids = await ingest(hostsOf(4));
    const { correlationId } = (await send('GET', '/api/events/groups')).body.groups[0];
    await send('POST', '/api/events/ingest', { source: 'test', sourceId: 'h-0', status: 'resolved' });
    expect((await move({ correlationId, status: 'resolved', resolutionCategory: 'manual-fix' })).body).toMatchObject({
      matched: 4,
      changed: 3,
      unchanged: 1,
    });
    expect(await total('status=resolved')).toBe(4);
    expect((await shown(ids[1]!)).resolutionCategory).toBe('manual-fix');
    expect((await move({ correlationId, status: 'open' })).body).toMatchObject({
      matched: 4,
      changed: 3,
      unchanged: 1,
    });
    expect(await total('status=open')).toBe(3);
    expect((await shown(ids[0]!)).status).toBe('resolved');
  });

  test('that nobody knows: 404', async () => {
    const { move } = await furnished();
    expect((await move({ correlationId: 'COR-1-nobody', status: 'open' })).status).toBe(404);
  });
});

describe('by filter', () => {
  test('what is found, unless more is found than was expected', async () => {
    const { ingest, move, total } = await furnished();
    await ingest(hostsOf(5, 'fra1'));
    await ingest(hostsOf(3, 'ams2'));
    const filter = { host: ['fra1-*'], status: 'open', grouped: true };
    const refused = await move({ filter, expect: 4, status: 'suppressed' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ matched: 5, message: expect.stringContaining('Filter matches 5 events') });
    expect(await total('status=suppressed')).toBe(0);
    expect((await move({ filter, expect: 5, status: 'suppressed' })).body).toMatchObject({ matched: 5, changed: 5 });
    expect(await total('status=suppressed')).toBe(5);
    expect(await total('host=fra1-*&status=suppressed')).toBe(5);
    expect((await move({ filter, expect: 0, status: 'suppressed' })).body).toMatchObject({ matched: 0, changed: 0 });
  });

  test('1,204 events in one request, in linear time', async () => {
    const { ingest, move, total } = await furnished();
    await ingest(hostsOf(150, 'squall'), { severity: 'warning' });
    await ingest(hostsOf(1_204, 'storm'), { severity: 'warning' });
    await ingest(['calm']);
    const timeFor = (host: string, count: number): Promise<number> =>
      processorTimeUntil(async () => {
        const { status, body } = await move({ filter: { host }, expect: count, status: 'acknowledged' });
        expect([status, body]).toMatchObject([200, { matched: count, changed: count, unchanged: 0, more: false }]);
      });
    const few = await timeFor('squall-*', 150);
    const time = await timeFor('storm-*', 1_204);
    process.stderr.write(`1,204 events acknowledged by filter with ${Math.round(time / 1_000)} ms of work\n`);
    expect(await total('status=acknowledged')).toBe(1_354);
    expect(await total('status=open')).toBe(1);
    expect(time / few).toBeLessThan(LINEAR);
  });
});

test('each change is in the audit trail, with who and from where', async () => {
  const { ingest, move, send } = await furnished();
  const ids = await ingest(hostsOf(3));
  await move({ ids, status: 'resolved', notes: 'new cable' }, { 'X-Department': 'network' });
  await app.app.idle();
  for (const id of ids)
    expect((await send('GET', `/api/admin/audit?target=event/${id}`)).body.data).toMatchObject([
      {
        action: 'event.updated',
        actor: { name: 'test' },
        address: '127.0.0.1',
        department: 'network',
        before: { status: 'open' },
        after: { status: 'resolved', notes: 'new cable' },
      },
    ]);
});

test('another tenant changes nothing of ours', async () => {
  const [ours, theirs] = [await furnished(), await furnished()];
  const [id] = (await ours.ingest(hostsOf(3))) as [string];
  const { correlationId } = (await ours.send('GET', '/api/events/groups')).body.groups[0];
  expect((await theirs.move({ ids: [id], status: 'resolved' })).body).toMatchObject({ changed: 0, failed: [{}] });
  expect((await theirs.move({ correlationId, status: 'resolved' })).status).toBe(404);
  const filter = { ids: [id] };
  expect((await theirs.move({ filter, expect: 1, status: 'resolved' })).body).toMatchObject({ matched: 0, changed: 0 });
  expect((await theirs.send('POST', `/api/events/${id}/notes`, { text: 'x' })).status).toBe(404);
  expect((await ours.shown(id)).status).toBe('open');
});

test.each([
  [{ status: 'open' }, 'ids', 'one of ids, correlationId and filter'],
  [{ ids: ['a'], correlationId: 'b', status: 'open' }, 'ids', 'one of ids'],
  [{ ids: [], status: 'open' }, 'ids', ''],
  [{ ids: Array.from({ length: 1_001 }, (_, n) => `EVT-${n}`), status: 'open' }, 'ids', '1000'],
  [{ filter: {}, status: 'open' }, 'expect', 'number of events'],
  [{ ids: ['a'], expect: 3, status: 'open' }, 'expect', 'requires filter'],
  [{ ids: ['a'], status: 'closed' }, 'status', 'acknowledged'],
  [{ ids: ['a'], status: 'open', resolutionCategory: 'duplicate' }, 'resolutionCategory', 'resolved'],
  [{ filter: { hosts: 'x' }, expect: 1, status: 'open' }, 'filter', 'hosts'],
  [{ filter: { severity: 'bad' }, expect: 1, status: 'open' }, 'filter.severity', 'critical'],
])('refuses %j', async (body, field, expected) => {
  const { move } = await furnished();
  const reply = await move(body);
  expect(reply.status).toBe(400);
  expect(JSON.stringify(reply.body)).toContain(field);
  expect(JSON.stringify(reply.body)).toContain(expected);
});

test('a note is kept with who and when, and moves nothing', async () => {
  const { ingest, send, shown } = await furnished();
  const [id] = (await ingest(['h'])) as [string];
  const { status, body } = await send('POST', `/api/events/${id}/notes`, { text: ' the cable is ordered ' });
  expect([status, body.event.status]).toEqual([200, 'open']);
  const { history } = await shown(id);
  expect(history.at(-1)).toMatchObject({
    from: 'open',
    to: 'open',
    notes: 'the cable is ordered',
    by: { name: 'test' },
  });
  await app.app.idle();
  expect((await send('GET', `/api/admin/audit?target=event/${id}`)).body.data).toMatchObject([
    { action: 'event.updated', after: { status: 'open', notes: 'the cable is ordered' } },
  ]);
  expect((await send('POST', `/api/events/${NONE}/notes`, { text: 'x' })).status).toBe(404);
  expect((await send('POST', `/api/events/${id}/notes`, { text: ' ' })).status).toBe(400);
});
