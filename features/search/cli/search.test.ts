import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-search');
const line = commandLine(it);
const { run } = line.as(own);

test('search finds by other words, and says by which', async () => {
  const event = { source: 's', sourceId: '1', severity: 'major', title: 'No space left on device', hostname: 'h-1' };
  const { body } = await own.send('POST', '/api/events/ingest', event);
  await it.app.idle();
  it.clock.advance(3_000);
  await it.app.idle();
  expect(await run('search', 'disk', 'full')).toMatch(
    new RegExp(`1\\.00 .*complaint .*No space left on device .*disk-full .*${body.eventId}`),
  );
  expect(await run('search', 'zeppelin')).toContain('No results (words: zeppelin)');
  expect(JSON.parse(await run('search', 'disk full', '--kinds', 'complaint', '--json')).data.results).toHaveLength(1);
});
