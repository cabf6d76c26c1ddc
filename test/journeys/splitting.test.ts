import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { testWith } from '#test/setup/is-there.ts';
import { openLiveStream } from '#test/setup/live-stream.ts';
import { openTestApp, type Reply, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/** Two faults that were merged by mistake are split, and stay so. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let app: TestApp;
let receiver: HookReceiver;
let token: string;
let send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
let cis: string[];
let events: string[];
let id: string;
let round = 0;

const ingest = async (host: string, title: string, severity: string): Promise<string> => {
  // Work during an advance of the clock seems to last 20 s, and is followed by a pause of 4 s.
  await settled();
  app.clock.advance(20 * SECOND);
  const timestamp = new Date(app.clock.now()).toISOString();
  const sourceId = `${host} ${title} ${round}`;
  const body = { source: 'zabbix', sourceId, hostname: host, severity, title, timestamp };
  return (await send('POST', '/api/events/ingest', body)).body.eventId;
};
const settled = () => app.app.idle();
const groupOf = async (event: string): Promise<string | null> =>
  (await send('GET', `/api/events/${event}`)).body.event.correlationId;
const shown = async (group: string) => (await send('GET', `/api/events/groups/${group}`)).body.group;
const membersOf = async (group: string): Promise<string[]> =>
  (await send('GET', `/api/events/groups/${group}/members?limit=500`)).body.members.map(
    ({ eventId }: { eventId: string }) => eventId,
  );
const split = (group: string, eventIds: readonly string[], reason = 'two faults', headers = {}) =>
  send('POST', `/api/events/groups/${group}/split`, { eventIds, reason }, headers);
const timeline = async (group: string): Promise<{ kind: string; text: string; by?: object }[]> =>
  (await send('GET', `/api/events/groups/${group}/timeline?limit=500`)).body.timeline;

beforeAll(async () => {
  receiver = await openHookReceiver();
  app = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  token = await app.tenant('acme');
  send = (method, path, body, headers) => app.send(method, path, body, { token, ...(headers && { headers }) });
  const ci = async (name: string, type: string): Promise<string> =>
    (await send('POST', '/v1/cmdb/ci', { name, type, attributes: { hostname: name } })).body.id;
  cis = [
    await ci('sw-1', 'switch'),
    await ci('db-1', 'database'),
    await ci('app-1', 'server'),
    await ci('web-1', 'server'),
  ];
  for (const source of cis.slice(1))
    await send('POST', '/v1/cmdb/relationships', { source_ci: source, target_ci: cis[0], type: 'depends_on' });
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

/** Four events of one group, hours after the round before. */
beforeEach(async () => {
  round += 1;
  app.clock.advance(2 * 60 * MINUTE);
  events = [
    await ingest('sw-1', 'Link down', 'critical'),
    await ingest('db-1', 'PostgreSQL unreachable', 'major'),
    await ingest('app-1', 'HTTP 503', 'minor'),
    await ingest('web-1', 'HTTP 502', 'warning'),
  ];
  await settled();
  id = (await groupOf(events[0]!))!;
  expect((await membersOf(id)).sort()).toEqual([...events].sort());
});

test('the timeline tells of causes, of changes around its CIs, and of its end; the list has a line of arrivals', async () => {
  await send('PUT', `/v1/cmdb/ci/${cis[1]}`, { description: 'moved to another rack' });
  const { body } = await send('GET', `/api/events/groups?view=row&status=active&limit=5`);
  const row = body.groups.find(({ correlationId }: { correlationId: string }) => correlationId === id);
  expect(row.spark).toHaveLength(24);
  expect([row.spark[0], row.spark[23], row.spark.reduce((sum: number, n: number) => sum + n, 0)]).toEqual([1, 1, 4]);
  app.clock.advance(90 * MINUTE);
  const told = (await timeline(id)).map(({ kind, text }) => `${kind}: ${text}`);
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^founded: Link down/),
      expect.stringMatching(/^cause: probable root cause: Link down/),
      'topology: db-1 was changed',
      'closed: no longer growing: no new events for 1h',
    ]),
  );
});

test('readers of live changes are told of both groups', async () => {
  const stream = await openLiveStream(`${app.url}/sse/changes?topics=groups`, { token, lastId: null });
  await stream.next('hello');
  const { correlationId } = (await split(id, events.slice(2))).body;
  const named = () => stream.events.flatMap(({ data }) => data.groups?.ids ?? []);
  await until(async () => named().includes(id) && named().includes(correlationId));
  await stream.cut();
});

testWith('webhooks.create')('webhooks are told of the new group, and of the one that has fewer members', async () => {
  const made = await send('POST', '/v1/webhooks', {
    name: 'Chat',
    url: receiver.url,
    events: ['correlation.created', 'correlation.updated'],
  });
  expect(made.status).toBe(201);
  const { correlationId } = (await split(id, events.slice(2))).body;
  const told = () =>
    receiver.received.map(({ body }) => [
      body.event,
      body.data.correlation.correlationId,
      body.data.correlation.eventCount,
    ]);
  await settled();
  // Changes of one group within ten seconds are sent together.
  app.clock.advance(15 * SECOND);
  await until(async () => {
    app.app.ports.background.ring('deliver-webhooks');
    await settled();
    return told().length >= 2;
  });
  expect(told()).toEqual(
    expect.arrayContaining([
      ['correlation.created', correlationId, 2],
      ['correlation.updated', id, 2],
    ]),
  );
  expect((await send('DELETE', `/v1/webhooks/${made.body.id}`)).status).toBeLessThan(300);
});

describe('events are split off', () => {
  test('two found a group, and both are at once what their members make of them', async () => {
    await send('PATCH', `/api/events/${events[0]}/status`, { status: 'acknowledged' });
    const { status, body } = await split(id, [events[2]!, events[3]!]);
    expect([status, body]).toEqual([200, { success: true, correlationId: expect.stringMatching(/^COR-/) }]);
    const { correlationId } = body;
    expect([await membersOf(id), await membersOf(correlationId)]).toEqual([events.slice(0, 2), events.slice(2)]);
    expect(await shown(id)).toMatchObject({
      correlationId: id,
      eventCount: 2,
      severity: 'critical',
      title: 'Link down',
      counts: { open: 1, acknowledged: 1, suppressed: 0, resolved: 0 },
      hosts: { names: ['db-1', 'sw-1'], count: 2 },
    });
    expect(await shown(correlationId)).toMatchObject({
      eventCount: 2,
      severity: 'minor',
      status: 'active',
      counts: { open: 2, acknowledged: 0, suppressed: 0, resolved: 0 },
      hosts: { names: ['app-1', 'web-1'], count: 2 },
      cause: { event: { eventId: expect.stringMatching(new RegExp(`${events[2]}|${events[3]}`)) } },
    });
    const by = expect.objectContaining({ name: 'test' });
    expect((await shown(id)).history).toEqual([
      expect.objectContaining({ kind: 'split', text: `split 2 events into ${correlationId}: two faults`, by }),
    ]);
    expect(await timeline(correlationId)).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'split', text: `split from ${id}: two faults` })]),
    );
    const [entry] = (await send('GET', '/api/admin/audit?action=group.split')).body.data;
    expect(entry).toMatchObject({
      target: { kind: 'group', id },
      actor: by,
      after: { eventIds: expect.arrayContaining(events.slice(2)), correlationId, reason: 'two faults' },
    });
  });

  test('one is in no group, and says so', async () => {
    const { body } = await split(id, [events[3]!]);
    expect(body).toMatchObject({ correlationId: null });
    expect([await groupOf(events[3]!), await membersOf(id)]).toEqual([null, events.slice(0, 3)]);
  });

  test('further events, second arrivals and correlation on demand do not join them again; a person does', async () => {
    const { correlationId } = (await split(id, [events[2]!, events[3]!])).body;
    for (let n = 0; n < 4; n++)
      for (const host of ['sw-1', 'app-1', 'db-1', 'web-1']) await ingest(host, `Fault ${n}`, 'major');
    await ingest('web-1', 'HTTP 502', 'critical');
    for (const event of events) {
      const { status, body } = await send('POST', `/api/events/${event}/correlate`);
      expect(status).toBe(200);
      if (event === events[3])
        expect(body.correlations.correlatedEvents.map(({ refusedBy }: { refusedBy?: string }) => refusedBy)).toContain(
          'apart',
        );
    }
    await settled();
    expect([await groupOf(events[0]!), await groupOf(events[1]!)]).toEqual([id, id]);
    expect([await groupOf(events[2]!), await groupOf(events[3]!)]).toEqual([correlationId, correlationId]);
    const body = { primaryEventId: events[0], relatedEventIds: [events[3]], reason: 'one fault' };
    expect((await send('POST', '/api/events/correlate', body)).body.correlationId).toBe(id);
    expect([await groupOf(events[2]!), (await shown(correlationId)).correlationId]).toEqual([id, id]);
    expect((await timeline(id)).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['split', 'merged']));
  });

  test('quality counts what stands, not what was taken back', async () => {
    const counted = async () => (await send('GET', '/api/events/quality?timeRange=1h')).body.quality.corrections;
    const none = { splits: 0, merges: 0, truncated: false };
    expect(await counted()).toEqual(none);
    const { correlationId } = (await split(id, events.slice(2))).body;
    expect(await counted()).toEqual({ ...none, splits: 1 });
    app.clock.advance(SECOND);
    const back = { primaryEventId: events[0], relatedEventIds: events.slice(2), reason: 'The split was taken back' };
    await send('POST', '/api/events/correlate', back);
    expect([await groupOf(events[2]!), await counted()]).toEqual([id, none]);
    app.clock.advance(30 * MINUTE);
    const other = await ingest('far-away', 'Disk full', 'minor');
    await settled();
    expect(await groupOf(other)).toBeNull();
    await send('POST', '/api/events/correlate', { primaryEventId: events[0], relatedEventIds: [other], reason: 'one' });
    expect(await counted()).toEqual({ ...none, merges: 1 });
    app.clock.advance(SECOND);
    await split(id, [other]);
    expect(await counted()).toEqual(none);
    expect(correlationId).not.toBeNull();
  });

  test('the same again changes nothing, with and without an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `split-${round}` };
    const first = (await split(id, events.slice(2), 'two faults', headers)).body.correlationId;
    expect((await split(id, events.slice(2), 'two faults', headers)).body.correlationId).toBe(first);
    expect((await split(id, events.slice(2), 'again')).body.correlationId).toBe(first);
    expect((await shown(id)).history).toHaveLength(1);
  });

  test('hours later, when the group takes no more members', async () => {
    app.clock.advance(6 * 60 * MINUTE);
    await ingest('far-away', 'Disk full', 'minor');
    await settled();
    const { correlationId } = (await split(id, events.slice(2))).body;
    expect([await membersOf(id), await membersOf(correlationId)]).toEqual([events.slice(0, 2), events.slice(2)]);
    expect((await shown(id)).counts.open).toBe(2);
  });

  test.each([
    ['nothing', () => [], 400, 'eventIds'],
    ['an unknown event', () => ['EVT-01M00000000000000000000000'], 404, 'EVT-01M00000000000000000000000'],
    ['no id', () => ['nonsense'], 404, 'nonsense'],
    ['all of it', () => events, 400, 'Leave at least one in the group'],
  ])('%s is refused', async (_, eventIds, status, text) => {
    const reply = await split(id, eventIds());
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringContaining(text)]);
    expect(await membersOf(id)).toEqual(events);
  });

  test('neither is an event of another group, nor a group of another tenant', async () => {
    app.clock.advance(2 * 60 * MINUTE);
    const stranger = await ingest('far-away', 'Disk full', 'minor');
    await settled();
    const reply = await split(id, [events[0]!, stranger]);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(`${stranger} are not`)]);
    const other = await app.tenant(`other-${round}`);
    const path = `/api/events/groups/${id}/split`;
    const theirs = await app.send('POST', path, { eventIds: [events[0]], reason: 'x' }, { token: other });
    expect(theirs.status).toBe(404);
    expect((await split('COR-1-nothing', [events[0]!])).status).toBe(404);
    expect((await split(id, [events[0]!], ' ')).status).toBe(400);
  });
});
