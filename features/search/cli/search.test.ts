import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);
let token: string;
beforeAll(async () => {
  token = await it.tenant('cli-search');
});

const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', token);

test('search finds by other words, and says by which', async () => {
  const event = { source: 's', sourceId: '1', severity: 'major', title: 'No space left on device', hostname: 'h-1' };
  const { body } = await it.send('POST', '/api/events/ingest', event, { token });
  await it.app.idle();
  it.clock.advance(3_000);
  await it.app.idle();
  expect(await run('search', 'disk', 'full')).toMatch(
    new RegExp(`1\\.00 .*complaint .*No space left on device .*disk-full .*${body.eventId}`),
  );
  expect(await run('search', 'zeppelin')).toContain('No results (words: zeppelin)');
  expect(JSON.parse(await run('search', 'disk full', '--kinds', 'complaint', '--json')).data.results).toHaveLength(1);
});
