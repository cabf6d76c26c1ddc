import { describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { TestApp } from '#test/setup/test-app.ts';

const app = appOfTests({ FAULTLINE_LIMIT_SCALE: '1' });

const PASSWORD = 'a long enough password';
let tenants = 0;

type Send = (method: string, path: string, body?: object) => ReturnType<TestApp['send']>;

/** A tenant with an editor, a viewer and its administrator's token. */
const open = async () => {
  const tenant = `me-${++tenants}`;
  const admin = await app.tenant(tenant);
  const as =
    (token: string): Send =>
    (method, path, body) =>
      app.send(method, `/api${path}`, body, { token });
  const user = async (username: string, role: string) => {
    const draft = { username, name: username.toUpperCase(), role, password: PASSWORD };
    const { id } = (await as(admin)('POST', '/admin/users', draft)).body.data;
    const login = { username, password: PASSWORD, tenant };
    const { token } = (await app.send('POST', '/api/auth/login', login, { token: null })).body.data;
    return { id: id as string, send: as(token) };
  };
  return { tenant, admin: as(admin), ann: await user('ann', 'editor'), bob: await user('bob', 'viewer') };
};

const view = (more: object = {}) => ({
  name: 'On call',
  page: 'groups',
  query: 'severity=critical',
  columns: ['title'],
  ...more,
});
const namesOf = async (send: Send) => (await send('GET', '/views')).body.data.map(({ name }: { name: string }) => name);

describe('GET /api/me', () => {
  test('says who asks, what he may, what the server has, and whether there is anything', async () => {
    const { tenant, admin, bob } = await open();
    const { body } = await bob.send('GET', '/me');
    expect(body.data).toEqual({
      user: {
        _id: bob.id,
        username: 'bob',
        name: 'BOB',
        role: 'viewer',
        mail: null,
        credential: 'jwt',
        expires_at: expect.any(String),
      },
      tenant: { id: tenant, own: tenant },
      permissions: [
        'events.read',
        'alertmanager.read',
        'cmdb.read',
        'discovery.read',
        'services.read',
        'reports.read',
        'settings.read',
      ],
      features: { ai: true, model: false, reports: true, webhooks: true, demo: expect.any(Boolean) },
      mode: expect.stringMatching(/^(embedded|distributed)$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      time: new Date(app.clock.now()).toISOString(),
      empty: { events: true, cis: true },
    });
    await admin('POST', '/cmdb/ci', { name: 'db-1', type: 'server' });
    await admin('POST', '/events/ingest', { source: 's', sourceId: '1', severity: 'info', title: 'x', hostname: 'h' });
    await app.app.idle();
    expect((await bob.send('GET', '/me')).body.data.empty).toEqual({ events: false, cis: false });
    const elsewhere = await app.send('GET', '/api/me', undefined, { headers: { 'x-tenant-id': tenant } });
    expect(elsewhere.body.data.tenant).toEqual({ id: tenant, own: 'default' });
  });

  test('nobody is told without a credential', async () => {
    for (const path of ['/api/me', '/api/me/settings', '/api/views'])
      expect((await app.send('GET', path, undefined, { token: null })).status).toBe(401);
  });
});

test('users step through lists with 500 requests a minute, tokens with 100', async () => {
  const { admin, bob } = await open();
  const limitOf = async (send: Send, path: string) => (await send('GET', path)).headers.get('x-ratelimit-limit');
  const ai = isThere('ai.search-semantic') ? ['/ai/search-semantic?q=disk'] : [];
  const paths = ['/events', '/me', '/views', ...ai];
  expect(await Promise.all(paths.map((path) => limitOf(bob.send, path)))).toEqual([
    '500',
    '500',
    '500',
    ...ai.map(() => '10'),
  ]);
  expect(await Promise.all(paths.map((path) => limitOf(admin, path)))).toEqual([
    '100',
    '100',
    '100',
    ...ai.map(() => '10'),
  ]);
  const shown = async () => (await admin('GET', '/admin/limits')).body.data;
  expect((await shown()).users).toEqual({ query: 500, standard: 500 });
  await admin('PUT', '/admin/limits', { query: 40 });
  expect([await limitOf(bob.send, '/events'), (await shown()).users.query]).toEqual(['40', 40]);
});

describe('settings', () => {
  const defaults = {
    zone: null,
    theme: 'system',
    density: 'comfortable',
    shortcuts: true,
    sound: false,
    columns: {},
    views: {},
    hints: [],
  };

  test('are of one person, and a whole', async () => {
    const { ann, bob } = await open();
    const put = (body: object) => ann.send('PUT', '/me/settings', body);
    expect((await ann.send('GET', '/me/settings')).body.data).toEqual(defaults);
    const mine = {
      zone: 'Europe/Berlin',
      theme: 'dark',
      density: 'compact',
      columns: { events: ['title', 'host'] },
      views: { groups: '01J' },
    };
    expect((await put(mine)).body.data).toEqual({ ...defaults, ...mine });
    expect((await ann.send('GET', '/me/settings')).body.data).toEqual({ ...defaults, ...mine });
    expect((await bob.send('GET', '/me/settings')).body.data).toEqual(defaults);
    expect((await put({ sound: true })).body.data).toEqual({ ...defaults, sound: true });
  });

  test.each([
    ['an unknown theme', { theme: 'pink' }],
    ['an unknown field', { colour: 'red' }],
    ['a long zone', { zone: 'x'.repeat(65) }],
    ['columns of no page', { columns: { nowhere: ['a'] } }],
    ['a view of no page', { views: { nowhere: 'a' } }],
    ['too many hints', { hints: Array(51).fill('h') }],
  ])('%s is refused', async (_, body) => {
    const { bob } = await open();
    expect((await bob.send('PUT', '/me/settings', body)).status).toBe(400);
  });
});

describe('views', () => {
  test('are of one person, or of all; a viewer has them, too', async () => {
    const { ann, bob } = await open();
    const made = await bob.send('POST', '/views', view());
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/views/${made.body.data.id}`]);
    expect(made.body.data).toEqual({
      ...view(),
      id: expect.any(String),
      shared: false,
      mine: true,
      by: 'BOB',
      updated_at: new Date(app.clock.now()).toISOString(),
    });
    expect(await namesOf(ann.send)).toEqual([]);
    await ann.send('POST', '/views', view({ name: 'Unbound', shared: true }));
    expect(await namesOf(bob.send)).toEqual(['Unbound', 'On call']);
    expect((await bob.send('GET', '/views')).body.data[0]).toMatchObject({ mine: false, by: 'ANN', shared: true });
  });

  test('are shared and taken back without being there twice', async () => {
    const { ann, bob } = await open();
    const { id } = (await ann.send('POST', '/views', view())).body.data;
    for (const [shared, seen] of [
      [true, ['On call']],
      [true, ['On call']],
      [false, []],
    ] as const) {
      const changed = await ann.send('PUT', `/views/${id}`, view({ shared }));
      expect(changed.body.data).toMatchObject({ id, shared, mine: true });
      expect([await namesOf(ann.send), await namesOf(bob.send)]).toEqual([['On call'], seen]);
    }
    expect((await ann.send('DELETE', `/views/${id}`)).status).toBe(200);
    expect(await namesOf(ann.send)).toEqual([]);
    expect((await ann.send('DELETE', `/views/${id}`)).status).toBe(404);
  });

  test('are shared by whoever may change events, and kept for oneself by all', async () => {
    const { admin, bob } = await open();
    const token = (await admin('POST', '/admin/tokens', { name: 'monitor', role: 'ingest' })).body.data.token;
    const monitor: Send = (method, path, body) => app.send(method, `/api${path}`, body, { token });
    for (const send of [bob.send, monitor]) {
      const refused = await send('POST', '/views', view({ shared: true }));
      expect([refused.status, refused.body.error.message]).toEqual([403, 'Requires permission events.write']);
      const { id } = (await send('POST', '/views', view())).body.data;
      expect((await send('PUT', `/views/${id}`, view({ shared: true }))).status).toBe(403);
      expect((await send('PUT', `/views/${id}`, view({ name: 'Night' }))).status).toBe(200);
    }
    expect(await namesOf(admin)).toEqual([]);
  });

  test('what others share is changed by who may change settings', async () => {
    const { admin, ann, bob } = await open();
    const { id } = (await ann.send('POST', '/views', view({ shared: true }))).body.data;
    for (const method of ['PUT', 'DELETE'])
      expect((await bob.send(method, `/views/${id}`, method === 'PUT' ? view() : undefined)).status).toBe(403);
    const renamed = await admin('PUT', `/views/${id}`, view({ name: 'Night', shared: true }));
    expect(renamed.body.data).toMatchObject({ name: 'Night', mine: false, by: 'ANN' });
    expect((await admin('DELETE', `/views/${id}`)).status).toBe(200);
    expect(await namesOf(ann.send)).toEqual([]);
  });

  test('of another person or tenant are not there', async () => {
    const [here, there] = [await open(), await open()];
    const own = (await here.ann.send('POST', '/views', view())).body.data.id;
    const shared = (await here.ann.send('POST', '/views', view({ shared: true }))).body.data.id;
    const attempts = [
      [here.bob.send, own],
      [there.ann.send, own],
      [there.admin, shared],
      [there.ann.send, 'nothing'],
    ] as const;
    for (const [send, id] of attempts) {
      expect((await send('PUT', `/views/${id}`, view())).status).toBe(404);
      expect((await send('DELETE', `/views/${id}`)).status).toBe(404);
    }
    expect(await namesOf(there.ann.send)).toEqual([]);
    expect(await namesOf(here.ann.send)).toEqual(['On call', 'On call']);
  });

  test.each([
    ['own', false, 50],
    ['shared', true, 200],
  ])('the %s ones are bounded, also when many come at once', async (_, shared, most) => {
    const { admin, ann } = await open();
    await admin('PUT', '/admin/limits', { standard: 10_000 });
    for (let n = 0; n < most - 2; n++) await ann.send('POST', '/views', view({ name: `v-${n}`, shared }));
    const crossing = await Promise.all(
      Array.from({ length: 4 }, (_, n) => ann.send('POST', '/views', view({ name: `c-${n}`, shared }))),
    );
    expect(crossing.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(await namesOf(ann.send)).toHaveLength(most);
  });
});
