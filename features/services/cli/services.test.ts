import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);
let token: string;
beforeAll(async () => {
  token = await it.tenant('cli-services');
});

const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', token);
const send = (method: string, path: string, body: unknown) => it.send(method, path, body, { token });

test('services are listed with their health, and found by words', async () => {
  const ci = (await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server' })).body.id;
  const components = [{ ci_id: ci, role: 'frontend' }];
  await send('POST', '/v1/services', { name: 'Shop', criticality: 'high', components });
  expect(await run('services')).toMatch(/Shop +│ high +│ healthy │ +100 │ +1 │/);
  expect(await run('services', '--criticality', 'low')).toBe('No services.');
  expect(JSON.parse(await run('services', '--search', 'shop', '--json')).data).toMatchObject([{ name: 'Shop' }]);
});
