import { afterEach, expect, test } from '@jest/globals';
import { checkPeople } from '#features/sign-in/use-cases/check-people.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

const URL = 'https://faultline.example';

let it: TestApp;
afterEach(() => it.stop());

const open = async (proxies: string): Promise<void> => {
  it = await openTestApp({
    FAULTLINE_PUBLIC_URL: URL,
    FAULTLINE_TRUST_PROXY: proxies,
    FAULTLINE_PROXY_SIGN_IN: 'X-Forwarded',
  });
  const rules = [{ claim: 'groups', value: 'sre-*', role: 'operator' }];
  expect((await it.send('PUT', '/api/admin/settings/sign-in', { rules })).status).toBe(200);
};
const ANN = {
  'X-Forwarded-User': 'ann-1',
  'X-Forwarded-Preferred-Username': 'ann',
  'X-Forwarded-Groups': 'dev, sre-eu',
};
const visit = (headers: Record<string, string>, path = '/start?return_to=/ui/groups'): Promise<Response> =>
  fetch(`${it.url}/api/auth/oidc${path}`, { redirect: 'manual', headers });
const lastAudit = async (action: string) =>
  (await it.send('GET', `/api/admin/audit?action=${action}`)).body.data[0].after as object;

test('a trusted proxy signs its user in, who stays without an issuer that could be asked', async () => {
  await open('127.0.0.1');
  expect(await (await visit({}, '')).json()).toMatchObject({ data: { oidc: true } });
  const reply = await visit(ANN);
  expect([reply.status, reply.headers.get('location')]).toEqual([302, `${URL}/ui/groups`]);
  expect(await lastAudit('login')).toEqual({ method: 'proxy', rule: 'groups = sre-*' });
  it.clock.advance(24 * 3_600_000);
  await checkPeople(it.app.ports, () => false);
  const renewed = await fetch(`${it.url}/api/auth/console/refresh`, {
    method: 'POST',
    headers: {
      cookie: reply.headers.getSetCookie()[0]!.split(';')[0]!,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    },
    body: '{}',
  });
  expect(renewed.status).toBe(200);
});

test.each<[string, Record<string, string>, string]>([
  ['nobody', {}, 'failed'],
  ['two users', { ...ANN, 'X-Forwarded-User': 'admin, ann-1' }, 'failed'],
  ['someone without a rule', { ...ANN, 'X-Forwarded-Groups': 'dev' }, 'unassigned'],
  ['the administrator', { ...ANN, 'X-Forwarded-Preferred-Username': 'admin' }, 'taken'],
])('a proxy that names %s signs nobody in', async (_, headers, refusal) => {
  await open('127.0.0.1');
  const reply = await visit(headers);
  expect([reply.headers.get('location'), reply.headers.getSetCookie()]).toEqual([`${URL}/ui/?sign_in=${refusal}`, []]);
  expect(await lastAudit('login.failed')).toMatchObject({ method: 'proxy', refusal });
});

test('anybody else who names a user signs nobody in', async () => {
  await open('10.1.2.3');
  const reply = await visit({ ...ANN, 'X-Forwarded-For': '10.1.2.3' });
  expect(reply.headers.get('location')).toBe(`${URL}/ui/?sign_in=failed`);
});
