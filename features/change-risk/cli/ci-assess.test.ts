import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-ci-assess');
const line = commandLine(it);
const { run } = line.as(own);
let id: string;
beforeAll(async () => {
  const made = await own.send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database' });
  id = made.body.id;
});

test('ci assess judges a change', async () => {
  expect(await run('ci', 'assess', 'db-1', 'restart')).toMatch(/^Risk \d+/);
  const text = await run('ci', 'assess', id, 'upgrade', '--at', '2026-11-24T12:00:00Z', '--for', '5h');
  expect(text).toMatch(/^Risk \d+ of 100: \w+\./);
  expect(text).toMatch(/^Base failure rate of upgrade changes: 18%\. \[Q1, C1\]$/m);
  expect(text).toMatch(/business_hours[^\n]*1\.25[^\n]*C1/);
  expect(text).toMatch(/^from: C1 ci "db-1" \/v1\/cmdb\/ci\/.*\n {6}Q1 query "Changes of type upgrade" /m);
  expect(text).toContain('- Split it into steps of up to 4 hours');
  await expect(run('ci', 'assess', id, 'upgrade', '--for', 'ever')).rejects.toThrow('400');
});
