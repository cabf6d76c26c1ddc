import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);
const config = mkdtempSync(join(tmpdir(), 'faultline-config-'));
beforeEach(() => {
  const { env } = process;
  jest.replaceProperty(process, 'env', { ...env, XDG_CONFIG_HOME: config });
});
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(config, { recursive: true });
});
const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url);

test('a local user signs in with a password where there is no identity provider, as the messages say', async () => {
  await expect(run('events')).rejects.toThrow('a local user: faultline login --user NAME');
  await expect(run('login')).rejects.toThrow(/not configured.*Sign in as a local user: faultline login --user NAME$/);
  const file = join(config, 'password');
  writeFileSync(file, 'a wrong password\n');
  await expect(run('login', '--user', 'admin', '--password', `@${file}`)).rejects.toThrow(/401, [^—]+$/);
  writeFileSync(file, 'a password for tests\n');
  expect(await run('login', '--user', 'admin', '--password', `@${file}`)).toMatch(/^Signed in at .* as admin \(/);
  expect(await run('events')).toContain('No events');
  expect(await run('logout')).toContain('Signed out');
  await expect(run('events')).rejects.toThrow('401');
});
