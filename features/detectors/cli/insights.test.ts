import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-insight');
const line = commandLine(it);
const { run } = line.as(own);
let ciId: string;
let service: string;
beforeAll(async () => {
  const post = async (path: string, body: object) => (await own.send('POST', path, body)).body;
  ciId = (await post('/v1/cmdb/ci', { name: 'db-1', type: 'server' })).id;
  const components = [{ ci_id: ciId, role: 'database' }];
  service = (await post('/v1/services', { name: 'Shop', criticality: 'high', components })).id;
  for (let n = 0; n < 6; n++) {
    const event = { source: 'zabbix', sourceId: `${n}`, severity: 'major', title: `Volume ${'abcdef'[n]} odd` };
    await post('/api/events/ingest', { ...event, hostname: 'db-1', timestamp: START - 60_000 });
  }
  await it.app.idle();
});

test('insights tells what detectors find, each with what it stands on', async () => {
  const text = await run('insights', '--kind', 'missing-relationship', 'burst');
  expect(text).toMatch(/^minor missing-relationship: db-1 has no relationship \(INS-[0-9a-f]{24}\)$/m);
  expect(text).toMatch(/^ {2}db-1 had 6 events but has no relationships.* \[C1\]$/m);
  expect(text).toMatch(/^ {2}→ Add its relationships/m);
  expect(text).toContain(`from: C1 ci "db-1" /v1/cmdb/ci/${ciId}`);
});

test('insights looks at one CI, at one service, and at a range', async () => {
  expect(await run('insights', '--ci', 'db-1')).toContain('db-1 has no relationship');
  expect(await run('insights', '--service', service, '--range', '24h')).toContain('db-1 has no relationship');
  expect(await run('insights', '--kind', 'stale-ci')).toMatch(/^No findings from .* \[Q1\]$/m);
  expect(JSON.parse(await run('insights', '--json'))).toMatchObject({ success: true, data: { failed: [] } });
  await expect(run('insights', '--kind', 'weather')).rejects.toThrow('400');
  await expect(run('insights', '--ci', 'nobody')).rejects.toThrow('no CI with ID or name nobody');
});
