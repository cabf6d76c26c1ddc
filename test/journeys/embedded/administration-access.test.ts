import { describe, expect, test } from '@jest/globals';
import { ROLES } from '#domain/access/permissions.ts';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const PASSWORD = 'a long enough password';
let tenants = 0;
const open = async (role = 'admin') => {
  const id = `admin-${++tenants}`;
  const token = await app.tenant(id, role);
  const send = (method: string, path: string, body?: unknown, as: string | null = token) =>
    app.send(method, `/api${path}`, body, { token: as });
  const login = (username: string, password = PASSWORD) =>
    send('POST', '/auth/login', { username, password, tenant: id }, null);
  const person = async (username: string, fields: object = {}): Promise<string> =>
    (await send('POST', '/admin/users', { username, role: 'viewer', password: PASSWORD, ...fields })).body.data.id;
  return { id, token, send, login, person };
};

describe('Users', () => {
  test('are made, shown, changed and deleted; what they may follows their role at once', async () => {
    const { send, login, person } = await open();
    const id = await person('ann', { name: 'Ann' });
    const shown = { id, username: 'ann', name: 'Ann', role: 'viewer', disabled: false };
    expect((await send('GET', `/admin/users/${id}`)).body.data).toMatchObject(shown);
    expect((await send('GET', '/admin/users')).body.data).toEqual([expect.objectContaining(shown)]);
    const { token } = (await login('ann')).body.data;
    const mayWrite = async () => (await send('POST', '/cmdb/ci', { name: 'a', type: 'b' }, token)).status;
    expect(await mayWrite()).toBe(403);
    const changed = await send('PUT', `/admin/users/${id}`, { role: 'editor', name: 'Ann B.' });
    expect([changed.status, changed.body.data]).toMatchObject([200, { role: 'editor', name: 'Ann B.' }]);
    expect(await mayWrite()).toBe(201);
    expect((await send('DELETE', `/admin/users/${id}`)).status).toBe(200);
    expect([await mayWrite(), (await login('ann')).status]).toEqual([401, 401]);
    expect((await send('GET', `/admin/users/${id}`)).status).toBe(404);
  });

  test.each([
    ['a new password', { password: 'another long password' }],
    ['being disabled', { disabled: true }],
  ])('%s ends every login', async (_, change) => {
    const { send, login, person } = await open();
    const id = await person('ann');
    const { token, refreshToken } = (await login('ann')).body.data;
    expect((await send('PUT', `/admin/users/${id}`, change)).status).toBe(200);
    expect((await send('GET', '/cmdb/ci', undefined, token)).status).toBe(401);
    expect((await send('POST', '/auth/refresh', { refreshToken }, null)).status).toBe(401);
    expect((await login('ann')).status).toBe(401);
    const back = await login('ann', 'another long password');
    expect(back.status).toBe('password' in change ? 200 : 401);
  });

  test('bad ones are refused by field, and a name is taken once', async () => {
    const { send, person } = await open();
    await person('ann');
    const refused = async (fields: object) => {
      const draft = { username: 'bob', role: 'viewer', password: PASSWORD, ...fields };
      const { status, body } = await send('POST', '/admin/users', draft);
      return [status, body.error.details.field];
    };
    expect(await refused({ username: 'ann' })).toEqual([409, 'username']);
    expect(await refused({ username: ' ' })).toEqual([400, 'username']);
    expect(await refused({ password: 'short' })).toEqual([400, 'password']);
    expect(await refused({ role: 'king' })).toEqual([400, 'role']);
    expect((await send('PUT', `/admin/users/${NOBODY}`, { name: 'x' })).status).toBe(404);
    expect((await send('DELETE', `/admin/users/${NOBODY}`)).status).toBe(404);
  });

  test('a wrong password five times, and even the right one has to wait', async () => {
    const { login, person } = await open();
    await person('ann');
    for (let n = 0; n < 5; n++) expect((await login('ann', 'not this password')).status).toBe(401);
    const waiting = await login('ann');
    expect(waiting).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    await person('bob');
    expect((await login('bob')).status).toBe(200);
  });
});

describe('Tokens', () => {
  test('of either kind have a role or scopes, an end, limits of their own, and are shown once', async () => {
    const { send } = await open();
    const made = await send('POST', '/admin/tokens', {
      name: 'feed',
      description: 'of rack 1',
      kind: 'service_account',
      expires_in: '2h',
      scopes: ['cmdb.read'],
      limits: { standard: 7 },
    });
    const { token, id } = made.body.data;
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.get('location')).toBe(`/api/admin/tokens/${id}`);
    expect(token).toMatch(/^flt_[0-9A-Za-z]{36}$/);
    const shown = (await send('GET', `/admin/tokens/${id}`)).body.data;
    expect(shown).toMatchObject({
      id,
      name: 'feed',
      description: 'of rack 1',
      kind: 'service_account',
      role: null,
      scopes: ['cmdb.read'],
      limits: { standard: 7 },
      expires_at: new Date(app.clock.now() + 2 * 3_600_000).toISOString(),
    });
    expect(shown).not.toHaveProperty('token');
    const asked = async (path: string) => (await send('GET', path, undefined, token)).status;
    expect([await asked('/cmdb/ci'), await asked('/events')]).toEqual([200, 403]);
    app.clock.advance(2 * 3_600_000);
    expect(await asked('/cmdb/ci')).toBe(401);
  });

  test('that only send events do not expire; others do after 90 days, and the reply says so', async () => {
    const { send } = await open();
    const made = async (draft: object) => (await send('POST', '/admin/tokens', { name: 'x', ...draft })).body;
    for (const feed of [{ role: 'ingest' }, { scopes: ['events.webhook'] }, { scopes: ['events.ingest'] }])
      expect((await made(feed)).data).toMatchObject({
        expires_at: null,
        note: expect.stringContaining("doesn't expire"),
      });
    const expires_at = new Date(app.clock.now() + 90 * 86_400_000).toISOString();
    const note = expect.stringContaining(expires_at);
    for (const other of [{ role: 'viewer' }, { scopes: ['events.webhook', 'events.read'] }])
      expect((await made(other)).data).toMatchObject({ expires_at, note });
    expect((await made({ role: 'ingest', expires_in: '7d' })).data.expires_at).not.toBeNull();
    expect((await made({ role: 'ingest', expires_in: 'never' })).data.expires_at).toBeNull();
    const refused = (await made({ role: 'viewer', expires_in: 'never' })).error.details;
    expect(refused).toEqual({ field: 'expires_in', reason: expect.stringContaining('at most 365d') });
  });

  test('are changed: name, limits and expiry, with what is absent kept', async () => {
    const { send } = await open();
    const draft = { name: 'a', role: 'viewer', limits: { standard: 7, query: 8 }, expires_in: '1h' };
    const { id, token } = (await send('POST', '/admin/tokens', draft)).body.data;
    const put = (change: object) => send('PUT', `/admin/tokens/${id}`, change);
    const changed = await put({ name: 'b', limits: { standard: 9, query: null } });
    expect(changed.body.data).toMatchObject({ name: 'b', role: 'viewer', limits: { standard: 9 } });
    app.clock.advance(3_600_000);
    expect((await send('GET', '/cmdb/ci', undefined, token)).status).toBe(401);
    const again = await put({ expires_in: '30d' });
    expect(again.body.data.expires_at).toBe(new Date(app.clock.now() + 30 * 86_400_000).toISOString());
    expect((await send('GET', '/cmdb/ci', undefined, token)).status).toBe(200);
    expect((await put({ expires_in: 'never' })).status).toBe(400);
    expect((await put({ limits: { all: 1 } })).status).toBe(400);
    const audit = (await send('GET', `/admin/audit?action=token.updated`)).body.data;
    expect(audit[1]).toMatchObject({ target: { id }, before: { name: 'a' }, after: { name: 'b' } });
  });

  test('are rotated: the value before is accepted for the overlap, the new one from then on', async () => {
    const { send } = await open();
    const made = (await send('POST', '/admin/tokens', { name: 'a', role: 'viewer', expires_in: '10d' })).body.data;
    const rotate = (body: object) => send('POST', `/admin/tokens/${made.id}/rotate`, body);
    const rotated = (await rotate({ overlap: '2h' })).body.data;
    const inHours = (hours: number) => new Date(app.clock.now() + hours * 3_600_000).toISOString();
    expect(rotated).toMatchObject({ id: made.id, expires_at: inHours(240), previous_valid_until: inHours(2) });
    const status = async (token: string) => (await send('GET', '/cmdb/ci', undefined, token)).status;
    expect([await status(made.token), await status(rotated.token)]).toEqual([200, 200]);
    app.clock.advance(2 * 3_600_000);
    expect([await status(made.token), await status(rotated.token)]).toEqual([401, 200]);
    const at_once = (await rotate({ overlap: '0h' })).body.data;
    expect([await status(rotated.token), await status(at_once.token)]).toEqual([401, 200]);
    expect(at_once.previous_valid_until).toBeNull();
    for (const overlap of ['8d', 'soon', '-1h']) expect((await rotate({ overlap })).status).toBe(400);
    const kept = JSON.stringify((await send('GET', '/admin/audit?action=token.rotated')).body.data);
    for (const { token } of [made, rotated, at_once]) expect(kept).not.toContain(token);
    await send('DELETE', `/admin/tokens/${made.id}`);
    expect(await status(at_once.token)).toBe(401);
  });

  test('are found by name and description, page by page', async () => {
    const { send } = await open();
    for (const name of ['Zabbix one', 'Zabbix two', 'Nagios'])
      await send('POST', '/admin/tokens', { name, role: 'ingest', description: `of ${name}` });
    const { data, pagination } = (await send('GET', '/admin/tokens?search=ZABBIX&limit=1')).body;
    expect([data.map(({ name }: { name: string }) => name), pagination.total]).toEqual([['Zabbix one'], 2]);
    const rest = await send('GET', `/admin/tokens?search=of%20zabbix&limit=1&cursor=${pagination.nextCursor}`);
    expect(rest.body.data).toMatchObject([{ name: 'Zabbix two', last_used_at: null }]);
  });

  test('the one of the environment is changed there', async () => {
    const platform = (method: string, path: string, body: object) =>
      app.send(method, `/api/admin/tokens/${path}`, body);
    expect((await platform('PUT', 'bootstrap', { name: 'x' })).status).toBe(409);
    expect((await platform('POST', 'bootstrap/rotate', {})).status).toBe(409);
  });

  testWith('discovery.tokens.create')('nobody hands out more than he has', async () => {
    const { id } = await open();
    const editor = await app.tenant(id, 'editor');
    const made = await app.send('POST', '/v1/discovery/tokens', { name: 'x' }, { token: editor });
    expect(made.status).toBe(201);
    expect((await app.send('POST', '/api/admin/tokens', { name: 'x', role: 'admin' }, { token: editor })).status).toBe(
      403,
    );
  });

  test('bad ones are refused', async () => {
    const { send } = await open();
    const both = { role: 'viewer', scopes: ['cmdb.read'] };
    for (const wrong of [
      {},
      both,
      { role: 'viewer', expires_in: '2y' },
      { role: 'viewer', kind: 'jwt' },
      { scopes: [] },
    ])
      expect((await send('POST', '/admin/tokens', { name: 'x', ...wrong })).status).toBe(400);
    expect((await send('GET', `/admin/tokens/${NOBODY}`)).status).toBe(404);
    expect((await send('DELETE', `/admin/tokens/${NOBODY}`)).status).toBe(404);
  });
});

test('roles are data: each with its permissions', async () => {
  const { send } = await open('viewer');
  const { data, pagination } = (await send('GET', '/admin/roles')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual([...ROLES]);
  expect(data[0]).toMatchObject({ name: 'viewer', permissions: expect.arrayContaining(['cmdb.read']) });
  expect(pagination).toMatchObject({ total: ROLES.length, page: 1 });
  expect((await send('GET', '/admin/roles?limit=4&page=2')).body.data).toEqual(data.slice(4));
});

test('a tenant that is disabled is closed to everybody of it until it is enabled again', async () => {
  const { id, send } = await open();
  const put = (body: object) => app.send('PUT', `/api/admin/tenants/${id}`, body);
  expect((await put({ disabled: true, name: 'Closed' })).body.data).toMatchObject({
    id,
    disabled: true,
    name: 'Closed',
  });
  expect((await send('GET', '/cmdb/ci')).status).toBe(403);
  expect((await app.send('GET', `/api/admin/tenants/${id}`)).body.data).toMatchObject({ disabled: true });
  expect((await put({ disabled: false })).status).toBe(200);
  expect((await send('GET', '/cmdb/ci')).status).toBe(200);
  expect((await app.send('PUT', '/api/admin/tenants/default', { disabled: true })).status).toBe(409);
  expect((await app.send('POST', '/api/admin/tenants', { id })).status).toBe(409);
  expect((await app.send('POST', '/api/admin/tenants', { id: 'Not An Id' })).status).toBe(400);
  expect((await app.send('GET', '/api/admin/tenants/nobody')).status).toBe(404);
  const listed = (await app.send('GET', '/api/admin/tenants?limit=1')).body;
  expect([listed.data.length, listed.pagination.total > 1]).toEqual([1, true]);
});

test('the audit trail is narrowed by actor, target, action and time, and goes on with a cursor', async () => {
  const { send, login, person } = await open();
  const id = await person('ann', { role: 'editor' });
  const { token } = (await login('ann')).body.data;
  app.clock.advance(60_000);
  const noon = app.clock.now();
  const cis: string[] = [];
  for (const name of ['a', 'b', 'c'])
    cis.push((await send('POST', '/cmdb/ci', { name, type: 'server' }, token)).body.data._id);
  app.clock.advance(60_000);
  await send('PUT', `/cmdb/ci/${cis[0]}`, { name: 'd' });
  const found = async (query: string) =>
    (await send('GET', `/admin/audit?${query}`)).body.data.map(({ action }: { action: string }) => action);
  const three = ['ci.created', 'ci.created', 'ci.created'];
  expect(await found('actor=ann')).toEqual([...three, 'login']);
  expect(await found(`actor=${id}`)).toEqual([...three, 'login']);
  expect(await found(`target=ci/${cis[0]}`)).toEqual(['ci.updated', 'ci.created']);
  expect(await found(`target=${cis[0]}`)).toEqual(['ci.updated', 'ci.created']);
  expect(await found('target=user')).toEqual(['login', 'user.created']);
  expect(await found('action=ci.updated')).toEqual(['ci.updated']);
  expect(await found(`from=${noon}&to=${noon}`)).toEqual(three);
  expect(await found(`from=${noon + 1}`)).toEqual(['ci.updated']);
  const first = (await send('GET', '/admin/audit?limit=2&action=ci.created')).body;
  const rest = (await send('GET', `/admin/audit?limit=2&action=ci.created&cursor=${first.pagination.nextCursor}`)).body;
  expect([...first.data, ...rest.data].map(({ target }: { target: { id: string } }) => target.id)).toEqual(
    [...cis].reverse(),
  );
  for (const wrong of ['limit=201', 'cursor=x', 'from=yesterday', 'page=1'])
    expect([wrong, (await send('GET', `/admin/audit?${wrong}`)).status]).toEqual([wrong, 400]);
  const { send: asViewer } = await open('viewer');
  expect((await asViewer('GET', '/admin/audit')).status).toBe(403);
});

test('limits of a tenant are set one by one; null gives a default back', async () => {
  const { send } = await open();
  const put = async (patch: object) => (await send('PUT', '/admin/limits', patch)).body.data.overrides;
  expect(await put({ ingest: 5, query: 7 })).toEqual({ ingest: 5, query: 7 });
  expect(await put({ ingest: null })).toEqual({ query: 7 });
  for (const wrong of [{ ingest: 0 }, { everything: 5 }, { ingest: 'many' }])
    expect((await send('PUT', '/admin/limits', wrong)).status).toBe(400);
  const unknown = (await send('PUT', '/admin/limits', { everything: 5 })).body.error;
  expect(unknown.details).toEqual({
    field: 'everything',
    reason: 'unknown limit class everything; expected one of ingest, bulk, webhook, query, standard, ai, ai-platform',
  });
});
