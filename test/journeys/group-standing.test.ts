import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { storeService } from '#test/setup/stored-service.ts';
import { START } from '#test/setup/test-app.ts';

/*
 * Visible state of a group: acknowledged until it becomes worse, as severe as its unfinished members, with the
 * currently affected services.
 */

const app = appOfTests();
let tenants = 0;

type Body = Readonly<Record<string, unknown>>;

/** A rack below a power feed, with a service on each of two servers in it, and a group of feed and rack. */
const furnished = async () => {
  const tenant = `standing-${++tenants}`;
  const token = await app.tenant(tenant);
  const service = (ci: string) => storeService(app.app.ports, tenant, 'Shop', ci);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const ci = async (name: string): Promise<string> =>
    (await send('POST', '/v1/cmdb/ci', { name, type: 'server' })).body.id;
  const cis = { feed: await ci('feed'), rack: await ci('rack'), web: await ci('web'), db: await ci('db') };
  for (const [source, target] of [
    [cis.rack, cis.feed],
    [cis.web, cis.rack],
    [cis.db, cis.rack],
  ])
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: source, target_ci: target });
  let seconds = 0;
  /** Joining events are processed when they contain their group. */
  const settle = async () => {
    await app.app.idle();
    app.clock.advance(1_000);
    await app.app.idle();
  };
  const event = async (hostname: string, severity: string, title = 'Not reachable', more: Body = {}) => {
    const timestamp = START + ++seconds * 1_000;
    const sent = { source: 'test', sourceId: `${hostname} ${title}`, severity, title, hostname, timestamp, ...more };
    const { body } = await send('POST', '/api/events/ingest', sent);
    await settle();
    return body.eventId as string;
  };
  const root = await event('feed', 'major', 'Power feed lost');
  const victim = await event('rack', 'major');
  const { correlationId: id } = (await send('GET', `/api/events/${root}`)).body.event;
  const group = async (named = id) => (await send('GET', `/api/events/groups/${named}`)).body.group;
  const set = async (eventId: string, status: string) => {
    await send('PATCH', `/api/events/${eventId}/status`, { status });
    await app.app.idle();
  };
  const act = async (verb: string, body: Body = {}) => {
    const reply = await send('POST', `/api/events/groups/${verb}`, { ids: [id], ...body });
    await app.app.idle();
    return reply.body;
  };
  return { token, send, service, cis, event, root, victim, id, group, set, act };
};

test('who joins an acknowledged group changes nothing, unless it is worse', async () => {
  const { event, id, group, act, send, set } = await furnished();
  await act('acknowledge');
  const said = await group();
  expect(said).toMatchObject({ status: 'acknowledged', severity: 'major', worseSince: null });
  expect(said).toMatchObject({ acknowledgedBy: { name: 'test' }, counts: { open: 0, acknowledged: 2 } });
  await event('web', 'warning');
  expect(await group()).toMatchObject({
    status: 'acknowledged',
    severity: 'major',
    counts: { open: 1, acknowledged: 2 },
  });
  const listed = await send('GET', '/api/events/groups?status=acknowledged');
  expect(listed.body.groups.map((one: { correlationId: string }) => one.correlationId)).toEqual([id]);

  const worst = await event('db', 'critical');
  const worse = await group();
  expect(worse).toMatchObject({ status: 'active', severity: 'critical', worseSince: expect.any(String) });
  expect(worse.acknowledgedAt).toBe(said.acknowledgedAt);
  await act('acknowledge');
  expect(await group()).toMatchObject({ status: 'acknowledged', severity: 'critical', worseSince: null });
  await set(worst, 'resolved');
  expect(await group()).toMatchObject({ status: 'acknowledged', severity: 'major' });
});

test('100 warnings that join an acknowledged group move nothing; one that is critical for a further service does, once', async () => {
  const { event, id, group, act, send, cis, service } = await furnished();
  const ci = async (n: number) => {
    const made = (await send('POST', '/v1/cmdb/ci', { name: `vm-${n}`, type: 'server' })).body.id;
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: made, target_ci: cis.rack });
  };
  for (let n = 0; n < 100; n++) await ci(n);
  await act('acknowledge');
  const said = await group();
  const timestamp = START + 10_000;
  const warning = { severity: 'warning', title: 'Not reachable', timestamp };
  const events = Array.from({ length: 100 }, (_, n) => ({ ...warning, sourceId: `vm-${n}`, hostname: `vm-${n}` }));
  await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  await app.app.idle();
  const stormed = await group();
  expect(stormed).toMatchObject({ status: 'acknowledged', severity: said.severity, worseSince: null, eventCount: 102 });
  expect(stormed.history).toEqual(said.history);
  await service(cis.db);
  await event('db', 'critical');
  const worse = await group();
  expect(worse).toMatchObject({ status: 'active', severity: 'critical', worseSince: expect.any(String) });
  const [first] = (await send('GET', '/api/events/groups')).body.groups;
  expect(first.correlationId).toBe(id);
  await event('web', 'critical');
  expect((await group()).worseSince).toBe(worse.worseSince);
});

test('a further service makes it active again; the tenant may want otherwise', async () => {
  for (const worseReopens of [true, false]) {
    const { event, cis, group, act, send, service } = await furnished();
    await send('PUT', '/api/admin/settings/lifecycle', { worseReopens });
    await service(cis.web);
    await act('acknowledge');
    await event('web', 'warning');
    expect((await group()).status).toBe(worseReopens ? 'active' : 'acknowledged');
  }
});

test('severity and what is hit are those of what is not over; what is over is told as over', async () => {
  const { cis, group, root, victim, set, event, send, service, id } = await furnished();
  await service(cis.web);
  const shop = { names: ['Shop'], count: 1 };
  const none = { names: [], count: 0 };
  expect(await group()).toMatchObject({ services: shop, servicesHit: shop, causeOverSince: null });
  const web = await event('web', 'warning');
  await set(root, 'resolved');
  await set(victim, 'acknowledged');
  expect(await group()).toMatchObject({ severity: 'major', servicesHit: shop, causeOverSince: expect.any(String) });
  expect((await group()).summary).toContain(
    'Power feed lost (resolved); 2 CIs were impacted; 2 of 3 events are still open',
  );
  await set(web, 'resolved');
  expect(await group()).toMatchObject({ severity: 'major', status: 'acknowledged', services: shop, servicesHit: shop });
  const { graph } = (await send('GET', `/api/events/groups/${id}/graph`)).body;
  const states = Object.fromEntries(
    graph.nodes.map(({ name, worst, was, open }: Body) => [name, [worst, was, open]] as const),
  );
  expect(states).toMatchObject({ feed: [null, 'major', 0], rack: ['major', null, 1], web: [null, 'warning', 0] });
  await set(victim, 'resolved');
  expect(await group()).toMatchObject({ status: 'resolved', services: shop, servicesHit: none });
});

test('members that are acknowledged one by one acknowledge the group; what is withdrawn is gone', async () => {
  const { group, root, victim, set, event, act } = await furnished();
  await set(root, 'acknowledged');
  expect((await group()).status).toBe('active');
  await set(victim, 'acknowledged');
  expect(await group()).toMatchObject({ status: 'acknowledged', acknowledgedBy: { name: 'test' } });
  await event('web', 'warning');
  expect((await group()).status).toBe('acknowledged');
  const { operationId } = await act('unacknowledge');
  expect(await group()).toMatchObject({ status: 'active', acknowledgedBy: null, counts: { open: 3 } });
  await act('undo', { ids: undefined, operationId });
  expect(await group()).toMatchObject({ status: 'acknowledged', acknowledgedBy: { name: 'test' } });
});

test('a group that was resolved is reopened under its id, and its history says who did what', async () => {
  const { group, id, send, act } = await furnished();
  const status = async (to: string) => {
    await send('POST', '/api/events/status', { correlationId: id, status: to, notes: `now ${to}` });
    await app.app.idle();
  };
  await status('acknowledged');
  await status('resolved');
  expect((await group()).status).toBe('resolved');
  await status('open');
  expect(await group()).toMatchObject({ correlationId: id, status: 'active', counts: { open: 2 } });
  await act('resolve');
  await act('reopen');
  expect(await group()).toMatchObject({ correlationId: id, status: 'active', counts: { open: 2 } });
  const { history } = await group();
  expect(history.map(({ kind, text }: Body) => `${kind} ${text}`)).toEqual([
    'status acknowledged 2 events: now acknowledged',
    'status resolved 2 events: now resolved',
    'status reopened 2 events: now open',
    'status resolved 2 events',
    'status reopened 2 events',
  ]);
});

test('of equal severity the group that hits a service comes first, and an acknowledged one last', async () => {
  const { cis, service, send, id, event, act, victim, set } = await furnished();
  const ci = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'camera' })).body.id;
  const [one, two] = [await ci('cam-1'), await ci('cam-2')];
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: two, target_ci: one });
  app.clock.advance(2 * 3_600_000);
  const later = { timestamp: app.clock.now() };
  await event('cam-1', 'major', 'Camera is offline', later);
  await event('cam-2', 'major', 'Camera is offline', later);
  const order = async () =>
    (await send('GET', '/api/events/groups')).body.groups.map((row: Body) =>
      row.correlationId === id ? 'rack' : 'cam',
    );
  expect(await order()).toEqual(['cam', 'rack']);
  await service(cis.rack);
  await set(victim, 'acknowledged');
  expect(await order()).toEqual(['rack', 'cam']);
  await act('acknowledge');
  expect(await order()).toEqual(['rack', 'cam']);
});

test.each(['what was taken in', 'what took it in'])(
  'a merge that is taken back leaves both under their ids: %s is named',
  async (who) => {
    const { send, event, id, group, root, victim } = await furnished();
    const far = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'camera' })).body.id;
    const [one, two] = [await far('cam-1'), await far('cam-2')];
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: two, target_ci: one });
    app.clock.advance(2 * 3_600_000);
    const later = { timestamp: app.clock.now() };
    const cameras = [
      await event('cam-1', 'major', 'Camera is offline', later),
      await event('cam-2', 'major', 'Camera is offline', later),
    ];
    const { correlationId: other } = (await send('GET', `/api/events/${cameras[0]}`)).body.event;
    expect(other).not.toBe(id);
    await send('POST', `/api/events/groups/${other}/notes`, { text: 'lens ordered' });
    const merged = await send('POST', '/api/events/correlate', {
      primaryEventId: root,
      relatedEventIds: [cameras[0]],
      reason: 'x',
    });
    await app.app.idle();
    expect([merged.status, (await group(other)).correlationId]).toEqual([200, id]);
    expect((await group()).counts.open).toBe(4);

    const eventIds = who === 'what was taken in' ? cameras : [root, victim];
    const split = await send('POST', `/api/events/groups/${id}/split`, {
      eventIds,
      reason: 'The merge was taken back',
    });
    await app.app.idle();
    expect([split.status, split.body.correlationId]).toEqual([200, other]);
    expect(await group(other)).toMatchObject({
      correlationId: other,
      status: 'active',
      aliases: [],
      counts: { open: 2 },
      notes: [{ text: 'lens ordered' }],
    });
    expect(await group()).toMatchObject({ correlationId: id, aliases: [], counts: { open: 2 } });
    expect((await group()).history.map(({ text }: Body) => text)).toEqual([
      `undid the merge with ${other}: The merge was taken back`,
    ]);
  },
);
