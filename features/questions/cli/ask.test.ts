import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let line: CommandLine;
let token: string;
let id: string;
beforeAll(async () => {
  it = await openTestApp();
  line = commandLine(it);
  token = await it.tenant('cli-ask');
  id = (await it.send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database' }, { token })).body.id;
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', hostname: 'db-1' };
  await it.send('POST', '/api/events/ingest', { ...event, timestamp: START - 60_000 }, { token });
  await it.app.idle();
});
afterAll(() => it.stop());

const run = (...args: readonly string[]): Promise<string> =>
  line.run('ask', ...args, '--url', it.url, '--token', token);

test('the answer has numbered citations, the rows behind it, and how to go on', async () => {
  const lines = (await run('what is the status of db-1?', '--conversation', 'night')).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'db-1 has 1 open event: 1 critical. [1]',
    '"Disk full" on db-1: critical, open, since 09:59 UTC, 60s ago. [2]',
    'db-1 is a database with status active. [1]',
  ]);
  expect(lines).toContain(`[1] ci "db-1" /v1/cmdb/ci/${id}`);
  expect(lines).toContain(`search-events ciId=${id} (1 of 1):`);
  expect(lines.join('\n')).toMatch(/│ critical │ open +│ db-1 +│ Disk full │/);
  expect(lines).toContain('(rules; continue with --conversation night)');
  expect(lines.at(-1)).toMatch(/^\? What is the impact if "db-1" fails\?$/);
});

test('it goes on with a conversation, or with the CI that is named', async () => {
  expect(await run('what', 'depends', 'on', 'it?', '--conversation', 'night')).toContain(
    'db-1 has no known dependents.',
  );
  expect(await run('how is it doing?', '--ci', 'db-1')).toContain('db-1 has 1 open event');
});

test('what the answer leaves out stands before it', async () => {
  const [first, second] = (await run('list events in production')).split('\n');
  expect([first, second]).toEqual(['Ignored, not understood: "production"', '1 open event. [1]']);
});

test('programs get the reply itself', async () => {
  expect(JSON.parse(await run('how many events today', '--json'))).toMatchObject({
    toolCalls: [{ tool: 'analytics-query', result: [{ value: 1 }] }],
  });
});

test('it fails when nothing answers the question, and when the question is refused', async () => {
  await expect(run('colourless green ideas sleep')).rejects.toThrow('no answer found');
  expect(line.printed.join('\n')).toContain("I didn't understand the question.");
  await expect(run('why is nosuchhost-77 slow?')).rejects.toThrow('no answer found');
  await expect(run('how is nosuchhost-77?')).rejects.toThrow('no answer found');
  await expect(run('how is it?', '--ci', 'nowhere')).rejects.toThrow('currentCI');
  await expect(run('how is it?', '--conversation', 'a b')).rejects.toThrow('400');
});
