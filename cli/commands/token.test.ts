import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);
let admin: string;
beforeAll(async () => {
  admin = await it.tenant('cli-tokens');
});

const run = (...args: readonly string[]): Promise<string> =>
  line.run('token', ...args, '--url', it.url, '--token', admin);
const made = async (...args: readonly string[]) =>
  JSON.parse(await run('create', '--json', ...args)).data as { id: string; token: string };
const statusOf = async (token: string): Promise<number> =>
  (await it.send('GET', '/api/auth/me', undefined, { token })).status;

test('create says when the token ends', async () => {
  expect(await run('create', '--name', 'feed')).toMatch(
    /Token "feed" \(\w{26}\) with the role ingest[\s\S]*flt_\w+[\s\S]*doesn't expire/,
  );
  expect(await run('create', '--name', 'reader', '--role', 'viewer')).toContain('The token expires at 2027-02-18T');
  const scoped = await run('create', '--name', 'hook', '--scope', 'events.webhook', '--limit', 'webhook=9');
  expect(scoped).toContain('with the scopes events.webhook');
  await expect(run('create', '--name', 'x', '--role', 'viewer', '--scope', 'cmdb.read')).rejects.toThrow(
    'pass --role or --scope',
  );
  await expect(run('create', '--name', 'x', '--limit', 'many')).rejects.toThrow('such as ingest=12000');
});

test('list and show have expiry, last use, rights and limits', async () => {
  const { id } = await made('--name', 'zabbix', '--limit', 'ingest=12000', '--description', 'of rack 1');
  const list = await run('list', '--search', 'ZABBIX');
  expect(list).toMatch(new RegExp(`${id} │ zabbix │ ingest │ never +│ never`));
  expect(list).toContain('1 of 1 tokens');
  expect(await run('show', id)).toMatch(
    /zabbix[\s\S]*of rack 1[\s\S]*limits: +ingest=12000[\s\S]*expires: +never\nlast used: never/,
  );
});

test('update, rotate and revoke', async () => {
  const { id, token } = await made('--name', 'a', '--role', 'viewer', '--expires', '2d');
  await expect(run('update', id)).rejects.toThrow('pass --name');
  expect(await run('update', id, '--name', 'b', '--limit', 'query=5', '--expires', '30d')).toMatch(
    /^b \(.*[\s\S]*query=5[\s\S]*expires: +2026-12-20/,
  );
  expect(await run('update', id, '--limit', 'query=default')).toContain('tenant limits');
  const rotated = JSON.parse(await run('rotate', id, '--overlap', '1h', '--json')).data;
  expect([await statusOf(token), await statusOf(rotated.token)]).toEqual([200, 200]);
  expect(await run('rotate', id)).toContain('The previous value is accepted until');
  expect(await run('revoke', id)).toBe(`Revoked token ${id}.`);
  expect([await statusOf(token), await statusOf(rotated.token)]).toEqual([401, 401]);
});
