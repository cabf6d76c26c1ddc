import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-services');
const line = commandLine(it);
const { run } = line.as(own);
const { send } = own;

test('services are listed with their health, and found by words', async () => {
  const ci = (await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server' })).body.id;
  const components = [{ ci_id: ci, role: 'frontend' }];
  await send('POST', '/v1/services', { name: 'Shop', criticality: 'high', components });
  expect(await run('services')).toMatch(/Shop +│ high +│ healthy │ +100 │ +1 │/);
  expect(await run('services', '--criticality', 'low')).toBe('No services.');
  expect(JSON.parse(await run('services', '--search', 'shop', '--json')).data).toMatchObject([{ name: 'Shop' }]);
});
