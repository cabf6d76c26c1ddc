import { describe, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { storeService } from '#test/setup/stored-service.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'each', 'cli-group');
const line = commandLine(it);
const { run, runJson } = line.as(own);
const { send } = own;

/** The last of them within seconds of the others, so all are one group. */
const events = async (...hosts: readonly string[]): Promise<string[]> => {
  const sent = hosts.map((hostname) => ({ sourceId: hostname, hostname, severity: 'major', title: 'Link down' }));
  const reply = await send('POST', '/api/events/bulk-ingest', { source: 'test', events: sent });
  return reply.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
};
const groupIds = async (): Promise<string[]> => (await run('group', 'list', '--ids')).split('\n');
const group = async (id: string) => (await runJson('group', 'show', id)).group;
const NOBODY = 'COR-1-nobody';

describe('group list', () => {
  test('is the list of groups, with its filters and who takes care of each', async () => {
    await events('fra1-1', 'fra1-2');
    const [id] = (await groupIds()) as [string];
    expect(await run('group', 'list')).toBe(await run('groups'));
    expect(await run('group', 'list', '--host', 'fra1-1', '--severity', 'major', '--assignee', 'none')).toContain(id);
    for (const filter of [
      ['--host', 'ams2-1'],
      ['--status', 'resolved'],
      ['--verdict', 'right'],
    ])
      expect(await run('groups', ...filter)).toContain('No groups match these filters');
    await expect(run('groups', '--status', 'open')).rejects.toThrow('growing=true');
    await send('POST', '/v1/teams', { name: 'Night', members: [] });
    await run('group', 'assign', id, '--team', 'night');
    expect(await run('groups')).toMatch(/assigned[\s\S]*Night/);
  });
});

describe('group ack and resolve', () => {
  test('move the events of a group, and a resolved one has nothing left to move', async () => {
    await events('h-1', 'h-2', 'h-3');
    const [id] = (await groupIds()) as [string];
    const said = await run('group', 'ack', id, '--note', 'power');
    expect(said).toMatch(/^3 events acknowledged\nundo within 10 minutes: faultline group undo [0-9A-Z]{26}$/);
    expect(await group(id)).toMatchObject({ status: 'acknowledged', counts: { open: 0, acknowledged: 3 } });
    const reply = await runJson('group', 'resolve', id, '--category', 'manual-fix', '--note', 'new fuse');
    expect(reply).toMatchObject({ changed: 3, results: [{ id, ok: true }] });
    expect(await group(id)).toMatchObject({ status: 'resolved', counts: { resolved: 3 } });
    expect(await run('group', 'undo', reply.operationId)).toBe('3 events restored');
    expect(await group(id)).toMatchObject({ status: 'acknowledged' });
    expect(await run('group', 'unack', id)).toContain('3 events reopened');
    await run('group', 'resolve', id);
    expect(await run('group', 'reopen', id)).toContain('3 events reopened');
    await run('group', 'resolve', id);
    expect((await runJson('group', 'resolve', id)).changed).toBe(0);
  });

  test('take several groups and events in none at once, and name what is unknown', async () => {
    await events('a-1', 'a-2');
    it.clock.advance(7_200_000);
    await events('b-1', 'b-2');
    it.clock.advance(7_200_000);
    const [lone] = (await events('c-1')) as [string];
    const ids = await groupIds();
    expect(ids).toHaveLength(2);
    expect(await run('group', 'ack', ...ids, lone)).toContain('5 events acknowledged');
    await expect(run('group', 'ack', ...ids, NOBODY)).rejects.toThrow('1 of 3 failed');
    await expect(run('group', 'ack', NOBODY)).rejects.toThrow('faultline groups');
  });
});

describe('group assign', () => {
  test('gives a group to a user and a team, and takes it back; its events stay', async () => {
    const user = { username: 'ann', name: 'Ann', password: 'a long enough password', role: 'operator' };
    await send('POST', '/api/admin/users', user);
    await send('POST', '/v1/teams', { name: 'Night', members: [] });
    await events('h-1', 'h-2');
    const [id] = (await groupIds()) as [string];
    expect(await run('group', 'assign', id, '--user', 'ann', '--team', 'night')).toContain(
      '1 of 1 assigned to user ann, team night',
    );
    expect(await group(id)).toMatchObject({ status: 'active', assignedTo: { username: 'ann' } });
    expect(await run('group', 'show', id)).toMatch(/assignee: +Ann, team Night\n/);
    expect(await run('group', 'assign', id, '--user', 'none')).toContain('1 of 1 assigned to no user');
    expect(await group(id)).toMatchObject({ assignedTo: null, assignedTeam: { name: 'Night' } });
    expect(await run('group', 'assign', id, '--no-team')).toContain('1 of 1 assigned to no team');
    expect(await group(id)).toMatchObject({ assignedTo: null, assignedTeam: null });
    await expect(run('group', 'assign', id, '--user', 'bob')).rejects.toThrow(/user_id: .*bob.*faultline users/);
    await expect(run('group', 'assign', id)).rejects.toThrow('pass --user');
  });
});

describe('group note and verdict', () => {
  test('are kept with who said them, and shown', async () => {
    const [a] = (await events('h-1', 'h-2')) as [string, string];
    const [id] = (await groupIds()) as [string];
    expect(await run('group', 'note', id, '--note', 'till ten')).toContain(`Added the note to ${id} (1 note);`);
    const verdict = ['--cause', 'wrong', '--root', a, '--members', 'too_many', '--note', 'h-2 is another'];
    const said = `root cause wrong, actual: ${a}; events too many: h-2 is another (test, `;
    expect(await run('group', 'verdict', id, ...verdict)).toContain(`${id}: ${said}`);
    const text = await run('group', 'show', id);
    expect(text).toMatch(/│ test +│ till ten +│/);
    expect(text).toContain(said);
    expect(await runJson('groups', '--verdict', 'wrong')).toMatchObject({ groups: [{ verdict: { rootEventId: a } }] });
  });

  test('a cause that is no member is refused, and nothing is kept', async () => {
    await events('h-1', 'h-2');
    const [id] = (await groupIds()) as [string];
    const verdict = ['group', 'verdict', id, '--cause', 'wrong', '--members', 'right'];
    await expect(run(...verdict, '--root', 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ')).rejects.toThrow('rootEventId');
    expect(await group(id)).toMatchObject({ verdict: null });
  });
});

describe('group merge', () => {
  test('makes one group of two, under one id, also by an id from before', async () => {
    await events('h-1', 'h-2');
    it.clock.advance(7_200_000);
    await events('x-1', 'x-2', 'x-3');
    const ids = (await groupIds()) as [string, string];
    expect(ids).toHaveLength(2);
    const text = await run('group', 'merge', ...ids, '--reason', 'same rack');
    const [merged] = (await groupIds()) as [string];
    expect(text).toContain(`Merged 2 groups into ${merged}, 5 events`);
    for (const id of ids) expect(await group(id)).toMatchObject({ correlationId: merged, eventCount: 5 });
    await expect(run('group', 'merge', ...ids)).rejects.toThrow(`already the same group: ${merged}`);
  });

  test('needs two, and nothing changes when one is unknown', async () => {
    await events('h-1', 'h-2');
    const [id] = (await groupIds()) as [string];
    await expect(run('group', 'merge', id, id)).rejects.toThrow('pass at least two group IDs');
    await expect(run('group', 'merge', id, NOBODY)).rejects.toThrow(`no group ${NOBODY}`);
    const many = Array.from({ length: 21 }, (_, index) => `COR-${index}-a`);
    await expect(run('group', 'merge', ...many)).rejects.toThrow('at most 20 groups');
    expect(await group(id)).toMatchObject({ eventCount: 2 });
  });
});

test.each([
  ['show'],
  ['ack'],
  ['resolve'],
  ['assign', '--user', 'none'],
  ['note', '--note', 'x'],
  ['verdict', '--cause', 'right', '--members', 'right'],
])('group %s of no group says where to find them', async (verb, ...options) => {
  await expect(run('group', verb, NOBODY, ...options)).rejects.toThrow(
    `no group ${NOBODY} — list them with: faultline groups`,
  );
});

test('a token that only reads may look, and is told so when it may not', async () => {
  await events('h-1', 'h-2');
  const [id] = (await groupIds()) as [string];
  const viewer = await it.tenant(own.id, 'viewer');
  const look = (...args: readonly string[]) => line.run('group', ...args, '--url', it.url, '--token', viewer);
  expect(await look('show', id)).toContain(id);
  await expect(look('note', id, '--note', 'x')).rejects.toThrow('a higher role');
});

describe('group show', () => {
  test('says what is open, names the cause and the alternatives', async () => {
    const ids = await events('h-1', 'h-2', 'h-3');
    await run('event', 'ack', ids[0]!);
    await run('event', 'resolve', ids[1]!);
    const { groups } = await runJson('groups');
    const id = groups[0].correlationId as string;
    const text = await run('group', 'show', id);
    expect(text).toContain(`${id}: 3 events, `);
    expect(text).toContain('1 open, 1 acknowledged, 1 resolved; highest severity: major');
    const cause = groups[0].rootCauseCandidate.eventId as string;
    expect(text).toMatch(new RegExp(`root cause: +${cause} h-\\d: Link down\\n`));
    expect(text).toMatch(/alternatives: +EVT-\w+ h-\d: Link down \(0\.\d\d\)/);
    expect(text).toContain('This tenant was still learning its background rates');
    expect(text).toContain('3 of 3 events');
    const shownGroup = await runJson('group', 'show', id);
    expect(shownGroup).toMatchObject({ group: { correlationId: id, eventCount: 3 }, total: 3, truncated: false });
    await run('event', 'resolve', ...ids);
    expect(await run('group', 'show', id)).toContain('3 resolved; none open; highest severity: major');
  });

  test('finds a group under an id that it had before', async () => {
    const ids = await events('h-1', 'h-2');
    const { groups } = await runJson('groups');
    const [alone] = await events('elsewhere');
    await send('POST', '/api/events/correlate', { primaryEventId: ids[0], relatedEventIds: [alone] });
    const { total } = await runJson('group', 'show', groups[0].correlationId);
    expect(total).toBe(3);
  });

  test('tells the summary, the parts of the cause with names, and a bounded table of members', async () => {
    const ci = async (name: string, type: string): Promise<string> =>
      (await send('POST', '/v1/cmdb/ci', { name, type, attributes: { hostname: name } })).body.id;
    const [sw, db] = [await ci('sw-1', 'switch'), await ci('db-1', 'database')];
    await send('POST', '/v1/cmdb/relationships', { source_ci: db, target_ci: sw, type: 'depends_on' });
    await storeService(it.app.ports, own.id, 'Shop', db);
    it.clock.advance(60_000);
    const timestamp = new Date(it.clock.now()).toISOString();
    for (const [hostname, level, title] of [
      ['sw-1', 'critical', 'Link down'],
      ['db-1', 'major', 'PostgreSQL unreachable'],
    ])
      await send('POST', '/api/events/ingest', {
        source: 't',
        sourceId: title,
        hostname,
        severity: level,
        title,
        timestamp,
      });
    const [id] = (await groupIds()) as [string];
    const text = await run('group', 'show', id, '--limit', '1');
    expect(text).toContain('\nLink down on sw-1; 1 CI impacted; Shop is down\n');
    expect(text).toMatch(/status: +active, growing\nassignee: +unassigned\nroot cause: +EVT-\w+ sw-1: Link down\n/);
    expect(text).toContain(`sw-1, switch (${sw})`);
    const { coverage, evidence, earliness, severity, knownPattern } = (await group(id)).cause.parts;
    const all = [coverage, evidence, earliness, severity, knownPattern];
    const [covers, speaks, early, severe, known] = all.map((n) => n.toFixed(2));
    expect(text).toMatch(/score parts: +coverage 1\.00, /);
    expect(text).toContain(
      `coverage ${covers}, evidence ${speaks}, earliness ${early}, severity ${severe}, known pattern ${known}\n`,
    );
    expect(text).toMatch(/explains: +db-1 \(1\) \(hops in parentheses\)/);
    expect(text).toMatch(/services: +Shop \(full outage\)\nverdict: +none\n/);
    expect(text).toContain(`1 of 2 events, oldest first; all with: faultline events --group ${id}`);
    await expect(run('group', 'show', id, '--limit', '501')).rejects.toThrow('limit');
  });
});

describe('group split', () => {
  test('takes events out of a group, says where they are, and both groups show it', async () => {
    const all = await events('h-1', 'h-2', 'h-3', 'h-4');
    const [id] = (await groupIds()) as [string];
    const text = await run('group', 'split', id, all[2]!, all[3]!, '--reason', 'another rack');
    const into = (await groupIds()).find((one) => one !== id)!;
    expect(text).toContain(`Split 2 events from ${id} into ${into}`);
    expect(await run('group', 'show', id)).toContain(`split 2 events into ${into}: another rack`);
    expect(await run('group', 'show', into)).toContain(`split from ${id}: another rack`);
    expect(await runJson('group', 'split', id, all[1]!, '--reason', 'alone')).toMatchObject({ correlationId: null });
    await expect(run('group', 'split', id, all[0]!, '--reason', 'all')).rejects.toThrow(
      'Leave at least one in the group',
    );
    await expect(run('group', 'split', NOBODY, all[0]!, '--reason', 'x')).rejects.toThrow(`no group ${NOBODY}`);
    await expect(run('group', 'split', id, 'EVT-x', '--reason', 'x')).rejects.toThrow('EVT-x');
  });
});
