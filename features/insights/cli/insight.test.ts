import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let line: CommandLine;
let token: string;
let ciId: string;
let service: string;
let eventId: string;
beforeAll(async () => {
  it = await openTestApp();
  line = commandLine(it);
  token = await it.tenant('cli-insight');
  const post = async (path: string, body: object) => (await it.send('POST', path, body, { token })).body;
  ciId = (await post('/v1/cmdb/ci', { name: 'db-1', type: 'server' })).id;
  const components = [{ ci_id: ciId, role: 'database' }];
  service = (await post('/v1/services', { name: 'Shop', criticality: 'high', components })).id;
  for (let n = 0; n < 6; n++) {
    const event = { source: 'zabbix', sourceId: `${n}`, severity: 'major', title: `Volume ${'abcdef'[n]} odd` };
    eventId = (await post('/api/events/ingest', { ...event, hostname: 'db-1', timestamp: START - 60_000 })).eventId;
  }
  await it.app.idle();
});
afterAll(() => it.stop());

const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', token);

test('insights tells what detectors find, each with what it stands on', async () => {
  const text = await run('insights', '--kind', 'missing-relationship', 'burst');
  expect(text).toMatch(/^minor missing-relationship: db-1 has no relationship \(INS-[0-9a-f]{24}\)$/m);
  expect(text).toMatch(/^ {2}db-1 had 6 events and is related to nothing.* \[C1\]$/m);
  expect(text).toMatch(/^ {2}→ Record what db-1 needs/m);
  expect(text).toContain(`from: C1 ci "db-1" /v1/cmdb/ci/${ciId}`);
});

test('insights looks at one CI, at one service, and at a range', async () => {
  expect(await run('insights', '--ci', 'db-1')).toContain('db-1 has no relationship');
  expect(await run('insights', '--service', service, '--range', '24h')).toContain('db-1 has no relationship');
  expect(await run('insights', '--kind', 'stale-ci')).toMatch(/^Nothing stands out from .* \[Q1\]$/m);
  expect(JSON.parse(await run('insights', '--json'))).toMatchObject({ success: true, data: { failed: [] } });
  await expect(run('insights', '--kind', 'weather')).rejects.toThrow('400');
  await expect(run('insights', '--ci', 'nobody')).rejects.toThrow('no configuration item has the id or name nobody');
});

test('analyze says what is wrong, why, and what to do', async () => {
  const text = await run('analyze', 'db-1');
  expect(text).toMatch(/^ci db-1\n/);
  expect(text).toMatch(/^Cause, \d+ % sure: /m);
  expect(text).toMatch(/^\| 2026-11-20 09:59 UTC: major "Volume . odd" on db-1 began/m);
  expect(text).toMatch(/^Impact: .*Shop \(high\) goes down/m);
  expect(text).toMatch(/^→ /m);
  expect(await run('analyze', eventId)).toMatch(/^event Volume f odd\n/);
  expect(await run('analyze', '--service', service)).toMatch(/^service Shop\n/);
  expect(await run('analyze', 'db-1', '--ask', 'what is the impact?')).toMatch(/^ci db-1\nNo other CI fails with db-1/);
  await expect(run('analyze', 'COR-1-abcdef')).rejects.toThrow('404');
});
