import { beforeEach, describe, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { TOKEN } from '#test/setup/test-app.ts';

const it = appOfTests();
const line = commandLine(it);
let token: string;
let tenants = 0;
beforeEach(async () => {
  token = await it.tenant(`cli-event-${++tenants}`);
});

const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', token);
const runJson = async (...args: readonly string[]) => JSON.parse(await run(...args, '--json'));
const send = async (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });

/** The last of them within seconds of the others, so all are one group. */
const events = async (...hosts: readonly string[]): Promise<string[]> => {
  const sent = hosts.map((hostname) => ({ sourceId: hostname, hostname, severity: 'major', title: 'Link down' }));
  const reply = await send('POST', '/api/events/bulk-ingest', { source: 'test', events: sent });
  return reply.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
};
const shown = async (id: string) => (await runJson('event', 'show', id)).event;
const NONE = 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ';

describe('event ack, resolve and suppress', () => {
  test('change several events at once and say what each is now', async () => {
    const [a, b] = (await events('h-1', 'h-2')) as [string, string];
    const text = await run('event', 'ack', a, b, a, '--note', 'looking');
    expect(text).toMatch(new RegExp(`${a} │ acknowledged[\\s\\S]*${b} │ acknowledged`));
    expect(text.match(/acknowledged/g)).toHaveLength(2);
    expect((await shown(b)).history.at(-1)).toMatchObject({ to: 'acknowledged', notes: 'looking' });
    await run('event', 'suppress', a);
    const { changed } = await runJson('event', 'resolve', b, '--category', 'manual-fix', '--note', 'new cable');
    expect(changed).toMatchObject([{ eventId: b, resolutionCategory: 'manual-fix', resolutionNotes: 'new cable' }]);
    expect([(await shown(a)).status, (await shown(b)).status]).toEqual(['suppressed', 'resolved']);
  });

  test('what is refused does not keep the others back, and the command fails', async () => {
    const [a] = (await events('h-1')) as [string];
    await expect(run('event', 'ack', NONE, a)).rejects.toThrow('1 of 2 events unchanged');
    expect(line.printed.join('\n')).toMatch(new RegExp(`${NONE} │ unknown [^\\n]*│ Event `));
    expect((await shown(a)).status).toBe('acknowledged');
  });

  test('a token that may not stops at once; more than 1,000 are refused before any', async () => {
    const [a] = (await events('h-1')) as [string];
    const viewer = await it.tenant(`cli-event-${tenants}`, 'viewer');
    await expect(line.run('event', 'ack', a, '--url', it.url, '--token', viewer)).rejects.toThrow('403');
    const many = Array.from({ length: 1_001 }, (_, index) => `EVT-${index}`);
    await expect(run('event', 'ack', a, ...many)).rejects.toThrow('at most 1000 events');
    expect((await shown(a)).status).toBe('open');
  });
});

describe('event assign', () => {
  test('gives events to people and teams, and takes them back; an open one is acknowledged', async () => {
    const user = { username: 'ann', name: 'Ann', password: 'a long enough password', role: 'operator' };
    const { id } = (await send('POST', '/api/admin/users', user)).body.data;
    await send('POST', '/v1/teams', { name: 'Night', members: [id] });
    const [a, b] = (await events('h-1', 'h-2')) as [string, string];
    await run('event', 'resolve', b);
    expect(await run('event', 'assign', a, b, '--user', 'ann', '--team', 'night')).toContain('Ann, team Night');
    expect([await shown(a), await shown(b)]).toMatchObject([
      { status: 'acknowledged', assignedTo: { username: 'ann' }, assignedTeam: { name: 'Night' } },
      { status: 'resolved', assignedTo: { username: 'ann' } },
    ]);
    const text = await run('event', 'show', a);
    expect(text).toMatch(/assigned: +Ann, team Night/);
    expect(text).toMatch(/assigned to Ann, team Night/);
    await run('event', 'assign', a, '--no-user');
    const after = await shown(a);
    expect(after).not.toHaveProperty('assignedTo');
    expect(after.assignedTeam).toMatchObject({ name: 'Night' });
    await expect(run('event', 'assign', a, '--user', 'bob')).rejects.toThrow('1 of 1');
    await expect(run('event', 'assign', a)).rejects.toThrow('pass --user');
  });
});

describe('many events', () => {
  test('of a group, back again, and by filter with the number that was seen', async () => {
    const ids = await events('fra1-1', 'fra1-2', 'ams2-1');
    const { groups } = await runJson('groups');
    const group = groups[0].correlationId as string;
    expect(await run('event', 'ack', '--group', group, '--note', 'power')).toBe('3 events: 3 changed, 0 unchanged');
    expect((await shown(ids[2]!)).history.at(-1)).toMatchObject({ to: 'acknowledged', notes: 'power' });
    expect(await runJson('event', 'reopen', '--group', group)).toMatchObject({ matched: 3, changed: 3 });
    const filter = ['--filter', 'host=fra1-*', '--filter', 'grouped=true'];
    await expect(run('event', 'suppress', ...filter, '--expect', '1')).rejects.toThrow('Filter matches 2 events');
    expect(await run('event', 'suppress', ...filter, '--expect', '2')).toContain('2 changed');
    expect(await run('event', 'list', '--host', 'fra1-*', '--ids')).toContain(ids[0]);
    expect((await runJson('event', 'list', '--status', 'suppressed')).pagination.total).toBe(2);
    expect(await run('events', '--host', 'nobody')).toContain('No events match these filters');
  });

  test.each([
    [[], 'pass IDs'],
    [['EVT-1', '--group', 'COR-1'], 'pass IDs'],
    [['--filter', 'host=a'], '--expect'],
    [['--filter', 'host', '--expect', '1'], 'expected a filter'],
    [['--filter', 'colour=red', '--expect', '1'], 'filter'],
    [['--group', 'COR-1-nobody'], 'no group COR-1-nobody — list them'],
  ])('event ack %j: %s', async (args, expected) => {
    await expect(run('event', 'ack', ...args)).rejects.toThrow(expected);
  });
});

describe('event note', () => {
  test('leaves the status, whatever it is', async () => {
    const [a, b] = (await events('h-1', 'h-2')) as [string, string];
    await run('event', 'suppress', a);
    await run('event', 'note', a, b, '--note', 'till ten');
    expect([await shown(a), await shown(b)]).toMatchObject([{ status: 'suppressed' }, { status: 'open' }]);
    for (const id of [a, b])
      expect((await shown(id)).history.at(-1)).toMatchObject({ notes: 'till ten', by: { name: 'test' } });
    await expect(run('event', 'note', NONE, '--note', 'x')).rejects.toThrow('1 of 1');
  });
});

describe('lists', () => {
  test('users and teams of the tenant; a page goes on with its cursor', async () => {
    for (const username of ['ann', 'bob']) {
      const user = { username, name: username, password: 'a long enough password', role: 'viewer' };
      await send('POST', '/api/admin/users', user);
    }
    const first = await run('users', '--limit', '1');
    const [, cursor] = /1 of 2 users; next page: --cursor (\S+)/.exec(first) ?? [];
    expect(first).toMatch(/ann +│ ann +│ +│ viewer │ active/);
    expect(await run('users', '--cursor', cursor!)).toMatch(/bob +│ bob/);
    expect(await run('teams')).toBe('No teams.');
    await send('POST', '/v1/teams', { name: 'Night', description: 'from ten on' });
    expect(await run('teams')).toMatch(/Night +│ from ten on +│ +0 │/);
  });

  test('tenants, for platform administrators only', async () => {
    await expect(run('tenants')).rejects.toThrow('403');
    expect(await line.run('tenants', '--url', it.url, '--token', TOKEN)).toContain(`cli-event-${tenants}`);
  });
});
