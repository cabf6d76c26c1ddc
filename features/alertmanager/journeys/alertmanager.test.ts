import { describe, expect, test } from '@jest/globals';
import { endExpired } from '#features/alertmanager/use-cases/end-expired.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const MINUTE = 60_000;
/** As Prometheus and Alertmanager compute it for alertname, instance and severity of the first test. */
const FINGERPRINT = 'e0250c190d7aa723';
const it = appOfTests();
let tenants = 0;

const iso = (ms: number): string => new Date(ms).toISOString();
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Alert {
  readonly labels: Record<string, string>;
  readonly [field: string]: unknown;
}

const fresh = async () => {
  const id = `alertmanager-${++tenants}`;
  const token = await it.tenant(id);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const post = async (...alerts: readonly unknown[]) => {
    const reply = await send('POST', '/api/v2/alerts', alerts);
    await it.app.idle();
    return reply;
  };
  const alerts = async (query = '') => (await send('GET', `/api/v2/alerts${query}`)).body;
  const events = async (query = '') => (await send('GET', `/api/events${query}`)).body.events;
  /** As Prometheus sends it. */
  const fire = (labels: Record<string, string>, prometheus = 'http://prom-0:9090'): Alert => ({
    labels: { severity: 'critical', ...labels },
    annotations: { summary: `${labels.alertname} on ${labels.instance}` },
    startsAt: iso(it.clock.now() - MINUTE),
    endsAt: iso(it.clock.now() + 4 * MINUTE),
    generatorURL: `${prometheus}/graph?g0.expr=up`,
  });
  const expire = async () => {
    await endExpired(it.app.ports, new Map(), () => false);
    await it.app.idle();
  };
  const silence = (more: object = {}) =>
    send('POST', '/api/v2/silences', {
      matchers: [{ name: 'alertname', value: 'Down', isRegex: false, isEqual: true }],
      startsAt: iso(it.clock.now()),
      endsAt: iso(it.clock.now() + 60 * MINUTE),
      createdBy: 'ann',
      comment: 'new disks',
      ...more,
    });
  return { id, token, send, post, alerts, events, fire, expire, silence };
};

describe('posted alerts', () => {
  test('are listed with their own fingerprint, and are one event with those of the webhook and of another replica', async () => {
    const { send, post, alerts, events, fire } = await fresh();
    const alert = fire({ alertname: 'Down', instance: 'db-1:9100', empty: '' });
    const reply = await post(alert);
    expect(reply).toMatchObject({ status: 200, body: '' });
    const [listed] = await alerts();
    expect(listed).toEqual({
      fingerprint: FINGERPRINT,
      labels: { alertname: 'Down', instance: 'db-1:9100', severity: 'critical' },
      annotations: { summary: 'Down on db-1:9100', faultline_event: expect.stringMatching(/^EVT-/) },
      generatorURL: alert.generatorURL,
      startsAt: alert.startsAt,
      endsAt: iso(it.clock.now() + 5 * MINUTE),
      updatedAt: iso(it.clock.now()),
      receivers: [{ name: 'faultline' }],
      status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
    });
    const hook = { ...alert, labels: listed.labels, status: 'firing', fingerprint: listed.fingerprint };
    await send('POST', '/api/events/webhook/alertmanager', { version: '4', alerts: [hook] });
    await post({ ...alert, labels: { ...alert.labels, prometheus_replica: 'prom-1' } });
    expect(await events()).toMatchObject([{ source: 'prometheus', sourceId: FINGERPRINT, occurrenceCount: 3 }]);
  });

  test('are stored though others are wrong, and the reply lists these', async () => {
    const { post, alerts, fire } = await fresh();
    const reply = await post(
      fire({ alertname: 'A', instance: 'a' }),
      { labels: { alertname: '' } },
      { labels: { alertname: 1 } },
      { ...fire({ alertname: 'B', instance: 'b' }), startsAt: '2026-11-21T00:00:00Z', endsAt: '2026-11-20T00:00:00Z' },
      { labels: { alertname: 'C' }, endsAt: 'tomorrow' },
      'x',
    );
    expect(reply.status).toBe(400);
    expect(reply.body.split('; ')).toEqual([
      'alerts: alerts[1].labels: at least one label pair required',
      'alerts[2].labels.alertname: expected text',
      'alerts[3].endsAt: start time must be before end time',
      'alerts[4].endsAt: expected an RFC 3339 time',
      'alerts[5]: expected an object',
    ]);
    expect(await alerts()).toHaveLength(1);
    expect((await post()).status).toBe(200);
    expect((await post(...Array(5_001).fill({}))).status).toBe(400);
  });

  test('end with a past endsAt; zero times are none', async () => {
    const { post, alerts, events } = await fresh();
    const zero = '0001-01-01T00:00:00.000Z';
    const labels = { alertname: 'Down', instance: 'db-1' };
    await post({ labels, startsAt: zero, endsAt: zero, generatorURL: '' });
    expect(await alerts()).toMatchObject([{ labels, startsAt: iso(it.clock.now()) }]);
    it.clock.advance(1_000);
    await post({ labels, startsAt: zero, endsAt: iso(it.clock.now()) });
    expect(await alerts()).toEqual([]);
    expect(await events()).toMatchObject([{ status: 'resolved' }]);
  });

  test('are filtered by state, matchers and receiver', async () => {
    const { post, alerts, fire, silence } = await fresh();
    await silence();
    await post(fire({ alertname: 'Down', instance: 'a' }), fire({ alertname: 'Slow', instance: 'b', team: 'x,y' }));
    const names = async (query: string) =>
      (await alerts(`?${query}`)).map(({ labels }: Alert) => labels.alertname).sort();
    expect(await names('')).toEqual(['Down', 'Slow']);
    expect(await names('silenced=false')).toEqual(['Slow']);
    expect(await names('active=false')).toEqual(['Down']);
    expect(await names(`filter=${encodeURIComponent('team="x,y"')}&filter=alertname%3D~%22S.*%22`)).toEqual(['Slow']);
    expect(await names('filter=team!~.%2B')).toEqual(['Down']);
    expect(await names('receiver=fault')).toEqual([]);
    expect(await names('receiver=fault.*')).toEqual(['Down', 'Slow']);
    expect(await alerts('?filter=%22')).toBe('filter: bad matcher format: "');
    expect(await alerts('?receiver=(')).toBe('receiver: invalid regular expression: missing )');
  });
});

describe('alerts that are not repeated', () => {
  test('end while their sender sends others; those without a sender at their end', async () => {
    const { post, expire, alerts, fire } = await fresh();
    const other = () => fire({ alertname: 'Other', instance: 'b' });
    const single = { labels: { alertname: 'Single' }, endsAt: iso(it.clock.now() + 2 * MINUTE) };
    await post(fire({ alertname: 'Down', instance: 'a' }), other(), single);
    const names = async () => (await alerts()).map(({ labels }: Alert) => labels.alertname).sort();
    for (const [minute, expected] of [
      [1, ['Down', 'Other', 'Single']],
      [2, ['Down', 'Other']],
      [3, ['Down', 'Other']],
      [4, ['Down', 'Other']],
      [5, ['Other']],
    ] as const) {
      it.clock.advance(MINUTE);
      await post(other());
      await expire();
      expect([minute, await names()]).toEqual([minute, expected]);
    }
  });

  test('stay while the whole sender is silent, which is an event; after its return those that are gone end', async () => {
    const { post, expire, events, fire } = await fresh();
    const down = () => fire({ alertname: 'Down', instance: 'a' });
    const gone = () => fire({ alertname: 'Gone', instance: 'b' });
    await post(down(), gone());
    // The other server of the pair saw them a moment later.
    it.clock.advance(2_000);
    await post(down(), gone());
    it.clock.advance(10 * MINUTE);
    for (let i = 0; i < 3; i++) await expire();
    const open = async () =>
      (await events('?status=open')).map(({ title, tags }: { title: string; tags: string[] }) => [
        title,
        tags.includes('sender-silent'),
      ]);
    expect((await open()).sort()).toEqual([
      ['Down on a', true],
      ['Gone on b', true],
      ['No alerts from http://prom-0:9090', false],
    ]);
    for (let minute = 0; minute < 14; minute++) {
      await post(down());
      await expire();
      it.clock.advance(MINUTE);
    }
    expect((await open()).sort()).toEqual([
      ['Down on a', false],
      ['Gone on b', true],
    ]);
    for (let minute = 0; minute < 2; minute++) {
      it.clock.advance(MINUTE);
      await post(down());
      await expire();
    }
    expect(await open()).toEqual([['Down on a', false]]);
  });
});

describe('effects of a root cause', () => {
  const incident = async () => {
    const tenant = await fresh();
    const { send, post, fire } = tenant;
    const ci = async (name: string, type: string) => (await send('POST', '/v1/cmdb/ci', { name, type })).body.id;
    const top = await ci('sw-1', 'switch');
    for (const name of ['db-1', 'db-2', 'db-3']) {
      const below = await ci(name, 'database');
      await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: below, target_ci: top });
    }
    await post(fire({ alertname: 'SwitchDown', instance: 'sw-1' }));
    await post(...['db-1', 'db-2', 'db-3'].map((instance) => fire({ alertname: 'QueriesBlocked', instance })));
    return tenant;
  };

  test('are inhibited by it, unless the tenant wants them active', async () => {
    const { send, alerts } = await incident();
    const visible = await alerts('?inhibited=false');
    expect(visible.map(({ labels }: Alert) => labels.alertname)).toEqual(['SwitchDown']);
    const [cause] = visible;
    const effects = (await alerts()).filter(
      ({ fingerprint }: { fingerprint: string }) => fingerprint !== cause.fingerprint,
    );
    for (const { status } of effects)
      expect(status).toEqual({ state: 'suppressed', silencedBy: [], inhibitedBy: [cause.fingerprint], mutedBy: [] });
    expect(effects).toHaveLength(3);
    await send('PUT', '/api/admin/settings/correlation', { showEffectsAs: 'active' });
    expect(await alerts('?inhibited=false')).toHaveLength(4);
  });

  test('are listed in one group, and single alerts by their name', async () => {
    const { send, post, fire } = await incident();
    it.clock.advance(5 * 60 * MINUTE);
    await post(fire({ alertname: 'Unrelated', instance: 'elsewhere' }));
    const { body } = await send('GET', '/api/v2/alerts/groups');
    expect(body).toHaveLength(2);
    const single = body.find(({ labels }: Alert) => labels.alertname === 'Unrelated');
    expect(single).toMatchObject({
      labels: { alertname: 'Unrelated' },
      routeLabels: {},
      receiver: { name: 'faultline' },
    });
    const group = body.find(({ labels }: Alert) => labels.faultline_group !== undefined);
    expect(group.alerts).toHaveLength(4);
    expect(group.alerts[0].annotations.faultline_group).toBe(group.labels.faultline_group);
  });
});

describe('silences', () => {
  test('of other clients are silences of Faultline, and suppress by labels', async () => {
    const { send, post, alerts, fire, silence } = await fresh();
    const matchers = [
      { name: 'alertname', value: 'Down|Slow', isRegex: true, isEqual: true },
      { name: 'team', value: 'web', isRegex: false, isEqual: false },
    ];
    const { status, body } = await silence({ matchers });
    expect([status, body]).toEqual([200, { silenceID: expect.stringMatching(UUID) }]);
    const { silences } = (await send('GET', '/api/events/silences')).body;
    expect(silences).toMatchObject([
      {
        reason: 'new disks',
        matcher: {
          labels: [
            { name: 'alertname', op: '=~', value: 'Down|Slow' },
            { name: 'team', op: '!=', value: 'web' },
          ],
        },
      },
    ]);
    await post(fire({ alertname: 'Down', instance: 'a' }), fire({ alertname: 'Slow', instance: 'b', team: 'web' }));
    const states = (await alerts()).map(({ labels, status: is }: Alert) => [labels.alertname, is]);
    expect(new Map(states)).toEqual(
      new Map([
        ['Down', { state: 'suppressed', silencedBy: [body.silenceID], inhibitedBy: [], mutedBy: [] }],
        ['Slow', { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] }],
      ]),
    );
    const shown = (await send('GET', `/api/v2/silence/${body.silenceID}`)).body;
    expect(shown).toMatchObject({
      id: body.silenceID,
      status: { state: 'active' },
      matchers,
      comment: 'new disks',
      createdBy: 'test',
      annotations: { created_by: 'ann' },
    });
    expect((await send('GET', `/api/v2/silence/${silences[0].id}`)).body).toEqual(shown);
  });

  test('of Faultline survive to be read and written back by other clients', async () => {
    const { send } = await fresh();
    const cis = ['a', 'b'].map((name) => send('POST', '/v1/cmdb/ci', { name, type: 'server' }));
    const matcher = {
      host: 'fra1-*, fra2-?',
      ciIds: (await Promise.all(cis)).map((made) => made.body.id),
      severity: ['critical', 'major'],
      labels: [{ name: 'a', op: '!~', value: '"' }],
    };
    const { body } = await send('POST', '/api/events/silences', {
      matcher,
      endsAt: iso(it.clock.now() + MINUTE),
      reason: 'r',
    });
    const [{ status: _, updatedAt: _updated, ...shown }] = (await send('GET', '/api/v2/silences')).body;
    const names = shown.matchers.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['a', 'faultline_ciIds', 'faultline_host', 'faultline_severity']);
    const endsAt = iso(it.clock.now() + 2 * MINUTE);
    expect((await send('POST', '/api/v2/silences', { ...shown, endsAt })).body).toEqual({ silenceID: shown.id });
    const after = (await send('GET', `/api/events/silences/${body.silence.id}`)).body.silence;
    expect(after).toMatchObject({ matcher, endsAt, reason: 'r' });
  });

  test('with other matchers are new ones, and the former one ends', async () => {
    const { send, silence } = await fresh();
    const { silenceID } = (await silence()).body;
    const matchers = [{ name: 'alertname', value: 'Other', isRegex: false }];
    const changed = (await silence({ id: silenceID, matchers })).body.silenceID;
    expect(changed).not.toBe(silenceID);
    const states = async (query = '') =>
      (await send('GET', `/api/v2/silences${query}`)).body.map(
        ({ id, status }: { id: string; status: { state: string } }) => [id, status.state],
      );
    expect(await states()).toEqual([
      [changed, 'active'],
      [silenceID, 'expired'],
    ]);
    expect(await states('?expired=false')).toEqual([[changed, 'active']]);
    expect(await states('?filter=alertname%3DOther')).toEqual([[changed, 'active']]);
    const gone = await send('DELETE', `/api/v2/silence/${changed}`);
    expect([gone.status, gone.body]).toEqual([200, '']);
    expect(await states('?expired=false')).toEqual([]);
  });

  test.each<[string, object, number, string | RegExp]>([
    ['an end before the start', { startsAt: '2026-11-20T12:00:00Z', endsAt: '2026-11-20T11:00:00Z' }, 400, /endsAt/],
    ['an end in the past', { startsAt: '2026-11-19T12:00:00Z', endsAt: '2026-11-19T13:00:00Z' }, 400, /endsAt/],
    ['a bad expression', { matchers: [{ name: 'a', value: '(', isRegex: true }] }, 400, /missing \)/],
    ['a bad name', { matchers: [{ name: 'a-b', value: 'c', isRegex: false }] }, 400, /letters, digits/],
    ['an unknown part', { matchers: [{ name: 'faultline_x', value: 'c', isRegex: false }] }, 400, /x/],
    [
      'a part with an expression',
      { matchers: [{ name: 'faultline_host', value: 'c', isRegex: true }] },
      400,
      /operator =/,
    ],
    ['matchers that match everything', { matchers: [{ name: 'a', value: '.*', isRegex: true }] }, 400, /empty string/],
    ['no comment', { comment: ' ' }, 400, /comment/],
    ['an unknown id', { id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 404, /not found/],
  ])('with %s are refused', async (_, more, status, reason) => {
    const { silence } = await fresh();
    const reply = await silence(more);
    expect(reply).toMatchObject({ status, body: expect.stringMatching(reason) });
  });
});

test('clients sign in with Basic or Bearer, see their own tenant, and are told in one string', async () => {
  const [{ post, fire, token }, other] = [await fresh(), await fresh()];
  await post(fire({ alertname: 'Down', instance: 'a' }));
  const get = async (authorization: string | null, path = '/api/v2/alerts') => {
    const reply = await it.send('GET', path, undefined, {
      token: null,
      headers: authorization === null ? {} : { authorization },
    });
    return [reply.status, Array.isArray(reply.body) ? reply.body.length : reply.body];
  };
  expect(await get(`Basic ${btoa(`any:${token}`)}`)).toEqual([200, 1]);
  expect(await get(`Bearer ${token}`)).toEqual([200, 1]);
  expect(await get(`Bearer ${other.token}`)).toEqual([200, 0]);
  expect(await get(null)).toEqual([401, expect.stringContaining('Authentication required')]);
  expect(await get(`Bearer ${token}`, '/api/v2/nothing')).toEqual([404, 'No endpoint at /api/v2/nothing']);
  const made = await other.send('POST', '/api/admin/tokens', { name: 'prom', scopes: ['alertmanager.write'] });
  const scoped = `Bearer ${made.body.data.token}`;
  expect(await get(scoped)).toEqual([403, 'Requires permission alertmanager.read']);
  const silencesOnly = await it.send('POST', '/api/v2/alerts', [], { headers: { authorization: scoped } });
  expect(silencesOnly.status).toBe(200);
});

test('answers to probes and to amtool', async () => {
  const { send } = await fresh();
  for (const path of ['/-/healthy', '/-/ready'])
    expect(await it.send('GET', path, undefined, { token: null })).toMatchObject({ status: 200, body: 'OK' });
  const status = await send('GET', '/api/v2/status');
  expect(status.body).toMatchObject({
    cluster: { status: 'ready' },
    versionInfo: { version: expect.stringMatching(/^0\.\d+\.\d+$/) },
    config: { original: expect.stringContaining('receiver: faultline') },
  });
  expect((await send('GET', '/api/v2/receivers')).body).toEqual([{ name: 'faultline' }]);
});

test('requests of the data source of Grafana, with its implementation Prometheus', async () => {
  const { send, post, fire } = await fresh();
  await post(fire({ alertname: 'Down', instance: 'a', team: 'web' }), fire({ alertname: 'Slow', instance: 'b' }));
  // It takes a server that answers this for another implementation.
  expect((await send('GET', '/alertmanager/api/v2/status')).status).toBe(404);
  expect((await send('GET', '/api/v2/status')).status).toBe(200);
  const states = 'silenced=true&active=true&inhibited=true&unprocessed=true';
  const listed = await send('GET', `/api/v2/alerts?filter=team=web&filter=alertname=~D.*&${states}`);
  expect(listed.body).toMatchObject([{ labels: { alertname: 'Down' } }]);
  const groups = await send('GET', `/api/v2/alerts/groups?${states}`);
  expect(groups.body.flatMap(({ alerts }: { alerts: Alert[] }) => alerts)).toHaveLength(2);
  const matchers = [{ name: 'team', value: 'web', isRegex: false, isEqual: true }];
  const times = { startsAt: iso(it.clock.now()), endsAt: iso(it.clock.now() + 2 * 60 * MINUTE) };
  const wish = { ...times, matchers, comment: 'created 2026-11-20 10:00', createdBy: 'ann', metadata: {} };
  const { silenceID: id } = (await send('POST', '/api/v2/silences', wish)).body;
  const edited = { ...(await send('GET', `/api/v2/silence/${id}`)).body, comment: 'edited' };
  expect((await send('POST', '/api/v2/silences', edited)).body).toEqual({ silenceID: id });
  expect((await send('GET', '/api/v2/silences')).body).toMatchObject([{ id, comment: 'edited', matchers }]);
  expect((await send('DELETE', `/api/v2/silence/${id}`)).status).toBe(200);
  expect((await send('GET', '/api/v2/silences')).body).toMatchObject([{ id, status: { state: 'expired' } }]);
});
