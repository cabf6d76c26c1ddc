import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();

const PASSWORD = 'a long enough password';
let tenants = 0;

/** A tenant with one viewer, ann. */
const open = async () => {
  const tenant = `own-${++tenants}`;
  const admin = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown, token: string | null = admin) =>
    app.send(method, `/api${path}`, body, { token });
  const draft = { username: 'ann', name: 'Ann', role: 'viewer', password: PASSWORD };
  const { id } = (await send('POST', '/admin/users', draft)).body.data;
  const login = async (password = PASSWORD, username = 'ann') =>
    (await send('POST', '/auth/login', { username, password, tenant }, null)).body;
  const trail = async (action: string) => (await send('GET', `/admin/audit?action=${action}`)).body.data;
  return { tenant, admin, send, id, login, trail };
};

describe('GET /api/auth/me', () => {
  test('tells a user who she is, without any permission', async () => {
    const { tenant, send, id, login } = await open();
    const { token } = (await login()).data;
    const { body } = await send('GET', '/auth/me', undefined, token);
    expect(body.data).toMatchObject({
      _id: id,
      username: 'ann',
      name: 'Ann',
      credential: 'jwt',
      role: 'viewer',
      tenant,
      acts_on: tenant,
      permissions: expect.arrayContaining(['events.read']),
    });
    // A JWT has seconds.
    expect(Math.abs(Date.parse(body.data.expires_at) - app.clock.now() - 900_000)).toBeLessThan(1_000);
    expect((await send('GET', '/auth/me', undefined, null)).status).toBe(401);
  });

  test('tells a token what it may and when it ends', async () => {
    const { send } = await open();
    const made = (await send('POST', '/admin/tokens', { name: 'feed', role: 'ingest', limits: { ingest: 9 } })).body
      .data;
    const me = (await send('GET', '/auth/me', undefined, made.token)).body.data;
    expect(me).toMatchObject({ _id: made.id, credential: 'api_key', role: 'ingest', expires_at: null });
    expect(me).toMatchObject({
      permissions: ['events.ingest', 'events.webhook', 'alertmanager.write'],
      limits: { ingest: 9 },
    });
    const acting = await app.send('GET', '/api/auth/me', undefined, { headers: { 'x-tenant-id': 'own-1' } });
    expect(acting.body.data).toMatchObject({ tenant: 'default', acts_on: 'own-1' });
  });
});

describe('PUT /api/auth/password', () => {
  test('changes the own password, ends other logins and gives new tokens', async () => {
    const { send, id, login, trail } = await open();
    const [here, there] = [(await login()).data, (await login()).data];
    const change = (body: object) => send('PUT', '/auth/password', body, here.token);
    const newPassword = 'another long password';
    const changed = await change({ currentPassword: PASSWORD, newPassword });
    expect(changed.status).toBe(200);
    const me = async (token: string) => (await send('GET', '/auth/me', undefined, token)).status;
    expect([await me(changed.body.data.token), await me(here.token), await me(there.token)]).toEqual([200, 401, 401]);
    for (const { refreshToken } of [here, there])
      expect((await send('POST', '/auth/refresh', { refreshToken }, null)).status).toBe(401);
    expect((await login()).success).toBe(false);
    expect((await login(newPassword)).success).toBe(true);
    const entries = await trail('user.password.changed');
    expect(entries).toMatchObject([{ target: { kind: 'user', id }, actor: { username: 'ann' } }]);
    expect(JSON.stringify(entries)).not.toMatch(/argon2|password"/i);
  });

  test('needs the current one, twelve characters and a user', async () => {
    const { admin, send, login } = await open();
    const { token } = (await login()).data;
    const put = (body: object, as = token) => send('PUT', '/auth/password', body, as);
    const newPassword = 'another long password';
    const short = await put({ currentPassword: PASSWORD, newPassword: 'short' });
    expect([short.status, short.body.error.details.field]).toEqual([400, 'newPassword']);
    expect((await put({ currentPassword: PASSWORD, newPassword: PASSWORD })).status).toBe(400);
    expect((await put({ newPassword })).status).toBe(400);
    expect((await put({ currentPassword: PASSWORD, newPassword }, admin)).status).toBe(403);
    for (let n = 0; n < 5; n += 1) {
      const wrong = await put({ currentPassword: 'not the password', newPassword });
      expect([wrong.status, wrong.body.error.details.field]).toEqual([400, 'currentPassword']);
    }
    expect((await put({ currentPassword: PASSWORD, newPassword })).status).toBe(429);
    expect((await login()).success).toBe(true);
  });
});

describe('the audit trail', () => {
  test('has logins, logouts and the second use of a refresh token', async () => {
    const { send, id, login, trail } = await open();
    const { refreshToken } = (await login()).data;
    await send('POST', '/auth/refresh', { refreshToken }, null);
    // Tabs that refresh at once are no thieves; this is later.
    app.clock.advance(60_000);
    await send('POST', '/auth/refresh', { refreshToken }, null);
    expect(await trail('session.reused')).toMatchObject([{ actor: { id } }]);
    const other = (await login()).data;
    await send('POST', '/auth/logout', { refreshToken: other.refreshToken }, null);
    const by = { actor: { id, username: 'ann' }, target: { kind: 'user', id }, address: '127.0.0.1' };
    expect(await trail('login')).toMatchObject([by, by]);
    expect(await trail('logout')).toMatchObject([by]);
    await send('POST', '/auth/logout', { refreshToken: other.refreshToken }, null);
    expect(await trail('logout')).toHaveLength(1);
  });

  test('has failed logins by account, those of a minute as one entry with a count, without any password', async () => {
    const { tenant, id, login, trail } = await open();
    for (let n = 0; n < 3; n += 1) await login('wrong as can be');
    await login('x', 'my password as a name');
    await login('x', 'bob');
    const failures = async () => {
      const entries: { actor: { id: string }; after: { failures: number } }[] = await trail('login.failed');
      return entries.map(({ actor, after }) => [actor.id, after.failures]).sort();
    };
    const seen = async (expected: unknown[]) =>
      until(async () => JSON.stringify(await failures()) === JSON.stringify(expected));
    await seen([
      [id, 3],
      ['unknown', 2],
    ]);
    app.clock.advance(60_000);
    await login('wrong as can be');
    await seen([
      [id, 1],
      [id, 3],
      ['unknown', 2],
    ]);
    const kept = JSON.stringify(await app.app.ports.records.list(tenant, 'audit', { limit: 100 }));
    expect(kept).not.toMatch(/wrong as can be|my password as a name/);
  });

  test('nothing is kept of a tenant that does not exist', async () => {
    const before = (await app.app.ports.records.list('nowhere', 'audit', { limit: 9 })).length;
    const body = { username: 'ann', password: 'x', tenant: 'nowhere' };
    expect((await app.send('POST', '/api/auth/login', body, { token: null })).status).toBe(401);
    await new Promise(setImmediate);
    expect(before + (await app.app.ports.records.list('nowhere', 'audit', { limit: 9 })).length).toBe(0);
  });
});
