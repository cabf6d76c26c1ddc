import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { openBrowser } from './browser.ts';
import { freePort } from './free-port.ts';

const SECRET = 'a secret of the client that is long enough';

let [server, it]: [Server?, TestApp?] = [];
afterEach(async () => {
  await it?.stop();
  server?.close();
});

/** The certified provider of npm, with its own pages for sign-in and consent. */
async function openProvider(callback: string): Promise<string> {
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
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
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

test('oidc-provider signs a person in: its pages, PKCE, signatures and userinfo are real', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const issuer = await openProvider(`${url}/api/auth/oidc/callback`);
  it = await openTestApp({
    PORT: String(port),
    FAULTLINE_PUBLIC_URL: url,
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.1',
    FAULTLINE_OIDC_ISSUER: issuer,
    FAULTLINE_OIDC_CLIENT_ID: 'faultline',
    FAULTLINE_OIDC_CLIENT_SECRET: SECRET,
    FAULTLINE_OIDC_SCOPES: 'openid profile offline_access',
  });
  await it.send('PUT', '/api/admin/settings/sign-in', {
    rules: [{ claim: 'groups', value: 'sre-*', role: 'editor' }],
  });
  const browser = openBrowser();
  const login = await browser.open(`${url}/api/auth/oidc/start?return_to=/ui/events`);
  expect(login.text).toContain('name="login"');
  const consent = await browser.submit(login, { prompt: 'login', login: 'carol', password: 'any' });
  const end = await browser.submit(consent, { prompt: 'consent' });
  expect(new URL(end.url).pathname).toBe('/ui/events');
  const users = await it.send('GET', '/api/admin/users');
  expect(users.body.data).toContainEqual(expect.objectContaining({ username: 'carol', role: 'editor' }));
});
