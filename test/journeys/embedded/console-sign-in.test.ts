import { beforeAll, describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { openTestApp } from '#test/setup/test-app.ts';

const app = appOfTests();
let host: string;
beforeAll(async () => {
  host = new URL(app.url).host;
});

const PASSWORD = 'a long enough password';
const SECOND = 1_000;
const DAY = 86_400_000;
let tenants = 0;

type Headers = Readonly<Record<string, string>>;
/** Returns the headers of a browser on the server's own page. */
const own = (): Headers => ({ 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' });

/** A tenant with one viewer, ann. */
const open = async () => {
  const tenant = `console-${++tenants}`;
  const admin = await app.tenant(tenant);
  const draft = { username: 'ann', name: 'Ann', role: 'viewer', password: PASSWORD };
  const made = await app.send('POST', '/api/admin/users', draft, { token: admin });
  const ask = (method: string, path: string, cookie: string | null, body?: object, headers: Headers = own()) =>
    app.send(method, `/api/auth/console${path}`, body, {
      token: null,
      headers: { ...headers, ...(cookie !== null && { cookie }) },
    });
  const signIn = (more: object = {}, headers?: Headers) =>
    ask('POST', '', null, { username: 'ann', password: PASSWORD, tenant, ...more }, headers);
  const signedIn = async (more: object = {}) => {
    const reply = await signIn(more);
    return { cookie: cookieIn(reply)!, token: reply.body.data.token as string };
  };
  const refresh = (cookie: string | null, headers?: Headers) => ask('POST', '/refresh', cookie, undefined, headers);
  const me = async (token: string) => (await app.send('GET', '/api/auth/me', undefined, { token })).status;
  const trail = async (action: string) =>
    (await app.send('GET', `/api/admin/audit?action=${action}`, undefined, { token: admin })).body.data;
  return { tenant, admin, id: made.body.data.id as string, ask, signIn, signedIn, refresh, me, trail };
};

const setCookieOf = ({ headers }: { headers: globalThis.Headers }) => headers.getSetCookie()[0] ?? null;
/** `name=value` as a browser sends it back. */
const cookieIn = (reply: { headers: globalThis.Headers }): string | null => setCookieOf(reply)?.split(';')[0] ?? null;

describe('signing in', () => {
  test('gives a token for the page, and a cookie that scripts cannot read', async () => {
    const { tenant, id, signIn, me } = await open();
    const reply = await signIn();
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresIn: 900,
      user: { _id: id, username: 'ann', name: 'Ann', role: 'viewer', tenant },
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(setCookieOf(reply)).toMatch(/^faultline_[0-9a-f]{12}=flr_\w{76}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(JSON.stringify(reply.body)).not.toContain('flr_');
    expect(await me(reply.body.data.token)).toBe(200);
  });

  test('remembered for 30 days, the cookie outlives the browser', async () => {
    const { signIn, refresh } = await open();
    expect(setCookieOf(await signIn({ remember: true }))).toMatch(/; Max-Age=2592000$/);
    const cookie = cookieIn(await signIn({ remember: true }))!;
    expect(setCookieOf(await refresh(cookie))).toMatch(/; Max-Age=2592000$/);
  });

  test.each([
    [false, 7],
    [true, 30],
  ])('remember %p: unused, it ends after %i days', async (remember, days) => {
    const { signedIn, refresh } = await open();
    const { cookie } = await signedIn({ remember });
    const late = await signedIn({ remember });
    app.clock.advance(days * DAY - SECOND);
    expect((await refresh(cookie)).status).toBe(200);
    app.clock.advance(SECOND);
    expect((await refresh(late.cookie)).status).toBe(401);
  });

  test('the cookie itself opens nothing', async () => {
    const { signedIn } = await open();
    const { cookie } = await signedIn();
    const reply = await app.send('GET', '/api/auth/me', undefined, { token: null, headers: { cookie } });
    expect(reply.status).toBe(401);
  });

  test('a wrong password is noted and counted as at any login', async () => {
    const { signIn } = await open();
    for (let n = 0; n < 5; n++) expect((await signIn({ password: 'wrong' })).status).toBe(401);
    const locked = await signIn();
    expect([locked.status, setCookieOf(locked)]).toEqual([429, null]);
  });

  test('https makes the cookie secure, and the public URL says where it is sent', async () => {
    const { signIn } = await open();
    const secure = await signIn({}, { ...own(), origin: `https://${host}` });
    expect(setCookieOf(secure)).toMatch(/; SameSite=Strict; Secure$/);
    const known = await openTestApp({ FAULTLINE_PUBLIC_URL: 'https://ops.example/faultline/' });
    const body = { username: 'admin', password: 'a password for tests' };
    const headers = { 'content-type': 'application/json', origin: 'https://ops.example' };
    const reply = await known.send('POST', '/api/auth/console', body, { token: null, headers });
    expect(setCookieOf(reply)).toMatch(/; Path=\/faultline; HttpOnly; SameSite=Strict; Secure$/);
    await known.stop();
  });
});

describe('what other pages send is refused', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const attacks: readonly (readonly [string, Headers, number])[] = [
    ['from another site', { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }, 403],
    ['from another host of the site', { ...JSON_TYPE, 'sec-fetch-site': 'same-site' }, 403],
    ['typed or opened by a program', { ...JSON_TYPE, 'sec-fetch-site': 'none' }, 403],
    [
      'from another site, whose Origin lies',
      { ...JSON_TYPE, 'sec-fetch-site': 'cross-site', origin: 'http://HOST' },
      403,
    ],
    ['by a browser that says less, from another origin', { ...JSON_TYPE, origin: 'http://evil.example' }, 403],
    ['from another port of this machine', { ...JSON_TYPE, origin: 'http://127.0.0.1:1' }, 403],
    ['from a page without an origin', { ...JSON_TYPE, origin: 'null' }, 403],
    ['without any word of where it comes from', JSON_TYPE, 403],
    ['by a form', { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['as text', { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }, 400],
    [
      'as text that mentions JSON',
      { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain; application/json' },
      400,
    ],
  ];

  test.each(attacks)('%s', async (_, template, status) => {
    const { ask, signedIn, refresh, tenant } = await open();
    const { cookie } = await signedIn();
    const headers = Object.fromEntries(
      Object.entries(template).map(([name, value]) => [name, value.replace('HOST', host)]),
    );
    const login = { username: 'ann', password: PASSWORD, tenant };
    const tried = [
      await ask('POST', '', null, login, headers),
      await ask('POST', '/refresh', cookie, {}, headers),
      await ask('DELETE', '', cookie, {}, headers),
    ];
    expect(tried.map((reply) => [reply.status, setCookieOf(reply)])).toEqual(Array(3).fill([status, null]));
    // Nothing of it has ended or used the login.
    expect((await refresh(cookie)).status).toBe(200);
  });

  test('without Sec-Fetch-Site, as over plain http, the own origin is enough', async () => {
    const { signIn } = await open();
    expect((await signIn({}, { ...JSON_TYPE, origin: `http://${host}` })).status).toBe(200);
  });

  test('no other origin may read a reply that was sent with cookies', async () => {
    const it = await openTestApp({ FAULTLINE_CORS_ORIGINS: '*' });
    const headers = { ...own(), origin: 'http://evil.example' };
    const reply = await it.send('POST', '/api/auth/console/refresh', {}, { token: null, headers });
    expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
    await it.stop();
  });
});

describe('renewing', () => {
  test('gives a new token and a new cookie', async () => {
    const { signedIn, refresh, me } = await open();
    const { cookie } = await signedIn();
    const renewed = await refresh(cookie);
    expect(cookieIn(renewed)).not.toBe(cookie);
    expect(await me(renewed.body.data.token)).toBe(200);
    expect((await refresh(cookieIn(renewed))).status).toBe(200);
  });

  test.each([
    [0, 200],
    [29_999, 200],
    [30_000, 401],
  ])('the cookie before, %i ms later: %i, and never another cookie', async (ms, status) => {
    const { id, signedIn, refresh, me, trail } = await open();
    const { cookie } = await signedIn();
    const next = cookieIn(await refresh(cookie))!;
    app.clock.advance(ms);
    const again = await refresh(cookie);
    expect([again.status, setCookieOf(again)]).toEqual([status, null]);
    if (status === 200) expect(await me(again.body.data.token)).toBe(200);
    // A later user of the token is a thief or was robbed: all sessions end.
    expect((await refresh(next)).status).toBe(status);
    expect(await trail('session.reused')).toMatchObject(status === 200 ? [] : [{ actor: { id } }]);
  });

  test('eight tabs at once: all get a token, and one cookie follows', async () => {
    const { signedIn, refresh, me } = await open();
    const { cookie } = await signedIn();
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(cookie)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await Promise.all(replies.map(({ body }) => me(body.data.token)))).toEqual(Array(8).fill(200));
    const cookies = replies.map(cookieIn).filter((one) => one !== null);
    expect(cookies).toHaveLength(1);
    expect((await refresh(cookies[0]!)).status).toBe(200);
  });

  test.each([
    ['no cookie', null],
    ['a cookie of another Faultline', 'faultline_000000000000=flr_x'],
    ['an empty one', 'EMPTY'],
    ['one that nobody made', 'MADE'],
    ['one among others', 'OTHERS'],
  ])('%s', async (title, template) => {
    const { signedIn, refresh } = await open();
    const { cookie } = await signedIn();
    const [name] = cookie.split('=');
    const sent = { EMPTY: `${name}=`, MADE: `${name}=flr_${'A'.repeat(76)}`, OTHERS: `a=b; ${cookie}; x${name}=1` };
    const reply = await refresh(template === null ? null : (sent[template as keyof typeof sent] ?? template));
    const without = ['no cookie', 'a cookie of another Faultline', 'an empty one'];
    expect(reply.status).toBe(title === 'one among others' ? 200 : without.includes(title) ? 204 : 401);
    if (reply.status === 204) expect([reply.body, setCookieOf(reply)]).toEqual(['', null]);
  });

  test('a refresh token of the interface is no cookie, and a cookie is no refresh token of the interface', async () => {
    const { tenant, signedIn, refresh } = await open();
    const { cookie } = await signedIn();
    const [name, value] = cookie.split('=') as [string, string];
    const login = { username: 'ann', password: PASSWORD, tenant };
    const { refreshToken } = (await app.send('POST', '/api/auth/login', login, { token: null })).body.data;
    expect((await refresh(`${name}=${refreshToken}`)).status).toBe(401);
    const exchange = (token: string) => app.send('POST', '/api/auth/refresh', { refreshToken: token }, { token: null });
    expect((await exchange(value)).status).toBe(401);
    expect([(await exchange(refreshToken)).status, (await refresh(cookie)).status]).toEqual([200, 200]);
  });

  test.each([
    ['is disabled', { disabled: true }],
    ['got another password', { password: 'another long password' }],
  ])('ends when the user %s', async (_, change) => {
    const { admin, id, signedIn, refresh } = await open();
    const { cookie } = await signedIn();
    await app.send('PUT', `/api/admin/users/${id}`, change, { token: admin });
    expect((await refresh(cookie)).status).toBe(401);
  });
});

describe('signing out', () => {
  test('ends the login in all tabs and takes the cookie away', async () => {
    const { id, ask, signedIn, refresh, trail } = await open();
    const { cookie } = await signedIn();
    const elsewhere = await signedIn();
    const next = cookieIn(await refresh(cookie))!;
    const out = await ask('DELETE', '', next);
    expect([out.status, setCookieOf(out)]).toEqual([200, expect.stringMatching(/^\w+=; Path=\/; .*; Max-Age=0$/)]);
    for (const ended of [cookie, next]) expect((await refresh(ended)).status).toBe(401);
    expect((await refresh(elsewhere.cookie)).status).toBe(200);
    expect(await trail('logout')).toMatchObject([{ actor: { id } }]);
    expect((await ask('DELETE', '', next)).status).toBe(200);
  });
});

describe('the own password', () => {
  test('is changed in the console: the cookie follows, all other logins end', async () => {
    const { signedIn, refresh, me } = await open();
    const [here, there] = [await signedIn(), await signedIn()];
    const change = (current: string, next: string, headers: Headers) =>
      app.send('POST', '/api/me/password', { current, new: next }, { token: here.token, headers });
    expect((await change('wrong', 'another long password', { cookie: here.cookie })).status).toBe(400);
    const reply = await change(PASSWORD, 'another long password', { cookie: here.cookie });
    expect(reply.status).toBe(200);
    expect([await me(reply.body.data.token), await me(here.token)]).toEqual([200, 401]);
    const statuses = [];
    for (const cookie of [cookieIn(reply), here.cookie, there.cookie]) statuses.push((await refresh(cookie)).status);
    expect(statuses).toEqual([200, 401, 401]);
  });

  test('a program gets no cookie', async () => {
    const { signedIn } = await open();
    const { token } = await signedIn();
    const reply = await app.send(
      'POST',
      '/api/me/password',
      { current: PASSWORD, new: 'another long password' },
      { token },
    );
    expect([reply.status, setCookieOf(reply)]).toEqual([200, null]);
  });
});
