import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';
import { openBrowser } from './browser.ts';
import { freePort } from './free-port.ts';

const SECRET = 'a secret of the client that is long enough';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let [server, it]: [Server?, TestApp?] = [];
afterEach(async () => {
  await it?.stop();
  server?.close();
});
const config = mkdtempSync(join(tmpdir(), 'faultline-config-'));
beforeEach(() => {
  const { env } = process;
  jest.replaceProperty(process, 'env', { ...env, XDG_CONFIG_HOME: config });
});
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(config, { recursive: true });
});

/** The certified provider of npm, with its own pages for sign-in and consent. */
async function openProvider(url: string): Promise<string> {
  const { default: Provider } = await import('oidc-provider');
  const listening = createServer();
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  server = listening;
  const issuer = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'faultline',
        client_secret: SECRET,
        redirect_uris: [`${url}/api/auth/oidc/callback`],
        post_logout_redirect_uris: [`${url}/ui/`],
        grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
      },
    ],
    features: { deviceFlow: { enabled: true } },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, groups: ['sre-eu'] }),
    }),
  });
  listening.on('request', provider.callback());
  return issuer;
}

// The provider warns about defaults that production must not have.
beforeAll(() => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
});

const openBoth = async (): Promise<TestApp> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  it = await openTestApp({
    PORT: String(port),
    FAULTLINE_PUBLIC_URL: url,
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.1',
    FAULTLINE_OIDC_ISSUER: await openProvider(url),
    FAULTLINE_OIDC_CLIENT_ID: 'faultline',
    FAULTLINE_OIDC_CLIENT_SECRET: SECRET,
    FAULTLINE_OIDC_SCOPES: 'openid profile offline_access',
  });
  await it.send('PUT', '/api/admin/settings/sign-in', { rules: [{ claim: 'groups', value: 'sre-*', role: 'editor' }] });
  return it;
};

test('oidc-provider signs a person in and out: its pages, PKCE, signatures and userinfo are real', async () => {
  const { url, send } = await openBoth();
  const browser = openBrowser();
  const enter = () => browser.open(`${url}/api/auth/oidc/start?return_to=/ui/events`);
  const login = await enter();
  expect(login.text).toContain('name="login"');
  const consent = await browser.submit(login, { prompt: 'login', login: 'carol', password: 'any' });
  const end = await browser.submit(consent, { prompt: 'consent' });
  expect(new URL(end.url).pathname).toBe('/ui/events');
  const users = await send('GET', '/api/admin/users');
  expect(users.body.data).toContainEqual(expect.objectContaining({ username: 'carol', role: 'editor' }));
  // The issuer knows the person, and asks for consent only.
  expect((await enter()).text).not.toContain('name="login"');
  const question = await browser.open(`${url}/api/auth/oidc/sign-out`);
  expect(new URL(question.url).pathname).toBe('/session/end');
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(question.text)?.[1] ?? '';
  const out = await browser.submit(question, { xsrf, logout: 'yes' });
  expect(out.url).toBe(`${url}/ui/`);
  expect((await enter()).text).toContain('name="login"');
  expect((await send('GET', '/api/admin/audit?action=logout')).body.data).toHaveLength(1);
});

/** Enters the code of the terminal, in a browser of the person. */
const decide = async (address: string, login: string, isAllowed: boolean): Promise<void> => {
  const browser = openBrowser();
  const input = await browser.open(address);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(input.text)?.[1] ?? '';
  const code = new URL(address).searchParams.get('user_code') ?? '';
  const confirm = await browser.submit(input, { xsrf, user_code: code });
  if (!isAllowed) {
    await browser.submit(confirm, { xsrf, user_code: code, abort: 'yes' });
    return;
  }
  const page = await browser.submit(confirm, { xsrf, user_code: code, confirm: 'yes' });
  const consent = await browser.submit(page, { prompt: 'login', login, password: 'any' });
  expect((await browser.submit(consent, { prompt: 'consent' })).text).toContain('Sign-in Success');
};

test('faultline login signs in on another device; commands need no token until faultline logout', async () => {
  const { url, send } = await openBoth();
  const line = commandLine(it!);
  const login = line.run('login', '--url', url);
  await until(async () => line.printed.length === 1);
  const [address] = /http\S+user_code=\S+/.exec(line.printed[0]!)!;
  await decide(address, 'carol', true);
  expect(await login).toContain(`Signed in at ${url} as carol (editor, tenant `);
  const file = join(config, 'faultline/logins.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await line.run('events', '--url', url)).toContain('No events');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace(/"expiresAt": \d+/, '"expiresAt": 0'));
  expect(await line.run('events', '--url', url)).toContain('No events');
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  expect(await line.run('logout', '--url', url)).toBe(`Signed out at ${url}.`);
  await expect(line.run('events', '--url', url)).rejects.toThrow('faultline login');
  const audit = await send('GET', '/api/admin/audit?action=login');
  expect(audit.body.data[0].after).toMatchObject({ method: 'oidc', rule: 'groups = sre-*' });
});

test('a device sign-in that is denied, forged or of someone else opens no session', async () => {
  const { url, send } = await openBoth();
  const ask = (device: string) => send('POST', '/api/auth/oidc/device/token', { device }, { token: '' });
  const begin = async () => (await send('POST', '/api/auth/oidc/device', undefined, { token: '' })).body.data;
  const begun = await begin();
  expect((await ask(begun.device)).body.data).toEqual({ pending: 'pending' });
  await decide(begun.completeUri, 'carol', false);
  expect((await ask(begun.device)).status).toBe(401);
  expect((await ask('guessed')).status).toBe(401);
  await send('PUT', '/api/admin/settings/sign-in', { rules: [] });
  const other = await begin();
  await decide(other.completeUri, 'dave', true);
  const refused = await ask(other.device);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining('sign-in rule')]);
  expect((await ask(other.device)).status).toBe(401);
  expect(url).toBe(it!.url);
});
