import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START, TOKEN } from '#test/setup/test-app.ts';
import { CliError } from './client/client.ts';

const it = appOfTests();
let token: string;
let folder: string;
let tenants = 0;
let line: CommandLine;
let printed: string[];
const run = (...args: readonly string[]): Promise<string> => line.run(...args);
const here = () => ['--url', it.url, '--token', token];
const runJson = async (...args: readonly string[]) => JSON.parse(await run(...args, ...here(), '--json'));

beforeAll(async () => {
  line = commandLine(it);
  printed = line.printed;
  folder = mkdtempSync(join(tmpdir(), 'faultline-cli-'));
});
beforeEach(async () => {
  token = await it.tenant(`cli-${++tenants}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const payloadFile = (source: string, name: string, body: unknown): string => {
  mkdirSync(join(folder, source), { recursive: true });
  const file = join(folder, source, name);
  writeFileSync(file, typeof body === 'string' ? body : JSON.stringify(body));
  return file;
};
const hostDown = (hostname: string, second = 0) => ({
  notification_type: 'PROBLEM',
  hostname,
  service: '',
  state: 'DOWN',
  output: 'no reply',
  timestamp: START / 1_000 + second,
});

describe('send', () => {
  test('takes the source from the folder and prints what became of each file', async () => {
    const files = [
      payloadFile('nagios', 'a.json', hostDown('h-1')),
      payloadFile('icinga2', 'b.json', hostDown('h-1', 5)),
    ];
    const text = await run('send', ...files, ...here());
    expect(text).toMatch(/a\.json +│ nagios +│ open +│ created +│ EVT-/);
    expect(text).toMatch(/b\.json +│ icinga2 +│ open +│ duplicate_updated +│ EVT-/);
  });

  test('--source beats the folder; a refused file does not keep the others back', async () => {
    const [good, bad] = [
      payloadFile('misc', 'good.json', hostDown('h-2')),
      payloadFile('misc', 'bad.json', { hostname: 'x', state: 'PURPLE' }),
    ];
    await expect(run('send', bad, good, '--source', 'nagios', ...here())).rejects.toThrow('1 of 2 files rejected');
    expect(printed.join('\n')).toMatch(/bad\.json .*failed[\s\S]*good\.json .*created/);
  });

  test('says which file cannot be read or is no JSON, before anything is sent', async () => {
    const good = payloadFile('nagios', 'c.json', hostDown('h-3'));
    const text = payloadFile('nagios', 'text.json', 'not json');
    await expect(run('send', good, text, ...here())).rejects.toThrow(/text\.json is not valid JSON/);
    await expect(run('send', good, join(folder, 'none.json'), ...here())).rejects.toThrow(/none\.json can't be read/);
    expect((await runJson('events')).events).toEqual([]);
  });
});

describe('events, groups and explain', () => {
  const incident = async () => {
    const down = payloadFile('nagios', 'down.json', [hostDown('sw-1'), hostDown('sw-2', 10)]);
    const [{ reply }] = await runJson('send', down);
    return (reply.results as { eventId: string }[]).map(({ eventId }) => eventId) as [string, string];
  };

  test('list events as a table and as JSON, filtered', async () => {
    expect(await run('events', ...here())).toContain('No events.');
    const [a] = await incident();
    const text = await run('events', ...here());
    expect(text).toContain(a);
    expect(text).toContain('2 of 2 events');
    expect((await runJson('events', '--severity', 'critical', '--limit', '1')).events).toHaveLength(1);
    expect((await runJson('events', '--severity', 'info')).events).toEqual([]);
    expect(await run('events', ...here(), '--severity', 'info')).toContain('No events match these filters');
  });

  test('an unknown group is not a group without such events', async () => {
    await incident();
    const { groups } = await runJson('groups');
    const id = groups[0].correlationId as string;
    expect(await run('events', '--group', id, ...here())).toContain('2 of 2 events');
    expect(await run('events', '--group', id, '--status', 'resolved', ...here())).toContain('No events in this group');
    await expect(run('events', '--group', 'COR-nope', ...here())).rejects.toThrow('no group COR-nope');
    await expect(run('group', 'show', 'COR-nope', ...here())).rejects.toThrow('no group COR-nope');
  });

  test('ids alone are printed for other commands', async () => {
    const ids = await incident();
    expect((await run('events', '--ids', ...here())).split('\n').sort()).toEqual([...ids].sort());
  });

  test('list the group with its root cause', async () => {
    expect(await run('groups', ...here())).toContain('No groups');
    const [a, b] = await incident();
    const { groups } = await runJson('groups');
    expect(groups).toHaveLength(1);
    expect([a, b]).toContain(groups[0].rootCause.eventId);
    const text = await run('groups', ...here());
    expect(text).toContain(groups[0].correlationId);
    expect(text).toMatch(/ sw-[12]: /);
    expect(text).toContain('1 of 1 groups');
  });

  test('explain a pair by every strategy', async () => {
    const [a, b] = await incident();
    const text = await run('explain', a, b, ...here());
    expect(text).toMatch(/are in the same group, COR-.*Profile: calibrated/);
    expect(text).toContain('still learning its background rates (first 4 hours)');
    for (const strategy of ['dependency', 'temporal', 'topology', 'pattern', 'service'])
      expect(text).toContain(strategy);
    expect(text).toMatch(/pattern +│ +1\.000 │ +1\.000 │ 1\.000 │ yes, > 0\.7/);
    expect((await runJson('explain', a, b)).together).toBe(true);
  });

  test('explain why a pair was never compared, and who put it together', async () => {
    const [a] = await incident();
    const [{ reply }] = await runJson('send', payloadFile('nagios', 'late.json', hostDown('sw-3', -7_200)));
    const late = reply.results[0].eventId as string;
    expect(await run('explain', a, late, ...here())).toContain('are not grouped: not compared: ');
    const both = { primaryEventId: a, relatedEventIds: [late] };
    await it.send('POST', '/api/events/correlate', both, { token });
    expect(await run('explain', a, late, ...here())).toMatch(/in the same group, COR-.*, merged manually\./);
  });

  test('every line fits a terminal of 120 columns', async () => {
    const [a, b] = await incident();
    const { groups } = await runJson('groups');
    const group = groups[0].correlationId as string;
    const services = isThere('services.create') ? [['services']] : [];
    const lists = [['users'], ['teams'], ...services, ['token', 'list']];
    const changes = [
      ['event', 'ack', a, b, '--note', 'x'.repeat(300)],
      ['event', 'show', a],
    ];
    for (const args of [['events'], ['groups'], ['explain', a, b], ['group', 'show', group], ...lists, ...changes]) {
      const text = await run(...args, ...here());
      for (const line of text.split('\n').filter((one) => one.startsWith('│')))
        expect(line.length).toBeLessThanOrEqual(120);
    }
  });
});

describe('token create', () => {
  test('makes a token that works with its role, shown once', async () => {
    const text = await run('token', 'create', '--name', 'zabbix', '--role', 'viewer', ...here());
    const made = /flt_[A-Za-z0-9]{36}/.exec(text)?.[0];
    expect(text).toContain('with the role viewer');
    expect((await it.send('GET', '/api/events', undefined, { token: made! })).status).toBe(200);
    const made2 = await runJson('token', 'create', '--name', 'n', '--expires', '1d');
    expect(made2.data).toMatchObject({ role: 'ingest', expires_at: new Date(START + 86_400_000).toISOString() });
  });

  test('a token may come from a file', async () => {
    const file = payloadFile('secrets', 'token', `${token}\n`);
    expect(await run('events', '--url', it.url, '--token', `@${file}`)).toContain('No events.');
    await expect(run('events', '--url', it.url, '--token', '@/nowhere/token')).rejects.toThrow("can't be read");
  });

  describe('from the environment', () => {
    const { env } = process;
    const names = ['FAULTLINE_URL', 'FAULTLINE_TOKEN', 'FAULTLINE_TOKEN_FILE'] as const;
    const inEnvironment = (values: Partial<Record<(typeof names)[number], string>>) =>
      Object.assign(env, { FAULTLINE_URL: it.url, ...values });
    afterEach(() => {
      for (const name of names) delete env[name];
    });

    test('come the address and the token; what is given outranks them', async () => {
      inEnvironment({ FAULTLINE_TOKEN: token });
      expect(await run('events')).toContain('No events.');
      await expect(run('events', '--token', 'flt_wrong')).rejects.toThrow(/401/);
    });

    test('comes the file that holds the token', async () => {
      const file = payloadFile('secrets', 'env-token', `${token}\n`);
      inEnvironment({ FAULTLINE_TOKEN_FILE: file, FAULTLINE_TOKEN: '' });
      expect(await run('events')).toContain('No events.');
      await expect(run('events', '--token', 'flt_wrong')).rejects.toThrow(/401/);
      inEnvironment({ FAULTLINE_TOKEN: token });
      await expect(run('events')).rejects.toThrow('set either');
      expect(await run('events', '--token', `@${file}`)).toContain('No events.');
    });

    test('comes a file that is not there', async () => {
      inEnvironment({ FAULTLINE_TOKEN_FILE: '/nowhere/token' });
      await expect(run('events')).rejects.toThrow("/nowhere/token can't be read");
    });
  });
});

describe('what goes wrong says what to do next', () => {
  test.each([
    [
      'no server',
      ['events', '--url', 'http://127.0.0.1:1'],
      /no server at http:\/\/127\.0\.0\.1:1\. Start one with: faultline serve/,
    ],
    [
      'an address without http',
      ['events', '--url', '127.0.0.1:1'],
      /--url: expected http:\/\/HOST:PORT or https:.*got 127\.0\.0\.1:1/,
    ],
    ['no token', ['events'], /401.*pass a valid token with --token/],
  ])('%s', async (_, args, message) => {
    const full = args.includes('--url') ? args : [...args, '--url', it.url];
    const failing = run(...full);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toBeInstanceOf(CliError);
  });

  test('an unknown event and a role that is too low', async () => {
    const none = 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ';
    await expect(run('explain', none, 'EVT-01M7YWBDXTWDA6R21CQ905J7YZ', ...here())).rejects.toThrow(
      /404.*list them with: faultline events/,
    );
    const { data } = await runJson('token', 'create', '--name', 'low', '--role', 'viewer');
    const low = ['--url', it.url, '--token', data.token];
    await expect(run('token', 'create', '--name', 'x', ...low)).rejects.toThrow(/403.*higher role/);
  });
});

test('a platform administrator names the tenant', async () => {
  await run('send', payloadFile('nagios', 'd.json', hostDown('h-9')), ...here());
  const text = await run('events', '--url', it.url, '--token', TOKEN, '--tenant', `cli-${tenants}`);
  expect(text).toContain('h-9');
});

test('rebuild-groups says what to do next', async () => {
  expect(await run('rebuild-groups')).toContain('Start the workers: merge re-reads all 24 partitions');
});

test('serve hands over to the server', async () => {
  expect(await run('serve')).toBe('serving');
});
