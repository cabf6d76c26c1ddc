import { beforeAll, describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { type LiveStream, openLiveStream } from '#test/setup/live-stream.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();
let ours: string;
let theirs: string;
const open: LiveStream[] = [];
beforeAll(async () => {
  ours = await app.tenant('ours');
  theirs = await app.tenant('theirs');
});

const follow = async (token: string, query = '', lastId: string | null = null): Promise<LiveStream> => {
  const stream = await openLiveStream(`${app.url}/sse/changes${query}`, { token, lastId });
  open.push(stream);
  return stream;
};
const send = async (token: string, title: string, host = 'web-1'): Promise<string> => {
  const event = { source: 'test', sourceId: title, severity: 'critical', title, hostname: host };
  const reply = await app.send('POST', '/api/events/ingest', event, { token });
  expect(reply.status).toBe(201);
  return reply.body.eventId;
};

/** All ids of events that a stream has named. */
const named = ({ events }: LiveStream): string[] => events.flatMap(({ data }) => data.events?.ids ?? []);
const tells = (stream: LiveStream, id: string) => until(async () => named(stream).includes(id));

describe('A stream of live changes', () => {
  test('says hello, then which events changed', async () => {
    const stream = await follow(ours, '?topics=events');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    const hello = await stream.next('hello');
    expect(hello.data).toEqual({ position: hello.id, version: expect.any(String), at: expect.any(String) });
    const id = await send(ours, 'Disk full');
    const { data } = await stream.next('changes');
    expect(data).toMatchObject({ events: { created: 1, ids: [id], more: 0 } });
    expect(Object.keys(data)).toEqual(['events', 'at']);
    const before = stream.events.length;
    await app.send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' }, { token: ours });
    const again = await stream.next('changes', before);
    expect(again.data.events).toMatchObject({ created: 0, ids: [id] });
    await stream.cut();
  });

  test('names groups, CIs, relationships and scans', async () => {
    const stream = await follow(ours);
    await stream.next('hello');
    const first = await app.send('POST', '/v1/cmdb/ci', { name: 'sw-1', type: 'switch' }, { token: ours });
    const second = await app.send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' }, { token: ours });
    const edge = { type: 'depends_on', source_ci: second.body.id, target_ci: first.body.id };
    const joined = await app.send('POST', '/v1/cmdb/relationships', edge, { token: ours });
    for (const [title, host] of [
      ['Link down', 'sw-1'],
      ['Database unreachable', 'db-1'],
    ] as const)
      await send(ours, title, host);
    const scan = {
      scan_type: 'network',
      scanner_id: 'nmap',
      timestamp: '2026-11-20T09:59:00Z',
      data: { discovered_hosts: [{ ip_address: '192.0.2.7', hostname: 'found-1' }] },
    };
    const given = isThere('discovery.submit-scan')
      ? await app.send('POST', '/v1/discovery/scan-data', scan, { token: ours })
      : null;
    const isTold = () => given === null || all((data) => data.scans?.ids).includes(given.body.scan_id);
    const all = (of: (data: LiveStream['events'][number]['data']) => readonly string[] | undefined) =>
      stream.events.flatMap(({ data }) => of(data) ?? []);
    const groups = () => [...new Set(all((data) => data.groups?.ids))];
    await until(async () => groups().length > 0 && isTold());
    const group = await app.send('GET', '/api/events/groups', undefined, { token: ours });
    expect(group.body.groups.map((one: { correlationId: string }) => one.correlationId)).toEqual(groups());
    expect(all((data) => data.topology?.cis?.ids)).toEqual(expect.arrayContaining([first.body.id, second.body.id]));
    expect(all((data) => data.topology?.relationships?.ids)).toContain(joined.body.id);
    await stream.cut();
  });

  test('names what people do with a group and with silences, which no event tells', async () => {
    const hosts = ['rack-1', 'rack-2'];
    for (const host of hosts) await send(ours, 'Power lost', host);
    const ask = (method: string, path: string, body?: object) =>
      app.send(method, `/api/events${path}`, body, { token: ours });
    await until(async () => (await ask('GET', '/groups?host=rack-1')).body.groups.length > 0);
    const [{ correlationId: id }] = (await ask('GET', '/groups?host=rack-1')).body.groups;
    const stream = await follow(ours, '?topics=groups,silences');
    await stream.next('hello');
    const told = async (what: 'groups' | 'silences', wanted: string, change: () => Promise<{ status: number }>) => {
      const before = stream.events.length;
      expect([200, 201]).toContain((await change()).status);
      await until(async () => stream.events.slice(before).some(({ data }) => data[what]?.ids.includes(wanted)));
    };
    await told('groups', id, () => ask('POST', `/groups/${id}/notes`, { text: 'electrician is on the way' }));
    await told('groups', id, () => ask('PUT', `/groups/${id}/verdict`, { cause: 'right', members: 'right' }));
    const team = await app.send('POST', '/v1/teams', { name: 'Power', members: [] }, { token: ours });
    await told('groups', id, () => ask('PUT', `/groups/${id}/assignee`, { team_id: team.body.id }));
    if (!isThere('events.silences.create')) return stream.cut();
    const before = stream.events.length;
    const endsAt = new Date(app.clock.now() + 3_600_000).toISOString();
    const made = await ask('POST', '/silences', { matcher: { host: 'rack-*' }, endsAt, reason: 'move' });
    const silence = made.body.silence.id;
    await until(async () => stream.events.slice(before).some(({ data }) => data.silences?.ids.includes(silence)));
    await told('silences', silence, () => ask('PUT', `/silences/${silence}`, { reason: 'the rack moves' }));
    await told('silences', silence, () => ask('DELETE', `/silences/${silence}`));
    await stream.cut();
  });

  test('goes on where it was cut, and says so when it cannot', async () => {
    const stream = await follow(ours, '?topics=events');
    await stream.next('hello');
    const before = await send(ours, 'Told before the cut');
    await tells(stream, before);
    await stream.cut();
    const between = await send(ours, 'Told after the cut');
    const again = await follow(ours, '?topics=events', stream.lastId());
    await tells(again, between);
    expect(named(again)).not.toContain(before);
    expect(again.events.map(({ event }) => event)).not.toContain('reset');
    await again.cut();
    for (const unknown of ['4711', 'nonsense', again.lastId()!.replace(/^./, 'Z')]) {
      const lost = await follow(ours, '?topics=events', unknown);
      expect((await lost.next('reset')).data).toEqual({ reason: 'gap' });
      await lost.cut();
    }
  });

  test('shows nothing of another tenant, whatever it asks for', async () => {
    const [one, other] = [await follow(ours), await follow(theirs)];
    await Promise.all([one.next('hello'), other.next('hello')]);
    const foreign = await follow(theirs, '', one.lastId());
    await foreign.next('reset');
    const [own, alien] = [await send(ours, 'Ours alone'), await send(theirs, 'Theirs alone')];
    await Promise.all([tells(one, own), tells(other, alien), tells(foreign, alien)]);
    const text = (stream: LiveStream) => JSON.stringify(stream.events);
    expect(text(one)).not.toContain(alien);
    for (const stream of [other, foreign]) expect(text(stream)).not.toContain(own);
    await Promise.all([one.cut(), other.cut(), foreign.cut()]);
  });

  test('takes only topics that there are and that the caller may read', async () => {
    const problem = await app.send('GET', '/sse/changes?topics=groups,secrets', undefined, { token: ours });
    expect([problem.status, JSON.stringify(problem.body)]).toEqual([
      400,
      expect.stringContaining('expected a comma-separated list of'),
    ]);
    const ingest = await app.send('POST', '/api/admin/tokens', { name: 'sender', role: 'ingest' }, { token: ours });
    const viewer = await app.send('POST', '/api/admin/tokens', { name: 'viewer', role: 'viewer' }, { token: ours });
    const asked = (query: string, token: string) => app.send('GET', `/sse/changes${query}`, undefined, { token });
    expect((await asked('', ingest.body.data.token)).status).toBe(403);
    const refused = await asked('?topics=groups,pipeline', viewer.body.data.token);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining('pipeline.read')]);
    const id = 'x'.repeat(201);
    const long = await app.send('GET', '/sse/changes', undefined, { token: ours, headers: { 'last-event-id': id } });
    expect(long.status).toBe(400);
  });

  test('ends within seconds when its token is revoked', async () => {
    const { body } = await app.send('POST', '/api/admin/tokens', { name: 'short', role: 'viewer' }, { token: ours });
    const stream = await follow(body.data.token, '?topics=events');
    await stream.next('hello');
    await app.send('DELETE', `/api/admin/tokens/${body.data.id}`, undefined, { token: ours });
    expect((await stream.next('bye')).data).toEqual({ reason: 'expired' });
    await stream.ended;
  });

  test('is one of at most 20 of a user, and leaves its place when it is cut', async () => {
    const twenty = await Promise.all(Array.from({ length: 20 }, () => follow(theirs, '?topics=events')));
    expect(twenty.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await follow(theirs)).status).toBe(429);
    expect((await app.send('HEAD', '/sse/changes', undefined, { token: ours })).status).toBe(200);
    await twenty[0]!.cut();
    await until(async () => (await follow(theirs)).status === 200);
    await Promise.all(open.map((stream) => stream.cut()));
    const metrics = async () => (await app.send('GET', '/metrics')).body as string;
    await until(async () => /^faultline_live_streams 0$/m.test(await metrics()));
    const body = await metrics();
    expect(body).toMatch(/^faultline_live_changes_told_total\S* [1-9]/m);
    expect(body).toMatch(/^faultline_live_resets_total\S* [1-9]/m);
  });
});
