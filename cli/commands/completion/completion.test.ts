import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'completion');
const line = commandLine(it);
let eventId: string;
beforeAll(async () => {
  const event = { source: 't', sourceId: '1', severity: 'major', title: 'Link down', hostname: 'fra1-core-01' };
  eventId = (await own.send('POST', '/api/events/ingest', event)).body.eventId;
  await own.send('POST', '/v1/cmdb/ci', { name: 'fra1-core-01', type: 'switch' });
});

const complete = async (...words: readonly string[]): Promise<string[]> =>
  (await line.run('__complete', '--url', it.url, '--token', own.token, '--', ...words)).split('\n');

test.each([
  [['ev'], ['events', 'event']],
  [
    ['event', 're'],
    ['resolve', 'reopen'],
  ],
  [['event', 'resolve', '--cat'], ['--category']],
  [['event', 'resolve', '--category', 'man'], ['manual-fix']],
  [
    ['group', 'a'],
    ['ack', 'assign'],
  ],
  [['group', 'me'], ['merge']],
  [['group', 'sp'], ['split']],
  [['group', 'verdict', '--cause', 'w'], ['wrong']],
  [['group', 'verdict', '--members', 'too_f'], ['too_few']],
  [['--url', 'http://x', 'tok'], ['token']],
  [['token', 'rev'], ['revoke']],
  [['completion', 'b'], ['bash']],
  [['events', '--host', 'fra1'], ['fra1-core-01']],
  [['events', '--host', 'nobody'], ['']],
  [['__'], ['']],
])('%j', async (words, expected) => {
  expect(await complete(...words)).toEqual(expected);
});

test('ids of events, names of CIs and ids of tokens', async () => {
  expect(await complete('event', 'ack', 'EVT-')).toEqual([eventId]);
  expect(await complete('event', 'ack', eventId, '')).toEqual([eventId]);
  expect(await complete('group', 'verdict', 'COR-1-a', '--root', 'EVT-')).toEqual([eventId]);
  expect(await complete('group', 'split', 'COR-1-a', 'EVT-')).toEqual([eventId]);
  expect(await complete('group', 'split', 'COR-1-a', '--reason', 'x', eventId, '')).toEqual([eventId]);
  if (isThere('insights.get')) expect(await complete('ci', 'insight', 'FRA1')).toEqual(['fra1-core-01']);
  expect((await complete('token', 'revoke', '')).length).toBeGreaterThan(0);
});

test('a server that is silent, or not there, is not waited for', async () => {
  const late = new AbortController();
  const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
  // It never answers: by the time it is asked, time is up.
  const silent = createServer(() => late.abort()).listen(0);
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const found = [];
  for (const where of [url, 'http://127.0.0.1:1'])
    found.push(await complete('events', '--url', where, '--host', 'fra1'));
  const limits = limit.mock.calls.flat();
  limit.mockRestore();
  silent.closeAllConnections();
  silent.close();
  expect({ found, limits, isLate: late.signal.aborted }).toEqual({
    found: [[''], ['']],
    limits: [1_500, 1_500],
    isLate: true,
  });
});

test('bash takes the words over, the last one as it is typed', async () => {
  const script = await line.run('completion', 'bash');
  const stub = 'faultline() { printf "%s\\n" "$@"; }';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
  const typed = 'COMP_WORDS=(faultline event ack ""); COMP_CWORD=3; _faultline; printf "<%s>" "${COMPREPLY[@]}"';
  const { stdout } = spawnSync('bash', ['-c', `${stub}\n${script}\n${typed}`], { encoding: 'utf8' });
  expect(stdout).toBe('<__complete><--><event><ack>');
});

test.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
  expect(await line.run('completion', shell)).toContain('faultline __complete -- ');
});
