import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'each', 'cli-settings');
const line = commandLine(it);

const run = (...args: readonly string[]): Promise<string> =>
  line.run('settings', ...args, '--url', it.url, '--token', own.token);

test('shows settings beside their defaults, and changes them', async () => {
  expect(await run('show')).toMatch(/threshold +│ 0\.7 +│ +│/);
  expect(await run('set', 'threshold=0.8', 'guards.maxSize=500', 'profile=specified')).toMatch(
    /threshold +│ 0\.8 +│ 0\.7 /,
  );
  const text = await run('show');
  expect(text).toMatch(/guards\.maxSize +│ 500 +│ 1000 /);
  expect(text).toMatch(/profile +│ "specified" +│ "calibrated" /);
  expect(await run('set', 'threshold=null')).toMatch(/threshold +│ 0\.7 +│ +│/);
  for (const one of text.split('\n')) expect(one.length).toBeLessThanOrEqual(120);
});

test('lists versions and restores one', async () => {
  expect(await run('history')).toBe('No changes yet.');
  await run('set', 'threshold=0.8');
  await run('set', 'threshold=0.9');
  expect(await run('history')).toMatch(
    /2 │ .*│ [^│]+│ {"threshold":0\.9}[\s\S]*1 │ .*{"threshold":0\.8}[\s\S]*0 │ before/,
  );
  expect(await run('restore', '1')).toMatch(/threshold +│ 0\.8 +│ 0\.7 /);
  await expect(run('restore', '7')).rejects.toThrow('Version 7 not found');
  await expect(run('restore', 'x')).rejects.toThrow('revision');
});

test.each(['threshold', '=1', 'a..b=1', 'a.b.c.d.e.f=1'])('says how a change is written, and not %s', async (wrong) => {
  await expect(run('set', wrong)).rejects.toThrow('expected name=value');
});

test('alert kinds by name', async () => {
  expect(await run('alerts')).toBe('No alert kinds yet.');
  await run('set-alert', 'Shop*Down', '--problem', 'down', '--object', 'deployment');
  expect(await run('set-alert', 'Shop*', '--problem', 'errors')).toMatch(
    /Shop\* +│ errors +│ – [\s\S]*Shop\*Down │ down +│ deployment/,
  );
  expect(await run('remove-alert', 'Shop*')).not.toMatch(/Shop\* /);
});
