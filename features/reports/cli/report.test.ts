import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

const directory = temporaryDirectory();
let it: TestApp;
let token: string;
let line: CommandLine;
beforeAll(async () => {
  it = await openTestApp();
  token = await it.tenant('cli-reports');
  line = commandLine(it);
  for (const name of ['db-1', 'web-1']) await it.send('POST', '/v1/cmdb/ci', { name, type: 'server' }, { token });
});
afterAll(async () => {
  await it.stop();
  directory.remove();
});

const run = (...args: readonly string[]): Promise<string> =>
  line.run('report', ...args, '--url', it.url, '--token', token);
const file = (name: string): string => join(directory.path, name);

test('a report from what there is to what is gone', async () => {
  expect(await run('templates')).toMatch(/^ci-inventory\n {2}Current CIs[\s\S]*grouping: ci_type, status/);
  expect(await run('list')).toBe('No reports.');
  const given = ['--parameter', 'ci_type=server', '--parameter', 'date_range={"from":"2026-11-01"}', '--shared'];
  const made = await run('generate', 'ci-inventory', ...given, '--format', 'csv', '--output', file('cis.csv'));
  expect(made).toMatch(
    /report: 3 of 3\nReport \w{26} \(ci-inventory, csv\) is complete: 1 kB, kept until .*\.\nwritten to /,
  );
  expect(readFileSync(file('cis.csv'), 'utf8')).toMatch(/,db-1,server,active,[\s\S]*,web-1,server,active,/);
  const id = /Report (\w{26})/.exec(made)![1]!;
  expect(await run('list', '--shared', '--category', 'inventory')).toMatch(
    new RegExp(`${id} │ ci-inventory │ csv +│ completed │ test │ .* │ 1 kB`),
  );
  expect(await run('download', id, '--output', file('again.csv'))).toBe(`written to ${file('again.csv')}`);
  expect(readFileSync(file('again.csv'))).toEqual(readFileSync(file('cis.csv')));
  expect(await run('status', id)).toContain('is complete');
  expect(await run('delete', id)).toBe(`Deleted report ${id}.`);
  const gone = `Report ${id} not found: deleted, expired after 7 days, or not shared with you — see: faultline report list`;
  await expect(run('status', id)).rejects.toThrow(gone);
  await expect(run('delete', id)).rejects.toThrow(gone);
  await expect(run('download', id, '--output', file('gone.csv'))).rejects.toThrow(gone);
  expect(existsSync(file('gone.csv'))).toBe(false);
});

test('mistakes are said before anything is written', async () => {
  await expect(run('generate', 'nope')).rejects.toThrow('expected one of ci-inventory');
  await expect(run('generate', 'ci-inventory', '--parameter', 'grouping')).rejects.toThrow('date_range=');
  await expect(run('generate', 'ci-inventory', '--parameter', 'date_range={from')).rejects.toThrow(
    'invalid JSON value',
  );
});

test('one may go away while it is made', async () => {
  const said = await run('generate', 'event-summary', '--deliver', 'email', '--no-wait');
  const id = /Report (\w{26}) is being generated/.exec(said)![1]!;
  await it.app.idle();
  expect(await run('status', id)).toContain('Delivery by email: not configured.');
});
