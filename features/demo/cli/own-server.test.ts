import { expect, test } from '@jest/globals';
import { CliError } from '#cli/client/client.ts';
import { programFor } from '#cli/program.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-demo');
const line = commandLine(it);

test('the demo stops its own server, also when something fails', async () => {
  const openOwnServer: CliEnvironment['openOwnServer'] = async () => ({
    url: it.url,
    token: own.token,
    stop: async () => void line.printed.push('stopped'),
  });
  line.printed.length = 0;
  const demo = programFor({ ...line.environment, openOwnServer }, '1.2.3').parseAsync([
    'node',
    'faultline',
    'demo',
    '--seed',
    '4',
  ]);
  // An ordinary administrator cannot make tenants.
  await expect(demo).rejects.toThrow(/POST \/api\/admin\/tenants: 403/);
  expect(line.printed[0]).toContain('seed 4');
  expect(line.printed.at(-1)).toBe('stopped');
});

test('a demo that may not make tenants says what it needs', async () => {
  const failing = line.run('demo', '--url', 'http://127.0.0.1:1');
  await expect(failing).rejects.toThrow(/requires --token of a platform administrator/);
  await expect(failing).rejects.toBeInstanceOf(CliError);
});
