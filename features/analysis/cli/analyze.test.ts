import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-analyze');
const line = commandLine(it);
const { run } = line.as(own);
let service: string;
let eventId: string;
beforeAll(async () => {
  const post = async (path: string, body: object) => (await own.send('POST', path, body)).body;
  const ciId = (await post('/v1/cmdb/ci', { name: 'db-1', type: 'server' })).id;
  const components = [{ ci_id: ciId, role: 'database' }];
  service = (await post('/v1/services', { name: 'Shop', criticality: 'high', components })).id;
  for (let n = 0; n < 6; n++) {
    const event = { source: 'zabbix', sourceId: `${n}`, severity: 'major', title: `Volume ${'abcdef'[n]} odd` };
    eventId = (await post('/api/events/ingest', { ...event, hostname: 'db-1', timestamp: START - 60_000 })).eventId;
  }
  await it.app.idle();
});

test('analyze says what is wrong, why, and what to do', async () => {
  const text = await run('analyze', 'db-1');
  expect(text).toMatch(/^ci db-1\n/);
  expect(text).toMatch(/root cause.* \(\d+% confidence\)$/m);
  expect(text).toMatch(/^\| 2026-11-20 09:59 UTC: major "Volume . odd" on db-1 started/m);
  expect(text).toMatch(/^Impact: .*Shop \(high\) goes down/m);
  expect(text).toMatch(/^→ /m);
  expect(await run('analyze', eventId)).toMatch(/^event Volume f odd\n/);
  expect(await run('analyze', '--service', service)).toMatch(/^service Shop\n/);
  expect(await run('analyze', 'db-1', '--ask', 'what is the impact?')).toMatch(
    /^ci db-1\nNo known impact on other CIs if db-1 fails/,
  );
  await expect(run('analyze', 'COR-1-abcdef')).rejects.toThrow('404');
});
