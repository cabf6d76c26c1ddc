import { beforeAll, describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { storeService } from '#test/setup/stored-service.ts';
import type { Reply } from '#test/setup/test-app.ts';

/** Work of an operator on call with a group: finds it, reads it, assigns it, and judges it. */

const SECOND = 1_000;
const app = appOfTests();
let send: (method: string, path: string, body?: unknown) => Promise<Reply>;
let id: string;
let events: string[];
let cis: string[];

const ingest = async (host: string, title: string, severity: string, more: object = {}): Promise<string> => {
  app.clock.advance(20 * SECOND);
  const timestamp = new Date(app.clock.now()).toISOString();
  const event = { source: 'zabbix', sourceId: `${host} ${title}`, hostname: host, severity, title, timestamp, ...more };
  return (await send('POST', '/api/events/ingest', event)).body.eventId;
};
const settled = async (): Promise<void> => {
  await app.app.idle();
};
const listed = async (query: string): Promise<string[]> => {
  const { body } = await send('GET', `/api/events/groups?${query}`);
  return body.groups.map(({ correlationId }: { correlationId: string }) => correlationId);
};
const group = async () => (await send('GET', `/api/events/groups/${id}`)).body.group;

beforeAll(async () => {
  const token = await app.tenant('acme');
  send = (method, path, body) => app.send(method, path, body, { token });
  const ci = async (name: string, type: string): Promise<string> =>
    (await send('POST', '/v1/cmdb/ci', { name, type, attributes: { hostname: name } })).body.id;
  cis = [
    await ci('sw-1', 'switch'),
    await ci('db-1', 'database'),
    await ci('app-1', 'server'),
    await ci('web-1', 'server'),
  ];
  for (const [source, target] of [
    [1, 0],
    [2, 1],
    [3, 2],
  ] as const)
    await send('POST', '/v1/cmdb/relationships', {
      source_ci: cis[source],
      target_ci: cis[target],
      type: 'depends_on',
    });
  await storeService(app.app.ports, 'acme', 'Shop', cis[3]!);
  app.clock.advance(60 * SECOND);
  events = [
    await ingest('sw-1', 'Link down', 'critical'),
    await ingest('db-1', 'PostgreSQL unreachable', 'critical', { service: 'orders' }),
    await ingest('app-1', 'HTTP 503', 'major'),
  ];
  await settled();
  [id] = (await listed('')) as [string];
});

describe('a group', () => {
  test('is listed with what its members make of it', async () => {
    const { body } = await send('GET', '/api/events/groups');
    expect(body.groups).toEqual([
      expect.objectContaining({
        correlationId: id,
        title: 'Link down',
        status: 'active',
        growing: true,
        severity: 'critical',
        learning: true,
        counts: { open: 3, acknowledged: 0, suppressed: 0, resolved: 0 },
        cis: { names: expect.arrayContaining(['sw-1', 'db-1', 'app-1']), count: 3 },
        services: { names: ['Shop'], count: 1 },
        sources: { names: ['zabbix'], count: 1 },
        assignedTo: null,
        verdict: null,
      }),
    ]);
    expect(body.groups[0].rootCause.eventId).toBe(events[0]);
    const [row] = (await send('GET', '/api/events/groups?view=row')).body.groups;
    expect(row).not.toHaveProperty('rootCause');
    const { ciId, hostname } = body.groups[0].rootCause;
    expect([row.causeName, body.groups[0].causeName]).toEqual(Array(2).fill(ciId?.name ?? hostname));
  });

  test.each([
    ['status=active', true],
    ['status=resolved,acknowledged', false],
    ['growing=true&hasOpen=true&severity=critical', true],
    ['growing=false', false],
    ['severity=minor', false],
    ['service=orders&host=DB-1&source=zabbix', true],
    ['host=db-9', false],
    ['assignee=none&verdict=none', true],
    ['assignee=me', false],
    ['search=postgres', true],
    ['search=nothing', false],
    ['from=2026-11-20T10:00:00Z&to=2026-11-21T10:00:00Z', true],
    ['from=2026-11-21T10:00:00Z', false],
  ])('%s finds it: %s', async (query, isFound) => {
    expect(await listed(query)).toEqual(isFound ? [id] : []);
  });

  test.each(['open', 'closed'])('the old word %s is refused, and the new one named', async (word) => {
    const { status, body } = await send('GET', `/api/events/groups?status=${word}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`growing=${word === 'open'}`);
  });

  test('tells its cause with names, what it breaks, and one sentence', async () => {
    const { cause, summary, impactedServices, aliases, notes } = await group();
    expect(cause).toMatchObject({
      event: { eventId: events[0] },
      ci: { id: cis[0], name: 'sw-1', type: 'switch' },
      pattern: 'link_down',
      aheadMs: 20_000,
      alternatives: expect.arrayContaining([
        { eventId: events[1], title: 'PostgreSQL unreachable', ciName: 'db-1', score: expect.any(Number) },
      ]),
      explains: expect.arrayContaining([{ ciId: cis[1], name: 'db-1', hops: 1 }]),
    });
    expect(cause.parts.coverage).toBeGreaterThan(0);
    expect(summary).toBe('Link down on sw-1; 2 CIs impacted; Shop is down');
    expect(impactedServices).toEqual([expect.objectContaining({ name: 'Shop', impact: 'full_outage' })]);
    expect([aliases, notes]).toEqual([[], []]);
  });

  test('lists its members with what joined them, a page at a time', async () => {
    const path = `/api/events/groups/${id}/members?limit=2`;
    const one = (await send('GET', path)).body;
    const two = (await send('GET', `${path}&cursor=${one.pagination.nextCursor}`)).body;
    const members = [...one.members, ...two.members];
    expect(members.map(({ eventId }: { eventId: string }) => eventId)).toEqual(events);
    for (const { eventId, joinedBy, details } of members) {
      expect(joinedBy).toMatchObject({ strategy: expect.any(String), score: expect.any(Number) });
      expect(events).toContain(joinedBy.other);
      expect([joinedBy.other === eventId, details]).toEqual([false, undefined]);
    }
  });

  test('is drawn with the roles of its CIs', async () => {
    const { graph } = (await send('GET', `/api/events/groups/${id}/graph`)).body;
    const roles = graph.nodes.map(({ id: ci, role, worst, open }: Record<string, unknown>) => [ci, role, worst, open]);
    expect(roles).toEqual([
      [cis[0], 'cause', 'critical', 1],
      [cis[1], 'victim', 'critical', 1],
      [cis[2], 'victim', 'major', 1],
      [cis[3], 'impacted', null, 0],
    ]);
    expect(graph.edges).toHaveLength(3);
    expect(graph.edges[0]).toMatchObject({ discoveredBy: 'manual' });
    expect(graph).toMatchObject({ services: [{ name: 'Shop', impact: 'full_outage' }], truncated: false });
    expect((await send('GET', `/api/events/groups/${id}/graph?limit=2`)).body.graph).toMatchObject({ truncated: true });
  });

  test('changes with its members, and its timeline says how', async () => {
    const set = (event: string, status: string) => send('PATCH', `/api/events/${event}/status`, { status });
    await set(events[0]!, 'acknowledged');
    await settled();
    expect(await group()).toMatchObject({
      status: 'active',
      severity: 'critical',
      acknowledgedBy: expect.objectContaining({ name: 'test' }),
      counts: { open: 2, acknowledged: 1, suppressed: 0, resolved: 0 },
    });
    await set(events[1]!, 'resolved');
    await settled();
    expect(await group()).toMatchObject({ status: 'active', severity: 'critical' });
    await set(events[2]!, 'suppressed');
    await settled();
    expect(await group()).toMatchObject({ status: 'acknowledged', severity: 'critical' });
    await set(events[0]!, 'resolved');
    await settled();
    expect(await group()).toMatchObject({
      status: 'resolved',
      counts: { open: 0, acknowledged: 0, suppressed: 1, resolved: 2 },
    });
    expect(await listed('status=resolved')).toEqual([id]);
    const { timeline, nextCursor, truncated } = (await send('GET', `/api/events/groups/${id}/timeline`)).body;
    const kinds = timeline.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => /founded|joined|cause/.test(kind))).toEqual(
      expect.arrayContaining(['founded', 'joined', 'joined', 'cause']),
    );
    expect(kinds[0]).toBe('founded');
    expect(kinds.filter((kind: string) => kind === 'status')).toHaveLength(4);
    expect([nextCursor, truncated]).toEqual([null, false]);
    const page = (await send('GET', `/api/events/groups/${id}/timeline?limit=2&cursor=1`)).body;
    expect([page.timeline, page.nextCursor]).toEqual([timeline.slice(1, 3), '3']);
    const newest = (await send('GET', `/api/events/groups/${id}/timeline?sortOrder=desc`)).body.timeline;
    expect(newest).toEqual(timeline.toReversed());
    expect((await send('GET', `/api/events/groups/${id}/timeline?cursor=x`)).status).toBe(400);
  });

  test('is taken by somebody, and given back', async () => {
    const path = `/api/events/groups/${id}/assignee`;
    const user = { username: 'ann', role: 'operator', password: 'a long enough password' };
    const ann = (await send('POST', '/api/admin/users', user)).body.data;
    const team = (await send('POST', '/api/admin/teams', { name: 'Night' })).body.data;
    const taken = await send('PUT', path, { user_id: 'ann', team_id: team.id });
    expect(taken.body.group).toMatchObject({
      assignedTo: { _id: ann.id, username: 'ann' },
      assignedTeam: { name: 'Night' },
    });
    for (const whose of [ann.id, team.id]) expect(await listed(`assignee=${whose}`)).toEqual([id]);
    expect(await listed('assignee=none')).toEqual([]);
    await send('PUT', path, { user_id: 'ann' });
    const { history } = await group();
    expect(history).toEqual([expect.objectContaining({ kind: 'assigned', text: expect.stringContaining('Night') })]);
    expect((await send('PUT', path, { user_id: null })).body.group).toMatchObject({
      assignedTo: null,
      assignedTeam: { name: 'Night' },
    });
    await send('PUT', path, { team_id: null });
    expect(await listed('assignee=none')).toEqual([id]);
    const trail = (await send('GET', '/api/admin/audit?action=group.assigned')).body.data;
    expect(trail).toHaveLength(3);
    expect(trail[0]).toMatchObject({ target: { kind: 'group', id }, actor: { name: 'test' } });
    for (const [body, field] of [
      [{ user_id: 'nobody' }, 'user_id'],
      [{ team_id: 'none' }, 'team_id'],
      [{}, 'user_id'],
    ] as const) {
      const { status, body: said } = await send('PUT', path, body);
      expect([status, JSON.stringify(said)]).toEqual([400, expect.stringContaining(field)]);
    }
  });

  test('has notes, in its timeline too', async () => {
    const { status, body } = await send('POST', `/api/events/groups/${id}/notes`, { text: 'the cable is ordered' });
    expect([status, body.group.notes]).toEqual([200, [expect.objectContaining({ text: 'the cable is ordered' })]]);
    const { timeline } = (await send('GET', `/api/events/groups/${id}/timeline?limit=500`)).body;
    expect(timeline.at(-1)).toMatchObject({ kind: 'note', text: 'the cable is ordered', by: { name: 'test' } });
    expect((await send('POST', `/api/events/groups/${id}/notes`, { text: ' ' })).status).toBe(400);
  });

  test('is judged, and verdicts are counted', async () => {
    const path = `/api/events/groups/${id}/verdict`;
    const verdict = { cause: 'wrong', rootEventId: events[1], members: 'too_many', note: 'it was the database' };
    for (let i = 0; i < 2; i++) {
      app.clock.advance(SECOND);
      expect((await send('PUT', path, verdict)).body.group.verdict).toMatchObject(verdict);
    }
    const judged = (await group()).history.filter(({ kind }: { kind: string }) => kind === 'verdict');
    expect(judged.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^root cause wrong \(it was “.+” on .+\), events too many: it was the database$/),
    ]);
    const [trail] = (await send('GET', '/api/admin/audit?action=group.judged')).body.data;
    expect(trail.after.verdict).toMatchObject({ cause: 'wrong', rootEventId: events[1]!.slice(4) });
    expect([await listed('verdict=wrong'), await listed('verdict=none')]).toEqual([[id], []]);
    const [row] = (await send('GET', '/api/events/groups?verdict=wrong&view=row')).body.groups;
    const { cause } = await group();
    expect([row.causeName, cause.score]).toEqual([cause.ci?.name ?? cause.event.hostname, null]);
    const { quality } = (await send('GET', '/api/events/quality?timeRange=24h')).body;
    const share = { right: 0, of: 1, interval: { low: 0, high: expect.closeTo(0.793, 3) } };
    expect(quality).toEqual({
      verdicts: 1,
      cause: share,
      groups: { correct: share, precise: share, complete: { right: 1, of: 1, interval: expect.anything() } },
      members: { right: 0, too_many: 1, too_few: 0 },
      truncated: false,
      corrections: { splits: 0, merges: 0, truncated: false },
      calibration: expect.objectContaining({ of: 1, error: null }),
      byStrategy: [{ strategy: expect.any(String), ...share }],
      byCiType: [{ type: 'switch', ...share }],
    });
    await send('PUT', path, { cause: 'right', members: 'right' });
    expect((await group()).verdict).not.toHaveProperty('note');
    const again = (await send('GET', '/api/events/quality')).body.quality;
    expect(again).toMatchObject({ verdicts: 1, cause: { right: 1, of: 1 } });
    for (const rootEventId of ['EVT-nothing', 'EVT-01M00000000000000000000000'])
      expect((await send('PUT', path, { ...verdict, rootEventId })).status).toBe(400);
  });

  test('without a certain cause names the second best, too', async () => {
    const token = await app.tenant('unsure');
    const as = (method: string, path: string, body?: object) => app.send(method, path, body, { token });
    for (const [n, title] of ['Queue grows', 'Checkout is slow'].entries())
      await as('POST', '/api/events/ingest', {
        source: 'zabbix',
        sourceId: `${n}`,
        hostname: `h-${n}`,
        service: 'orders',
        severity: 'major',
        title,
      });
    await settled();
    const [row] = (await as('GET', '/api/events/groups?view=row')).body.groups;
    const { confidence, alternatives } = row.rootCauseCandidate;
    expect(confidence).toBeLessThan(0.4);
    const other = row.title === 'Queue grows' ? 'Checkout is slow' : 'Queue grows';
    expect(row.secondBest).toEqual({ eventId: alternatives[0].eventId, title: other, ciName: null });
    const { group: whole } = (await as('GET', `/api/events/groups/${row.correlationId}`)).body;
    expect(whole.secondBest).toEqual(row.secondBest);
    expect((await group()).secondBest).toBeNull();
  });

  test('names a CI without events by what its instances report', async () => {
    const token = await app.tenant('parts');
    const as = (method: string, path: string, body?: object) => app.send(method, path, body, { token });
    const ids = new Map<string, string>();
    for (const name of ['shop', 'shop-0', 'shop-1', 'shop-2'])
      ids.set(
        name,
        (await as('POST', '/v1/cmdb/ci', { name, type: 'application', attributes: { hostname: name } })).body.id,
      );
    for (const instance of ['shop-0', 'shop-1', 'shop-2']) {
      const ends = { source_ci: ids.get(instance), target_ci: ids.get('shop') };
      await as('POST', '/v1/cmdb/relationships', { ...ends, type: 'member_of' });
      const event = {
        source: 'zabbix',
        sourceId: instance,
        hostname: instance,
        severity: 'major',
        title: 'Memory is high',
      };
      await as('POST', '/api/events/ingest', event);
    }
    await settled();
    const [row] = (await as('GET', '/api/events/groups?view=row')).body.groups;
    expect(row.rootCauseCandidate).toMatchObject({ ciId: ids.get('shop'), byParts: true });
    expect(row.causeName).toBe('shop');
    expect(row.causeByParts).toEqual({ id: ids.get('shop'), name: 'shop', type: 'application' });
    const { cause, summary } = (await as('GET', `/api/events/groups/${row.correlationId}`)).body.group;
    expect([cause.ci.name, summary]).toEqual(['shop', 'Memory is high on shop']);
    expect(cause.evidence[0]).toMatchObject({ kind: 'parts', title: 'Memory is high', parts: { saying: 3, all: 3 } });
    expect(cause.alternatives.map(({ ciName }: { ciName: string }) => ciName)).toContain('shop-0');
  });

  test.each(['', '/members', '/timeline', '/graph'])('one that is not there has no %s', async (path) => {
    expect((await send('GET', `/api/events/groups/COR-1-nothing${path}`)).status).toBe(404);
  });
});
