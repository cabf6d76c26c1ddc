import { beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'each', 'cli-try');
let line: CommandLine;
beforeAll(async () => {
  line = commandLine(it);
});

const run = (...args: readonly string[]): Promise<string> =>
  line.run('settings', ...args, '--url', it.url, '--token', own.token);

test.each(['threshold', '=1', 'a..b=1', 'a.b.c.d.e.f=1'])('says how a change is written, and not %s', async (wrong) => {
  await expect(run('try', wrong)).rejects.toThrow('expected name=value');
});

test('what the server refuses is said as it says it', async () => {
  await expect(run('try', 'dedupWindowMs=120000')).rejects.toThrow(/affects deduplication/);
  await expect(run('try', 'threshold=7')).rejects.toThrow(/threshold/);
});

test('tries settings and says which groups would be others; nothing is changed', async () => {
  const events = Array.from({ length: 4 }, (_, n) => ({
    sourceId: `s${n}`,
    hostname: `h${n}`,
    service: 'shop',
    severity: 'major',
    title: `Odd ${'abcd'[n]}`,
    timestamp: START - n * 60_000,
  }));
  await own.send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  await it.app.idle();
  const change = ['strategies.temporal.enabled=false', 'strategies.service.enabled=false'];
  const text = await run('try', ...change, '--hours', '2');
  expect(text).toMatch(/^4 events since 2026-11-20 08:\d\d:\d\d\. Read-only\.$/m);
  expect(text).toMatch(/events in groups +│ +4 +│ +0 +│/);
  expect(text).toMatch(/│ gone +│ 4 +│ – +│ Odd [abcd]/);
  expect(text).toContain('0 unchanged, 0 changed.');
  expect(await run('try', 'threshold=0.71')).toContain('No groups would change.');
  expect(await run('show')).toMatch(/strategies\.service\.enabled +│ true +│ +│/);
  const { data } = JSON.parse(await run('try', ...change, '--json'));
  expect(data).toMatchObject({ state: 'completed', before: { groups: 1 }, after: { groups: 0 }, changed: 1 });
});
