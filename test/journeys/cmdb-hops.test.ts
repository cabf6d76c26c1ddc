import { describe, expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const app = appOfTests();

const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';

/** app → db → host → switch, and a peer of the switch; names by id, so that replies can be read. */
const estate = async (style: (typeof STYLES)[number][1]) => {
  const it = await speaking(app, style);
  const ids: Record<string, string> = {};
  for (const name of ['app', 'db', 'host', 'switch', 'peer']) ids[name] = await it.ci(name, { type: `a ${name}` });
  const join = (from: string, to: string, fields: object = {}) => it.join(ids[from]!, ids[to]!, fields);
  const edges = {
    appDb: await join('app', 'db'),
    dbHost: await join('db', 'host', { type: 'runs_on' }),
    hostSwitch: await join('host', 'switch', { type: 'powered_by' }),
    switchPeer: await join('switch', 'peer', { type: 'peers_with' }),
  };
  const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const names = (list: readonly string[]) => list.map((id) => nameOf.get(id)).join('>');
  const far = (list: { id: string; hops: number }[]) =>
    list.map(({ id, hops }) => `${nameOf.get(id)}${hops}`).join(' ');
  const get = (from: string, what: string) => it.send('GET', `/cmdb/ci/${ids[from] ?? from}/${what}`);
  return { ...it, ids, join, edges, names, far, get };
};

describe.each(STYLES)('Neighbourhoods under %s', (_, style) => {
  test('nodes by distance, the edges among them, and a way to each', async () => {
    const { get, ids, far, names, edges } = await estate(style);
    const { status, data } = await get('db', 'neighbourhood?hops=2');
    expect(status).toBe(200);
    expect(data.ci).toEqual({ id: ids.db, name: 'db', type: 'a db' });
    expect(far(data.nodes)).toBe('app1 host1 switch2');
    expect(data.nodes[0]).toEqual({ id: ids.app, name: 'app', type: 'a app', hops: 1 });
    expect(data.edges).toContainEqual({
      id: edges.dbHost,
      type: 'runs_on',
      source: ids.db,
      target: ids.host,
      discovered_by: 'manual',
    });
    expect(data.edges).toHaveLength(3);
    expect(data.paths.map(names)).toEqual(['db>app', 'db>host', 'db>host>switch']);
    expect(data.truncated).toBe(false);
  });

  test('direction, types, hops, limit and time narrow it', async () => {
    const { get, far, send, edges } = await estate(style);
    const near = async (query: string) => far((await get('db', `neighbourhood${query}`)).data.nodes);
    expect(await near('')).toBe('app1 host1');
    expect(await near('?hops=3&direction=up')).toBe('host1 switch2 peer3');
    expect(await near('?hops=3&direction=down')).toBe('app1');
    expect(await near('?hops=3&types=runs-on,powered_by')).toBe('host1 switch2');
    expect((await get('db', 'neighbourhood?limit=1')).data).toMatchObject({
      nodes: [{ name: 'app' }],
      truncated: true,
    });
    const before = app.clock.now();
    app.clock.advance(1_000);
    await send('DELETE', `/cmdb/relationships/${edges.dbHost}`);
    expect(await near('?hops=2')).toBe('app1');
    expect(await near(`?hops=2&as_of=${before}`)).toBe('app1 host1 switch2');
    expect((await get('db', `neighbourhood?as_of=${before - 1}`)).status).toBe(404);
  });

  test('what cannot be asked', async () => {
    const { get } = await estate(style);
    const future = app.clock.now() + 1;
    for (const wrong of ['hops=0', 'hops=4', 'direction=left', 'limit=1001', 'limit=0', `as_of=${future}`, 'depth=1'])
      expect([wrong, (await get('db', `neighbourhood?${wrong}`)).status]).toEqual([wrong, 400]);
    expect((await get(NOBODY, 'neighbourhood')).status).toBe(404);
  });
});

describe.each(STYLES)('Impact under %s', (_, style) => {
  test('all downstream that depends on it, with the way that the fault takes', async () => {
    const { get, far, names, ids } = await estate(style);
    const { data } = await get('switch', 'impact');
    expect(data.ci).toEqual({ id: ids.switch, name: 'switch', type: 'a switch' });
    expect(far(data.impacted)).toBe('host1 db2 app3');
    expect(data.impacted.map(({ path }: { path: string[] }) => names(path))).toEqual([
      'switch>host',
      'switch>host>db',
      'switch>host>db>app',
    ]);
    expect(data).toMatchObject({ protected: [], services: [], total: 3, truncated: false });
    expect((await get('switch', 'impact?limit=1')).data).toMatchObject({
      impacted: [{ name: 'host' }],
      total: 3,
      truncated: true,
    });
    expect((await get('peer', 'impact')).data.impacted).toEqual([]);
    expect((await get(NOBODY, 'impact')).status).toBe(404);
    expect((await get('switch', 'impact?limit=10001')).status).toBe(400);
  });

  test('redundant paths protect, until too few are left; and as of then', async () => {
    const { get, far, join, send, ids, edges } = await estate(style);
    await send('PUT', `/cmdb/relationships/${edges.appDb}`, { attributes: { redundancy_group: 'db' } });
    const second = await join('app', 'peer', { attributes: { redundancy_group: 'db', redundancy_required: 1 } });
    const { data } = await get('switch', 'impact');
    expect(far(data.impacted)).toBe('host1 db2');
    expect(data.protected).toEqual([
      {
        id: ids.app,
        name: 'app',
        type: 'a app',
        hops: 3,
        groups: [{ group: 'db', required: 1, members: 2, surviving: 1 }],
      },
    ]);
    const before = app.clock.now();
    app.clock.advance(1_000);
    await send('PUT', `/cmdb/relationships/${second}`, { attributes: { redundancy_required: 2 } });
    expect(far((await get('switch', 'impact')).data.impacted)).toBe('host1 db2 app3');
    expect(far((await get('switch', `impact?as_of=${before}`)).data.impacted)).toBe('host1 db2');
    expect((await get('switch', `impact?as_of=${app.clock.now() + 1}`)).status).toBe(400);
  });

  testWith('services.create')('names the business services that it takes down or weakens', async () => {
    const { get, send, ids } = await estate(style);
    const replicas = (group: object) => [
      { ci_id: ids.db, role: 'database', ...group },
      { ci_id: ids.peer, role: 'database', ...group },
    ];
    const service = (name: string, components: object[]) =>
      send('POST', '/services', { name, criticality: 'high', components });
    await service('Shop', replicas({}));
    await service('Blog', replicas({ redundancy_group: 'db' }));
    await service('Mail', [{ ci_id: ids.peer, role: 'all' }]);
    const { services } = (await get('host', 'impact')).data;
    expect(services).toMatchObject([
      { name: 'Blog', criticality: 'high', impact: 'degraded_functionality', components: [ids.db] },
      { name: 'Shop', criticality: 'high', impact: 'full_outage', components: [ids.db] },
    ]);
  });
});

describe.each(STYLES)('Ways under %s', (_, style) => {
  test('a shortest one, or none', async () => {
    const { send, ids, names, edges } = await estate(style);
    const way = (from: string, to: string, query = '') =>
      send('GET', `/cmdb/path?from=${ids[from] ?? from}&to=${ids[to] ?? to}${query}`);
    const { data } = await way('app', 'switch');
    expect([data.found, data.hops, names(data.path)]).toEqual([true, 3, 'app>db>host>switch']);
    expect(data.nodes[1]).toEqual({ id: ids.db, name: 'db', type: 'a db' });
    expect((await way('switch', 'app')).data.hops).toBe(3);
    const none = { found: false, hops: null, path: [], nodes: [] };
    expect((await way('switch', 'app', '&direction=up')).data).toEqual(none);
    expect((await way('app', 'switch', '&max_hops=2')).data).toEqual(none);
    expect((await way('app', 'switch', '&types=depends_on')).data).toEqual(none);
    expect((await way('app', 'app')).data).toMatchObject({ found: true, hops: 0, path: [ids.app] });
    const before = app.clock.now();
    app.clock.advance(1_000);
    await send('DELETE', `/cmdb/relationships/${edges.dbHost}`);
    expect((await way('app', 'switch')).data).toEqual(none);
    expect((await way('app', 'switch', `&as_of=${before}`)).data.hops).toBe(3);
    expect((await way('app', 'switch', `&as_of=${before - 1}`)).status).toBe(404);
    expect((await way('app', NOBODY)).status).toBe(404);
    expect((await way(NOBODY, 'app')).status).toBe(404);
    expect((await send('GET', `/cmdb/path?from=${ids.app}`)).status).toBe(400);
    expect((await way('app', 'db', '&max_hops=21')).status).toBe(400);
  });
});

type Send = Awaited<ReturnType<typeof speaking>>['send'];
let complaints = 0;

/** Strategies by which two new critical events relate, one on each host. */
const related = async (send: Send, at: number): Promise<string[]> => {
  const titles = [
    'Replication stopped',
    'Checkout fails',
    'Vacuum hangs',
    'Basket lost',
    'Locks pile up',
    'Search slow',
  ];
  const ingest = async (hostname: string, timestamp: number): Promise<string> => {
    const title = titles[complaints++ % titles.length];
    const event = { source: 's', sourceId: `${complaints}`, severity: 'critical', title, hostname, timestamp };
    return (await send('POST', '/api/events/ingest', event)).body.eventId;
  };
  await ingest('db-1', at);
  const eventId = await ingest('app-1', at + 5_000);
  const { correlations } = (await send('POST', `/api/events/${eventId}/correlate`)).body;
  return correlations.correlatedEvents.flatMap((one: { reasons: { strategy: string }[] }) =>
    one.reasons.map(({ strategy }) => strategy),
  );
};

test.each([
  ['before', 30, true],
  ['after', 90, false],
])('an event from %s a relationship went, told late, sees the topology of its time', async (_, minutes, sees) => {
  const { send, ci, join } = await speaking(app, STYLES[0]![1]);
  const edge = await join(await ci('app-1'), await ci('db-1'));
  const joined = app.clock.now();
  app.clock.advance(3_600_000);
  await send('DELETE', `/cmdb/relationships/${edge}`);
  app.clock.advance(3_600_000);
  expect((await related(send, joined + minutes * 60_000)).includes('dependency')).toBe(sees);
});

test('a change of the topology is there for the next event at once', async () => {
  const { send, ci, join } = await speaking(app, STYLES[0]![1]);
  const [a, b] = [await ci('app-1'), await ci('db-1')];
  const isSeen = async (): Promise<boolean> => {
    app.clock.advance(3_600_000);
    return (await related(send, app.clock.now())).includes('dependency');
  };
  expect(await isSeen()).toBe(false);
  const edge = await join(a, b);
  expect(await isSeen()).toBe(true);
  await send('DELETE', `/cmdb/relationships/${edge}`);
  expect(await isSeen()).toBe(false);
});
