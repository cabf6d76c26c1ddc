import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MailServer, openMailServer } from '#test/setup/mail-server.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

const PASSWORD = 'a long enough password';
const NEXT = 'another long password';
const PUBLIC = 'https://faultline.example.com';
const HOUR = 3_600_000;

let server: MailServer;
let it: TestApp;
let plain: TestApp;
beforeAll(async () => {
  server = await openMailServer();
  it = await openTestApp({ FAULTLINE_SMTP_URL: server.url, FAULTLINE_PUBLIC_URL: PUBLIC });
  plain = await openTestApp({});
});
afterAll(async () => {
  await it.stop();
  await plain.stop();
  server.close();
});

let tenants = 0;
const open = async (app: TestApp) => {
  const tenant = `accounts-${++tenants}`;
  const admin = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown, token: string | null = admin) =>
    app.send(method, `/api${path}`, body, { token });
  const login = (username: string, password: string) =>
    send('POST', '/auth/login', { username, password, tenant }, null);
  const set = (code: string, password: string) => send('POST', '/auth/password/set', { code, password }, null);
  const reset = (account: string) => send('POST', '/auth/password/reset', { account, tenant }, null);
  const actions = async (): Promise<string[]> =>
    (await send('GET', '/admin/audit')).body.data.map(({ action }: { action: string }) => action);
  return { tenant, admin, send, login, set, reset, actions };
};
const ann = { username: 'ann', name: 'Ann', role: 'viewer', mail: 'Ann@example.com', password: PASSWORD };
const codeIn = (text: string): string => /#link=3?D?(\w{40})/.exec(text.replaceAll('=\n', ''))?.[1] ?? '';
/** Code of the newest mail, when this number of mails is there. */
const mailed = async (count: number): Promise<string> => {
  await until(async () => server.mails.length >= count);
  return codeIn(server.mails.at(-1)?.text ?? '');
};

describe('addresses of users', () => {
  test('are unique in a tenant, and free again when changed or removed', async () => {
    const { send } = await open(plain);
    const made = await send('POST', '/admin/users', ann);
    expect(made.body.data.mail).toBe('Ann@example.com');
    const bob = { ...ann, username: 'bob', mail: 'ann@EXAMPLE.com' };
    const taken = await send('POST', '/admin/users', bob);
    expect([taken.status, taken.body.error.errors]).toEqual([409, [{ field: 'mail', reason: 'already in use' }]]);
    const bad = await send('POST', '/admin/users', { ...bob, mail: 'ann' });
    expect(bad.body.error.errors).toEqual([{ field: 'mail', reason: 'expected an email address; got "ann"' }]);
    await send('PUT', `/admin/users/${made.body.data.id}`, { mail: null });
    expect((await send('POST', '/admin/users', bob)).status).toBe(201);
  });

  test('are changed by their user with the password alone', async () => {
    const { send, login, actions } = await open(plain);
    await send('POST', '/admin/users', ann);
    const { token } = (await login('ann', PASSWORD)).body.data;
    const change = (mail: string | null, current: string) => send('PUT', '/me/mail', { mail, current }, token);
    expect((await change('a@example.com', 'wrong')).body.error.errors).toMatchObject([{ field: 'current' }]);
    expect((await change('a@example.com', PASSWORD)).body.data).toEqual({ mail: 'a@example.com' });
    expect((await send('GET', '/me', undefined, token)).body.data.user.mail).toBe('a@example.com');
    expect(await actions()).toContain('user.updated');
    expect((await send('PUT', '/me/mail', { mail: null, current: 'x' })).status).toBe(403);
  });
});

describe('invitations', () => {
  test('show the link once where no email is sent; it sets the password once', async () => {
    const { send, login, set, actions, tenant } = await open(plain);
    const invite = { mail: 'ann@example.com', role: 'viewer' };
    const { user, sent, link } = (await send('POST', '/admin/users/invite', invite)).body.data;
    expect([user.username, sent]).toEqual(['ann@example.com', false]);
    expect(user.invited_until).not.toBeNull();
    expect((await send('POST', '/admin/users/invite', invite)).status).toBe(409);
    const again = (await send('POST', `/admin/users/${user.id}/invite`)).body.data;
    expect((await set(codeIn(link), PASSWORD)).status).toBe(422);
    expect((await set(codeIn(again.link), 'short')).status).toBe(400);
    const accepted = await set(codeIn(again.link), PASSWORD);
    expect(accepted.body.data).toEqual({ username: 'ann@example.com', tenant });
    expect((await set(codeIn(again.link), NEXT)).status).toBe(422);
    expect((await login('ann@example.com', PASSWORD)).status).toBe(200);
    expect((await send('GET', `/admin/users/${user.id}`)).body.data.invited_until).toBeNull();
    expect((await send('POST', `/admin/users/${user.id}/invite`)).status).toBe(409);
    expect(await actions()).toEqual(expect.arrayContaining(['user.invited', 'user.invitation.accepted']));
  });

  test('are mailed, and end after seven days', async () => {
    const { send, set } = await open(it);
    const before = server.mails.length;
    const invite = { mail: 'carl@example.com', username: 'carl', role: 'viewer' };
    const { sent, link } = (await send('POST', '/admin/users/invite', invite)).body.data;
    expect([sent, link]).toEqual([true, null]);
    const code = await mailed(before + 1);
    expect(server.mails.at(-1)?.to).toBe('carl@example.com');
    it.clock.advance(7 * 24 * HOUR);
    expect((await set(code, PASSWORD)).status).toBe(422);
  });

  test('do not count as another administrator until they are accepted', async () => {
    const { send, set } = await open(plain);
    const { id } = (await send('POST', '/admin/users', { ...ann, role: 'admin' })).body.data;
    const invite = { mail: 'bo@example.com', role: 'admin' };
    const { link } = (await send('POST', '/admin/users/invite', invite)).body.data;
    const disable = () => send('PUT', `/admin/users/${id}`, { disabled: true });
    expect((await disable()).status).toBe(409);
    await set(codeIn(link), PASSWORD);
    expect((await disable()).status).toBe(200);
  });

  test('grant no role above that of the caller', async () => {
    const { send } = await open(plain);
    const made = await send('POST', '/admin/users/invite', { mail: 'ann@example.com', role: 'platform-admin' });
    expect(made.status).toBe(403);
  });
});

describe('the reset of a password', () => {
  test('ends sessions and other links, once, within an hour', async () => {
    const { send, login, set, reset, actions } = await open(it);
    await send('POST', '/admin/users', ann);
    const { token } = (await login('ann', PASSWORD)).body.data;
    const before = server.mails.length;
    for (const account of ['ANN', 'ann@example.com']) expect((await reset(account)).status).toBe(202);
    await until(async () => server.mails.length === before + 2);
    const [first, second] = server.mails.slice(before).map(({ text }) => codeIn(text));
    expect((await set(first ?? '', NEXT)).status).toBe(200);
    expect((await set(second ?? '', PASSWORD)).status).toBe(422);
    expect((await send('GET', '/auth/me', undefined, token)).status).toBe(401);
    expect([(await login('ann', PASSWORD)).status, (await login('ann', NEXT)).status]).toEqual([401, 200]);
    expect(await actions()).toEqual(expect.arrayContaining(['user.password.reset-requested', 'user.password.reset']));
    await reset('ann');
    const late = await mailed(before + 3);
    it.clock.advance(HOUR);
    expect((await set(late, PASSWORD)).status).toBe(422);
  });

  test('answers the same for accounts that are unknown or cannot be reset, and is limited by account', async () => {
    const { send, reset } = await open(it);
    const before = server.mails.length;
    await send('POST', '/admin/users', { ...ann, mail: null });
    await send('POST', '/admin/users/invite', { mail: 'new@example.com', role: 'viewer' });
    const replies = [];
    for (const account of ['ann', 'nobody', 'new@example.com']) replies.push(await reset(account));
    expect(replies.map(({ status, body }) => [status, body.data])).toEqual(
      replies.map(() => [202, { message: 'If the account has an email address, a link is on its way' }]),
    );
    for (let n = 0; n < 2; n += 1) await reset('nobody');
    const limited = await reset('nobody');
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(server.mails.length).toBe(before + 1);
  });

  test('needs a mail server', async () => {
    const { reset } = await open(plain);
    expect((await reset('ann')).status).toBe(422);
  });
});
