import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let line: CommandLine;
let token: string;
let id: string;
beforeAll(async () => {
  it = await openTestApp();
  line = commandLine(it);
  token = await it.tenant('cli-ci');
  const made = await it.send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database' }, { token });
  id = made.body.id;
});
afterAll(() => it.stop());

const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', token);

test('ci insight tells what matters', async () => {
  expect(await run('ci', 'insight', id)).toMatch(/db-1 is a CI of type database, active\.[\s\S]*\(rules, /);
  expect(JSON.parse(await run('ci', 'insight', id, '--json'))).toMatchObject({ ciId: id });
  await expect(run('ci', 'insight', 'nobody')).rejects.toThrow('404');
});

test('ci assess judges a change', async () => {
  const text = await run('ci', 'assess', id, 'upgrade', '--at', '2026-11-24T12:00:00Z', '--for', '5h');
  expect(text).toMatch(/^Risk \d+ of 100: \w+\./);
  expect(text).toMatch(/business_hours[^\n]*1\.25/);
  expect(text).toContain('- Split it into steps of at most 4 hours');
  await expect(run('ci', 'assess', id, 'upgrade', '--for', 'ever')).rejects.toThrow('400');
});
