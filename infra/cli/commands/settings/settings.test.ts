import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let line: CommandLine;
let token: string;
let tenants = 0;
beforeAll(async () => {
  it = await openTestApp();
  line = commandLine(it);
});
beforeEach(async () => {
  token = await it.tenant(`cli-settings-${++tenants}`);
});
afterAll(() => it.stop());

const run = (...args: readonly string[]): Promise<string> =>
  line.run('settings', ...args, '--url', it.url, '--token', token);

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

test.each(['threshold', '=1', 'a..b=1', 'a.b.c.d.e.f=1'])('says how a change is written, and not %s', async (wrong) => {
  await expect(run('set', wrong)).rejects.toThrow('expected name=value');
  await expect(run('try', wrong)).rejects.toThrow('expected name=value');
});

test('what the server refuses is said as it says it', async () => {
  await expect(run('try', 'dedupWindowMs=120000')).rejects.toThrow(/decides what becomes an event/);
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
  await it.send('POST', '/api/events/bulk-ingest', { source: 'test', events }, { token });
  await it.app.idle();
  const change = ['strategies.temporal.enabled=false', 'strategies.service.enabled=false'];
  const text = await run('try', ...change, '--hours', '2');
  expect(text).toMatch(/^4 events since 2026-11-20 08:\d\d:\d\d\. Nothing was changed\.$/m);
  expect(text).toMatch(/events in groups +│ +4 +│ +0 +│/);
  expect(text).toMatch(/│ gone +│ 4 +│ – +│ Odd [abcd]/);
  expect(text).toContain('0 would come out the same, 0 would not.');
  expect(await run('try', 'threshold=0.71')).toContain('No group would be another one.');
  expect(await run('show')).toMatch(/strategies\.service\.enabled +│ true +│ +│/);
  const { data } = JSON.parse(await run('try', ...change, '--json'));
  expect(data).toMatchObject({ state: 'completed', before: { groups: 1 }, after: { groups: 0 }, changed: 1 });
});
