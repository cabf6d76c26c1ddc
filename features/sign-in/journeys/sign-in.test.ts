import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { recordChunks } from '#application/records/list-records.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { SIGN_IN_KINDS } from '#features/sign-in/rules/issuer.ts';
import { checkPeople } from '#features/sign-in/use-cases/check-people.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { CLIENT, type FakeIssuer, openFakeIssuer } from './fake-issuer.ts';
import { freePort } from './free-port.ts';

const MINUTE_MS = 60_000;
const RULES = { rules: [{ claim: 'groups', value: 'sre-*', role: 'operator', teams: ['SRE'] }] };

let issuer: FakeIssuer;
let it: TestApp;
beforeEach(async () => {
  issuer = await openFakeIssuer();
  const port = await freePort();
  it = await openTestApp({
    PORT: String(port),
    FAULTLINE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.1',
    FAULTLINE_OIDC_ISSUER: issuer.url,
    FAULTLINE_OIDC_CLIENT_ID: CLIENT,
    FAULTLINE_OIDC_CLIENT_SECRET: 'a secret of the client',
  });
  expect((await it.send('PUT', '/api/admin/settings/sign-in', RULES)).status).toBe(200);
});
afterEach(async () => {
  await it.stop();
  issuer.stop();
});

const cookieIn = (reply: Response): string => (reply.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
const visit = (url: string, cookie = ''): Promise<Response> => fetch(url, { redirect: 'manual', headers: { cookie } });

/** A browser that was sent to the issuer. */
const begin = async (returnTo = '/ui/groups') => {
  const reply = await visit(`${it.url}/api/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`);
  expect(reply.status).toBe(302);
  return { to: reply.headers.get('location')!, cookie: cookieIn(reply) };
};
const signIn = async (returnTo?: string) => {
  const { to, cookie } = await begin(returnTo);
  return visit(issuer.approve(to), cookie);
};
/** What the console does with its cookie. */
const renew = async (cookie: string): Promise<Response> =>
  fetch(`${it.url}/api/auth/console/refresh`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{}',
  });
const tokenOf = async (cookie: string): Promise<string> =>
  ((await (await renew(cookie)).json()) as { data: { token: string } }).data.token;

test('only platform administrators change the rules, and the audit log has each change', async () => {
  const audit = await it.send('GET', '/api/admin/audit?action=settings.sign-in.updated');
  expect(audit.body.data[0].after).toEqual(RULES);
  const token = await it.tenant('shop');
  expect((await it.send('PUT', '/api/admin/settings/sign-in', RULES, { token })).status).toBe(403);
  const wrong = await it.send('PUT', '/api/admin/settings/sign-in', {
    rules: [{ claim: 'groups', value: 'x', role: 'king' }],
  });
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('rules[0].role')]);
});

test('a person signs in with the role and teams of the rules, and the audit log has the rule', async () => {
  const team = await it.send('POST', '/api/admin/teams', { name: 'SRE' });
  expect(team.status).toBe(201);
  const reply = await signIn();
  expect([reply.status, reply.headers.get('location')]).toEqual([302, `${it.url}/ui/groups`]);
  const me = await it.send('GET', '/api/me', undefined, { token: await tokenOf(cookieIn(reply)) });
  expect(JSON.stringify(me.body)).toContain('"ann"');
  expect(JSON.stringify(me.body)).toContain('operator');
  const teams = await it.send('GET', '/api/admin/teams');
  expect(teams.body.data[0].members).toHaveLength(1);
  const { to, cookie } = await begin();
  // Keycloak, Entra ID and Google add parameters of their own.
  const callback = `${issuer.approve(to)}&session_state=one&authuser=0&scope=openid`;
  expect((await visit(callback, cookie)).headers.get('location')).toBe(`${it.url}/ui/groups`);
  const audit = await it.send('GET', '/api/admin/audit?action=login');
  expect(audit.body.data[0].after).toEqual({ method: 'oidc', issuer: issuer.url, rule: 'groups = sre-*' });
});

test.each<[string, string]>([
  ['https://evil.example/', '/ui/'],
  ['//evil.example', '/ui/'],
  ['/ui/events?status=open', '/ui/events?status=open'],
])('a sign-in with return_to %s ends on %s', async (asked, page) => {
  expect((await signIn(asked)).headers.get('location')).toBe(it.url + page);
});

test.each<[string, () => void]>([
  ['a token of another client', () => (issuer.lie = (claims) => ({ ...claims, aud: 'other' }))],
  ['a token of another issuer', () => (issuer.lie = (claims) => ({ ...claims, iss: 'https://evil.example' }))],
  ['an expired token', () => (issuer.lie = (claims) => ({ ...claims, iat: 1, exp: 2 }))],
  ['a token of another attempt', () => (issuer.lie = (claims) => ({ ...claims, nonce: 'other' }))],
  ['a token without nonce', () => (issuer.lie = ({ nonce: _, ...claims }) => claims)],
  ['a token without subject', () => (issuer.lie = ({ sub: _, ...claims }) => claims)],
  ['a token without signature', () => (issuer.signature = 'none')],
  ['a token with a foreign signature', () => (issuer.signature = 'foreign')],
])('%s is refused', async (_, lie) => {
  lie();
  const reply = await signIn();
  expect([reply.headers.get('location'), cookieIn(reply)]).toEqual([`${it.url}/ui/?sign_in=failed`, '']);
  const audit = await it.send('GET', '/api/admin/audit?action=login.failed');
  expect(audit.body.data[0].after).toMatchObject({ method: 'oidc', refusal: 'failed' });
});

const asIs = (): void => undefined;
const own = (cookie: string): string => cookie;
test.each<[string, (callback: URLSearchParams) => void, (cookie: string) => string]>([
  ['another state', (query) => query.set('state', 'other'), own],
  ['no state', (query) => query.delete('state'), own],
  ['two states', (query) => query.append('state', 'other'), own],
  ['the answer of another issuer', (query) => query.set('iss', 'https://evil.example'), own],
  ['no issuer', (query) => query.delete('iss'), own],
  ['a code of nobody', (query) => query.set('code', 'guessed'), own],
  ['no cookie', asIs, () => ''],
  ['a changed cookie', asIs, (cookie) => cookie.replace('=e', '=f')],
  ['an error', (query) => query.set('error', 'access_denied'), own],
])('a callback with %s is refused', async (_, change, cookieFrom) => {
  const { to, cookie } = await begin();
  const callback = new URL(issuer.approve(to));
  change(callback.searchParams);
  const reply = await visit(callback.href, cookieFrom(cookie));
  expect([reply.headers.get('location'), cookieIn(reply)]).toEqual([`${it.url}/ui/?sign_in=failed`, '']);
});

test('a callback works once, for the browser that began, within ten minutes', async () => {
  const [mine, other] = [await begin(), await begin()];
  const callback = issuer.approve(mine.to);
  expect((await visit(callback, other.cookie)).headers.get('location')).toContain('sign_in=failed');
  const again = issuer.approve(mine.to);
  expect((await visit(again, mine.cookie)).headers.get('location')).toBe(`${it.url}/ui/groups`);
  expect((await visit(issuer.approve(mine.to), mine.cookie)).headers.get('location')).toContain('sign_in=failed');
  const late = await begin();
  it.clock.advance(11 * MINUTE_MS);
  expect((await visit(issuer.approve(late.to), late.cookie)).headers.get('location')).toContain('sign_in=failed');
});

test('people without a rule, disabled ones, and namesakes of local users stay out', async () => {
  issuer.person = { sub: 'bob-1', preferred_username: 'bob', groups: ['dev'] };
  expect((await signIn()).headers.get('location')).toContain('sign_in=unassigned');
  issuer.person = { sub: 'evil-1', preferred_username: 'ADMIN', groups: ['sre-eu'] };
  expect((await signIn()).headers.get('location')).toContain('sign_in=taken');
  issuer.person = { sub: 'ann-1', preferred_username: 'ann', groups: ['sre-eu'] };
  const cookie = cookieIn(await signIn());
  const token = await tokenOf(cookie);
  const { body } = await it.send('GET', '/api/admin/users');
  const ann = (body.data as { id: string; username: string }[]).find(({ username }) => username === 'ann')!;
  expect((await it.send('PUT', `/api/admin/users/${ann.id}`, { disabled: true })).status).toBe(200);
  it.clock.advance(5_000);
  expect((await it.send('GET', '/api/me', undefined, { token })).status).toBe(401);
  expect((await renew(cookie)).status).toBe(401);
  expect((await signIn()).headers.get('location')).toContain('sign_in=disabled');
});

test('changes at the issuer reach a session within 15 minutes, and an outage is survived for eight hours', async () => {
  let cookie = cookieIn(await signIn());
  const later = async (minutes: number): Promise<number> => {
    it.clock.advance(minutes * MINUTE_MS);
    await checkPeople(it.app.ports, () => false);
    const reply = await renew(cookie);
    cookie = cookieIn(reply) || cookie;
    return reply.status;
  };
  expect([await later(11), issuer.refreshes]).toEqual([200, 1]);
  issuer.refuses = { status: 503, error: 'temporarily_unavailable' };
  expect(await later(4 * 60)).toBe(200);
  issuer.refuses = null;
  issuer.person = { ...issuer.person, groups: ['dev'] };
  expect(await later(11)).toBe(401);
});

test('refresh tokens are stored sealed, for one person, and one stored in clear ends with its session', async () => {
  await signIn();
  const { records } = it.app.ports;
  const stored = async () => {
    for await (const [person] of recordChunks(records, SYSTEM_TENANT, SIGN_IN_KINDS.person)) return person!;
    throw new Error('no person is stored');
  };
  const { id, body } = await stored();
  expect(body).toMatchObject({ subject: 'ann-1', sealedToken: expect.stringMatching(/^eyJ/) });
  expect(JSON.stringify(body)).not.toContain('refresh-');
  const { sealedToken, ...rest } = body as { readonly sealedToken: string };
  expect(await it.app.ports.issuer!.again('bob-1', sealedToken)).toBe('ended');
  expect(await it.app.ports.issuer!.again('ann-1', sealedToken)).toMatchObject({ subject: 'ann-1' });
  await records.put(SYSTEM_TENANT, SIGN_IN_KINDS.person, id, { ...rest, refreshToken: 'refresh-0' });
  it.clock.advance(11 * MINUTE_MS);
  await checkPeople(it.app.ports, () => false);
  const after = await stored();
  expect([after.body, JSON.stringify(after.body)]).toEqual([
    expect.objectContaining({ sealedToken: null, confirmedAt: null }),
    expect.not.stringContaining('refresh-'),
  ]);
});
