import { beforeAll, expect, test } from '@jest/globals';
import { incidentOf } from '#features/investigations/journeys/incident.ts';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let line: CommandLine;
let options: readonly string[];
let group: string;
beforeAll(async () => {
  line = commandLine(it);
  const incident = await incidentOf(it, 'cli-investigate');
  options = ['--url', it.url, '--token', incident.token];
  ({ group } = incident);
});

test('investigate prints the root cause, what speaks against it, and every check', async () => {
  const text = await line.run('investigate', group, ...options);
  expect(text).toMatch(/^COR-\S+\nProbable root cause: “Link down” on sw-1, \d+% confidence\.\n/);
  expect(text).toMatch(/^Deciding observation: /m);
  expect(text).toMatch(/^Earliest detection: 2026-11-20T10:3/m);
  expect(text).toMatch(/^H1 “Link down” on sw-1 \(\d+% confidence\)$/m);
  expect(text).toMatch(/^ {2}path {5}2 of 2 other CIs in the group depend on sw-1 \(100%\)/m);
  const json = JSON.parse(await line.run('investigate', group, '--json', ...options));
  expect(json.investigation.groupId).toBe(group);
  await expect(line.run('investigate', 'COR-1-abcdef', ...options)).rejects.toThrow('404');
});
