import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, type Style, speaking } from './cmdb-styles.ts';

/** Requests of a map of CIs, one each: their names, their colors, and the impact of several of them. */

const app = appOfTests();

const NOBODY = '01M7YYCSX1W0SAZZRHKVPG78N3';

const open = async (style: Style) => {
  const it = await speaking(app, style);
  let told = 0;
  /** An open event on the host; returns a function that changes its status. */
  const event = async (hostname: string, severity: string, more: object = {}) => {
    const draft = { source: 's', sourceId: `${++told}`, severity, title: `Complaint number ${told} about disk full` };
    const { eventId } = (await it.send('POST', '/api/events/ingest', { ...draft, hostname, ...more })).body;
    return (status: string) => it.send('PATCH', `/api/events/${eventId}/status`, { status });
  };
  const states = async (...ids: string[]) => {
    await app.app.idle();
    return (await it.send('POST', '/cmdb/ci/states', { ids })).data;
  };
  return { ...it, event, states };
};

describe.each(STYLES)('States of CIs under %s', (_, style) => {
  test('tell the worst open event and how many are open, of each that was asked for', async () => {
    const { ci, event, states } = await open(style);
    const [one, two, three] = [await ci('one'), await ci('two'), await ci('three')];
    await event('one', 'minor');
    const worst = await event('one', 'critical');
    const taken = await event('two', 'warning');
    await event('three', 'info', { category: 'deployment' });
    const none = { worst: null, open: 0, acknowledged: 0 };
    expect(await states(one, two, three, NOBODY, one)).toEqual({
      [one]: { worst: 'critical', open: 2, acknowledged: 0 },
      [two]: { worst: 'warning', open: 1, acknowledged: 0 },
      [three]: none,
      [NOBODY]: none,
    });
    await worst('resolved');
    await taken('acknowledged');
    expect(await states(one, two)).toEqual({
      [one]: { worst: 'minor', open: 1, acknowledged: 0 },
      [two]: { worst: 'warning', open: 1, acknowledged: 1 },
    });
    await taken('suppressed');
    expect(await states(two)).toEqual({ [two]: none });
  });

  test('refuse none, and more than 1,000', async () => {
    const { send } = await open(style);
    const ask = async (n: number) =>
      (await send('POST', '/cmdb/ci/states', { ids: Array.from({ length: n }, (_one, i) => `c${i}`) })).status;
    expect([await ask(0), await ask(1_000), await ask(1_001)]).toEqual([400, 200, 400]);
  });
});

describe.each(STYLES)('Impact of several CIs under %s', (_, style) => {
  /** Two feeds, one of which a rack needs; a host in the rack; a lamp on the second feed alone. */
  const rack = async () => {
    const it = await open(style);
    const names = ['feed-a', 'feed-b', 'rack', 'host', 'lamp'] as const;
    const ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await it.ci(name)])));
    const power = { type: 'powered_by', attributes: { redundancy_group: 'feeds', redundancy_required: 1 } };
    await it.join(ids.rack, ids['feed-a'], power);
    await it.join(ids.rack, ids['feed-b'], power);
    await it.join(ids.host, ids.rack, { type: 'located_in' });
    await it.join(ids.lamp, ids['feed-b'], { type: 'powered_by' });
    const impact = async (asked: readonly string[], more: object = {}) =>
      it.send('POST', '/cmdb/impact', { ci_ids: asked.map((name) => ids[name] ?? name), ...more });
    const hit = ({ data }: Awaited<ReturnType<typeof impact>>) =>
      data.impacted.map(({ name, hops }: { name: string; hops: number }) => `${name}${hops}`).sort();
    return { ...it, ids, impact, hit };
  };

  test('judges redundancy with all of them gone', async () => {
    const { impact, hit, ids, send } = await rack();
    const one = await impact(['feed-b']);
    expect(hit(one)).toEqual(['lamp1']);
    expect(one.data.protected).toMatchObject([{ name: 'rack', groups: [{ members: 2, surviving: 1 }] }]);
    expect(one.data).toEqual({
      ...(await send('GET', `/cmdb/ci/${ids['feed-b']}/impact`)).data,
      cis: [{ id: ids['feed-b'], name: 'feed-b', type: 'server' }],
    });
    const both = await impact(['feed-a', 'feed-b', 'feed-a']);
    expect(hit(both)).toEqual(['host2', 'lamp1', 'rack1']);
    expect(both.data).toMatchObject({ protected: [], total: 3, truncated: false, ci: { name: 'feed-a' } });
    expect(both.data.cis.map(({ name }: { name: string }) => name)).toEqual(['feed-a', 'feed-b']);
    const pathTo = (name: string) => both.data.impacted.find((one: { name: string }) => one.name === name).path;
    expect(pathTo('lamp')).toEqual([ids['feed-b'], ids.lamp]);
    expect(pathTo('host').slice(-2)).toEqual([ids.rack, ids.host]);
  });

  test('also as it was, and refuses what there is not', async () => {
    const { impact, hit, join, ids } = await rack();
    const before = app.clock.now();
    app.clock.advance(60_000);
    await join(ids['feed-a']!, ids.lamp!, { type: 'depends_on' });
    expect(hit(await impact(['lamp'], { as_of: before }))).toEqual([]);
    expect(hit(await impact(['lamp']))).toEqual(['feed-a1']);
    expect((await impact(['lamp', NOBODY])).status).toBe(404);
    expect((await impact([])).status).toBe(400);
    expect((await impact(['lamp'], { as_of: app.clock.now() + 1_000 })).status).toBe(400);
  });
});

describe.each(STYLES)('Changes around a CI under %s', (_, style) => {
  const estate = async () => {
    const it = await open(style);
    const ids = { db: await it.ci('db'), web: await it.ci('web'), lb: await it.ci('lb'), far: await it.ci('far') };
    await it.join(ids.web, ids.db);
    await it.join(ids.far, ids.lb);
    const link = await it.join(ids.lb, ids.web);
    app.clock.advance(3_600_000);
    const from = app.clock.now();
    const changed = async (query: string) => {
      const { body, data, status } = await it.send('GET', `/cmdb/changes?near=${ids.db}&${query}`);
      if (status !== 200) return status;
      return (Array.isArray(data) ? data : body.data) as {
        [field: string]: unknown;
        source: { name: string };
        target: { name: string };
      }[];
    };
    const told = async (query: string) => {
      const rows = await changed(query);
      if (typeof rows === 'number') return rows;
      return rows.map(({ action, of, name, source, target }) =>
        of === 'ci' ? `${action} ${name}` : `${action} ${source.name}>${target.name}`,
      );
    };
    return { ...it, ids, link, from, changed, told };
  };

  test('newest first, within hops and time, also of what is gone', async () => {
    const { ids, link, from, told, send, ci, join } = await estate();
    expect(await told(`hops=3&from=${from}`)).toEqual([]);
    await send('PUT', `/cmdb/ci/${ids.web}`, { attributes: { os: 'bsd' } });
    app.clock.advance(1_000);
    await send('PUT', `/cmdb/relationships/${link}`, { attributes: { port: 5_432 } });
    app.clock.advance(1_000);
    const added = await ci('cache');
    await join(added, ids.db);
    app.clock.advance(1_000);
    await send('DELETE', `/cmdb/ci/${added}?cascade=true`);
    app.clock.advance(1_000);
    await send('PUT', `/cmdb/ci/${ids.far}`, { status: 'maintenance' });
    const near = ['deleted cache>db', 'deleted cache', 'created cache>db', 'created cache', 'updated web'];
    expect(await told(`from=${from}`)).toEqual(near);
    expect(await told(`from=${from}&hops=0`)).toEqual([]);
    expect(await told(`from=${from}&hops=2`)).toEqual([...near.slice(0, 4), 'updated lb>web', 'updated web']);
    expect(await told(`from=${from}&hops=3&limit=1`)).toEqual(['updated far']);
    expect(await told(`from=${from}&to=${from}&hops=2`)).toEqual(['updated web']);
    expect((await told('hops=3')) as string[]).toHaveLength(14);
  });

  test('say what became of each field, and by whom', async () => {
    const { ids, from, changed, send } = await estate();
    await send('PUT', `/cmdb/ci/${ids.db}`, { attributes: { os: 'bsd' }, status: 'maintenance' });
    const at = new Date(from).toISOString();
    const said = { at, of: 'ci', action: 'updated', by: expect.any(String), id: ids.db, name: 'db', revision: 2 };
    const fields = [
      { field: 'status', before: 'active', after: 'maintenance' },
      { field: 'attributes.os', before: null, after: 'bsd' },
    ];
    expect(await changed(`from=${from}&hops=0`)).toEqual([
      { ...said, type: 'server', source: null, target: null, changes: fields },
    ]);
    await send('DELETE', `/cmdb/ci/${ids.db}?cascade=true`);
    expect(await changed(`from=${from}&hops=0&limit=1`)).toMatchObject([
      { action: 'deleted', name: 'db', changes: [] },
    ]);
  });

  test('of a CI that there is, in a time that is one', async () => {
    const { send, told, from } = await estate();
    expect((await send('GET', `/cmdb/changes?near=${NOBODY}`)).status).toBe(404);
    expect((await send('GET', '/cmdb/changes')).status).toBe(400);
    expect([await told('hops=4'), await told(`from=${from}&to=${from - 1}`), await told('cursor=x')]).toEqual([
      400, 400, 400,
    ]);
  });
});

test.each(STYLES)('CIs under %s are listed by their ids, in this order', async (_, style) => {
  const { ci, send } = await open(style);
  const ids = [await ci('b'), await ci('a'), await ci('c')];
  const listed = async (query: string) => {
    const { status, body, data } = await send('GET', `/cmdb/ci?${query}`);
    if (status !== 200) return status;
    const rows = Array.isArray(data) ? data : body.data;
    return [rows.map(({ name }: { name: string }) => name).join(''), body.pagination.total];
  };
  expect(await listed(`ids=${[ids[0], NOBODY, ids[1], ids[0]].join(',')}`)).toEqual(['ba', 2]);
  expect(await listed(`ids=${ids.join(',')}&limit=2&page=2`)).toEqual(['c', 3]);
  expect(await listed(`ids=${ids.join(',')}&type=server`)).toBe(400);
  expect(await listed(`ids=${Array.from({ length: 101 }, (_one, i) => i).join(',')}`)).toBe(400);
});
