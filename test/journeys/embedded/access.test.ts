import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const ADMIN_PASSWORD = 'correct horse battery';
const app = appOfTests({ FAULTLINE_ADMIN_PASSWORD: ADMIN_PASSWORD });

const send = (method: string, path: string, token?: string, body?: unknown, tenant?: string) =>
  app.send(method, `/api${path}`, body, {
    token: token ?? null,
    headers: tenant === undefined ? {} : { 'x-tenant-id': tenant },
  });
const login = async (username: string, password: string, tenant?: string) =>
  send('POST', '/auth/login', undefined, { username, password }, tenant);

test('an administrator sets up a tenant, whose admin hands out a token and takes it back', async () => {
  const root = (await login('admin', ADMIN_PASSWORD)).body.data;
  expect(root).toMatchObject({
    expiresIn: 900,
    user: { username: 'admin', role: 'platform-admin', tenant: 'default' },
  });
  expect(await send('POST', '/admin/tenants', root.token, { id: 'acme' })).toMatchObject({ status: 201 });
  const draft = { username: 'eva', role: 'admin', password: 'a password of eva' };
  expect(await send('POST', '/admin/users', root.token, draft, 'acme')).toMatchObject({ status: 201 });

  const eva = (await login('eva', draft.password, 'acme')).body.data;
  const users = await send('GET', '/admin/users', eva.token);
  expect(users.body).toMatchObject({ data: [{ username: 'eva', role: 'admin' }], pagination: { total: 1, page: 1 } });
  expect((await send('GET', '/admin/tenants', eva.token)).status).toBe(403);
  expect((await send('GET', '/admin/users', eva.token, undefined, 'default')).status).toBe(403);

  const made = await send('POST', '/admin/tokens', eva.token, { name: 'reader', role: 'viewer' });
  const { token, id } = made.body.data;
  expect(made.status).toBe(201);
  expect((await send('GET', '/admin/roles', token)).body.data).toHaveLength(6);
  expect((await send('GET', '/admin/settings/correlation', token)).status).toBe(200);
  expect((await send('PUT', '/admin/settings/correlation', token, { profile: 'specified' })).status).toBe(403);
  expect((await send('GET', '/admin/tokens', eva.token)).body.data[0]).toMatchObject({ id, name: 'reader' });
  expect((await send('DELETE', `/admin/tokens/${id}`, eva.token)).status).toBe(200);
  expect((await send('GET', '/admin/roles', token)).status).toBe(401);

  const trail = (await send('GET', '/admin/audit', eva.token)).body;
  expect(trail.data.map(({ action }: { action: string }) => action)).toEqual([
    'token.revoked',
    'token.created',
    'login',
    'user.created',
  ]);
  expect(JSON.stringify(trail)).not.toMatch(/passwordHash|argon2|"hash"/);
});

test('tokens are refreshed, and a reused refresh token ends the login', async () => {
  const first = (await login('admin', ADMIN_PASSWORD)).body.data;
  const second = await send('POST', '/auth/refresh', undefined, { refreshToken: first.refreshToken });
  expect(second).toMatchObject({ status: 200, body: { success: true, data: { expiresIn: 900 } } });
  const again = await send('POST', '/auth/refresh', undefined, { refreshToken: first.refreshToken });
  expect(again.body.data.refreshToken).toBe(second.body.data.refreshToken);
  app.clock.advance(10_000);
  const reuse = await send('POST', '/auth/refresh', undefined, { refreshToken: first.refreshToken });
  expect(reuse).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
  const { refreshToken } = second.body.data;
  expect((await send('POST', '/auth/refresh', undefined, { refreshToken })).status).toBe(401);
  expect((await send('POST', '/auth/logout', undefined, { refreshToken })).status).toBe(200);
});

test('bad requests are told apart from bad credentials', async () => {
  expect(await send('POST', '/auth/login', undefined, { username: 'admin' })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: { field: 'password' } } },
  });
  expect((await login('admin', 'not the password')).status).toBe(401);
  const { token } = (await login('admin', ADMIN_PASSWORD)).body.data;
  const wrong = { threshold: 2, strategies: { temporal: { windowMs: 1 }, unknown: {} } };
  const { body } = await send('PUT', '/admin/settings/correlation', token, wrong);
  const fields = body.error.errors.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual(['strategies.temporal.windowMs', 'strategies.unknown', 'threshold']);
});

test('inbound settings, limits and roles answer with the schemas they promise', async () => {
  const { token } = (await login('admin', ADMIN_PASSWORD)).body.data;
  const changes: [string, object, object][] = [
    ['/admin/settings/correlation', { latenessMs: 1_000 }, { overrides: { latenessMs: 1_000 } }],
    ['/admin/settings/inbound', { severities: { x: { bad: 'major' } } }, { severities: { x: { bad: 'major' } } }],
    ['/admin/limits', { ingest: 5 }, { overrides: { ingest: 5 } }],
  ];
  for (const [path, patch, shown] of changes) {
    expect(await send('PUT', path, token, patch)).toMatchObject({ status: 200, body: { data: shown } });
    expect(await send('GET', path, token)).toMatchObject({ status: 200, body: { data: shown } });
  }
});
