import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { estateOf } from '#test/setup/estate.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const PATH = '/api/chatbot';
const AFFECTED = '1 business service is affected. The service "Online Shop" (medium) is critical: health 10 of 100.';

let app: TestApp;
let token: string;
const ids: Record<string, string> = {};
const { send, ci, join } = estateOf(() => ({ app, token }));

beforeAll(async () => {
  app = await openTestApp();
  app.clock.set(START - 10 * DAY);
  token = await app.tenant('chat');
  ids['db-1'] = await ci('db-1', { type: 'database', attributes: { version: '16.2' } });
  for (const name of ['web-1', 'web-2']) {
    ids[name] = await ci(name);
    await join(ids[name]!, ids['db-1']!);
  }
  ids.billing = await ci('Billing', { type: 'application' });
  await send('POST', '/v1/services', { name: 'Online Shop', components: [{ ci_id: ids['web-1'], role: 'web' }] });
  const event = (title: string, hostname: string, severity: string, ago: number) => {
    app.clock.set(START - ago);
    return send('POST', '/api/events/ingest', { source: 's', sourceId: `${title}${ago}`, severity, title, hostname });
  };
  await event('Login fails', 'web-1', 'minor', 9 * DAY);
  await event('Database is down', 'db-1', 'critical', 10 * MINUTE);
  await event('No connection to the database', 'web-1', 'major', 9 * MINUTE);
  await event('Session lost', 'web-2', 'major', 9 * MINUTE);
  await app.app.idle();
  app.clock.set(START);
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked against their schemas by the server.
const asked = async (message: string, more: object = {}, headers = {}): Promise<any> => {
  const { status, body } = await send('POST', PATH, { message, ...more }, headers);
  expect([message, status, body.error]).toEqual([message, 200, undefined]);
  return body;
};
const calls = (body: { toolCalls: { tool: string; params: object }[] }) =>
  body.toolCalls.map(({ tool, params }) => [tool, params]);

describe('each intent asks its tools and says what they have found', () => {
  const db = () => ({ ciId: ids['db-1'] });
  const web = () => ({ ciId: ids['web-1'] });
  const cases: readonly (readonly [string, () => unknown[], string])[] = [
    [
      'What is the status of db-1?',
      () => [
        ['get-ci-details', db()],
        ['search-events', db()],
      ],
      'db-1 is a CI of type database with status active. db-1 has 1 open event: 1 critical.',
    ],
    [
      'Why is web-1 down?',
      () => [
        ['search-events', web()],
        ['search-events', { ...web(), status: 'resolved' }],
        ['get-ci-details', web()],
      ],
      '2 open events on web-1. Probably "Database is down" on db-1 is the cause: confidence 88 %',
    ],
    [
      'what depends on db-1?',
      () => [['search-relationships', { targetId: ids['db-1'] }]],
      '2 CIs depend directly on db-1',
    ],
    ['what does web-1 depend on', () => [['search-relationships', { sourceId: ids['web-1'] }]], 'on 1 CI: db-1.'],
    [
      'What happens if db-1 fails?',
      () => [['get-ci-details', db()]],
      '2 CIs fail with db-1: web-1 and web-2. The service "Online Shop"',
    ],
    [
      'list critical events',
      () => [['search-events', { severity: 'critical' }]],
      '1 open critical event. "Database is down"',
    ],
    [
      'how many critical alerts in the last 11 days',
      () => [['analytics-query', { metric: 'events', severity: 'critical', timeRange: 'in the last 11 days' }]],
      '1 critical event (2026-11-09 10:00 to 2026-11-20 10:00 UTC), by when it began.',
    ],
    [
      'how many events today?',
      () => [['analytics-query', { metric: 'events', timeRange: 'today' }]],
      '3 events (2026-11-20 00:00',
    ],
    [
      'how many servers do we have',
      () => [['search-cis', { type: 'server' }]],
      '2 CIs of type server: web-1 and web-2',
    ],
    ['which servers are inactive?', () => [['search-cis', { type: 'server', status: 'inactive' }]], 'There is no CI'],
    [
      'what changed on db-1 since monday',
      () => [
        ['get-ci-details', db()],
        ['analytics-query', { metric: 'changes', ...db(), timeRange: 'since monday' }],
      ],
      'db-1 was changed at 2026-11-10 10:00 UTC: created. No changes on db-1',
    ],
    [
      'compare db-1 with web-1',
      () => [
        ['analytics-query', { metric: 'events', ...db() }],
        ['analytics-query', { metric: 'events', ...web() }],
      ],
      'No difference: the events are 1 both times.',
    ],
    [
      'how is Billing doing?',
      () => [
        ['get-ci-details', { ciId: ids.billing }],
        ['search-events', { ciId: ids.billing }],
      ],
      'has no open event.',
    ],
    ['what is wrong with web-99?', () => [['search-cis', { name: 'web-99' }]], 'No CI is called "web-99".'],
    [
      'events on web last week',
      () => [['search-cis', { name: 'web' }]],
      '2 CIs have it in their names: web-1 and web-2.',
    ],
    ['Which services are affected?', () => [['get-context', {}]], AFFECTED],
    ['what is the impact right now?', () => [['get-context', {}]], AFFECTED],
    ['help', () => [['get-context', {}]], 'CIs in the CMDB: 4. Open events: 4.'],
  ];
  test.each(cases)('%s', async (message, expected, said) => {
    const body = await asked(message);
    expect(calls(body)).toEqual(expected());
    expect(body.response).toContain(said);
    expect(body.claims.length).toBeGreaterThan(0);
    for (const { refs } of body.claims) expect(refs.length).toBeGreaterThan(0);
    for (const { href } of body.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  });

  test('of yesterday and today, with the equal time before', async () => {
    const body = await asked('compare events today with yesterday');
    expect(body.response).toMatch(
      /^More events than in the equal time before: 3 against 0, a difference that chance explains\./,
    );
    expect(body.toolCalls[1].params.timeRange).toBe('2026-11-19T14:00:00.000Z to 2026-11-20T00:00:00.000Z');
  });
});

test('what is not understood is said, with three examples', async () => {
  const body = await asked('colourless green ideas sleep furiously');
  expect(body).toMatchObject({ abstained: true, toolCalls: [], claims: [], citations: [], generatedBy: 'rules' });
  expect(body.response.split('?')).toHaveLength(4);
  expect(body.suggestions).toHaveLength(3);
  for (const message of body.suggestions) expect((await asked(message)).toolCalls).not.toEqual([]);
});

test('no cause is named where none is known', async () => {
  const body = await asked('why does Billing fail?');
  expect(body).toMatchObject({ abstained: true });
  expect(body.response).toContain('No cause can be named: no event tells of a problem.');
});

describe('a conversation', () => {
  test('goes on: "it" is the CI that was named last', async () => {
    const first = await asked('how is web-2 doing?');
    expect(first.conversationId).toMatch(/^[0-9A-Z]{26}$/);
    const { conversationId } = first;
    const second = await asked('what does it depend on?', { conversationId });
    expect(second.conversationId).toBe(conversationId);
    expect(calls(second)).toEqual([['search-relationships', { sourceId: ids['web-2'] }]]);
    const context = await asked('help', { conversationId });
    expect(context.toolCalls[0].result[0]).toMatchObject({
      currentCI: { name: 'web-2' },
      topics: ['status', 'depends'],
    });
    expect(calls(await asked('what does it depend on?'))).toEqual([]);
  });

  test('begins with the CI that the caller looks at', async () => {
    const context = { currentCI: ids['web-1'], userId: 'somebody-else' };
    expect(calls(await asked('what depends on it?', { context }))).toEqual([
      ['search-relationships', { targetId: ids['web-1'] }],
    ]);
    const { status, body } = await send('POST', PATH, { message: 'why?', context: { currentCI: 'nowhere' } });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'INVALID_REQUEST',
      expect.stringContaining('currentCI'),
    ]);
  });

  test('belongs to its user: the same id of another one is a new conversation', async () => {
    const conversationId = 'shared';
    await asked('how is web-2 doing?', { conversationId });
    const other = (await send('POST', '/api/admin/tokens', { name: 'other', role: 'operator' })).body.data.token;
    const { body } = await app.send('POST', PATH, { message: 'what depends on it?', conversationId }, { token: other });
    expect(calls(body)).toEqual([]);
    expect(calls(await asked('what depends on it?', { conversationId }))).toHaveLength(1);
  });

  test('keeps 40 turns, 64 KiB at most, for 30 days', async () => {
    const conversationId = 'long';
    const records = () =>
      app.app.ports.records.list<{ turns: { message: string }[] }>('chat', 'conversation', { limit: 100 });
    const mine = async () => (await records()).find(({ id }) => id.endsWith('/long'))?.body;
    for (let n = 0; n < 42; n++) await asked(`status of db-1, number ${n}`, { conversationId });
    expect((await mine())?.turns.map(({ message }) => message).at(0)).toBe('status of db-1, number 2');
    expect((await mine())?.turns).toHaveLength(40);
    for (let n = 0; n < 40; n++) await asked(`status of db-1 ${'x '.repeat(990)}`, { conversationId });
    const kept = await mine();
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(65_536);
    expect(kept!.turns.length).toBeGreaterThan(20);
    app.clock.set(START + 29 * DAY);
    expect(await mine()).toBeDefined();
    app.clock.set(START + 31 * DAY);
    expect(await mine()).toBeUndefined();
    app.clock.set(START);
  });

  test('two messages at once are both kept', async () => {
    const conversationId = 'twice';
    await Promise.all(
      ['status of db-1', 'status of web-1', 'status of web-2'].map((m) => asked(m, { conversationId })),
    );
    const all = await app.app.ports.records.list<{ turns: unknown[] }>('chat', 'conversation', { limit: 100 });
    expect(all.find(({ id }) => id.endsWith('/twice'))?.body.turns).toHaveLength(3);
  });
});

test('what the caller may not read is not read', async () => {
  const limited = (await send('POST', '/api/admin/tokens', { name: 'cmdb alone', scopes: ['ai.use', 'cmdb.read'] }))
    .body.data;
  const { status, body } = await app.send('POST', PATH, { message: 'how is db-1 doing?' }, { token: limited.token });
  expect(status).toBe(200);
  expect(body.toolCalls[0].result[0]).toMatchObject({ name: 'db-1', openEvents: null, services: [] });
  expect(body.toolCalls[1]).toMatchObject({ result: [], total: 0, error: 'This needs the permission events.read' });
  expect(JSON.stringify(body)).not.toContain('Database is down');
  expect(body.response).toContain('This needs the permission events.read');
});

test('rows are 20 at most, with how many there are', async () => {
  token = await app.tenant('chat-many');
  for (let n = 0; n < 23; n++) await ci(`node-${n}`);
  const { toolCalls, response } = await asked('list all servers');
  expect([toolCalls[0].result.length, toolCalls[0].total]).toEqual([20, 23]);
  expect(response).toContain('There are 23 CIs of type server: among them node-0');
});

test.each([
  ['an empty message', { message: ' ' }, {}, 'message'],
  ['too long a message', { message: 'x'.repeat(2_001) }, {}, 'message'],
  ['a bad id', { message: 'x', conversationId: 'a b' }, {}, 'conversationId'],
  ['too long an id', { message: 'x', conversationId: 'a'.repeat(65) }, {}, 'conversationId'],
  ['an unknown field', { message: 'x', tool: 'y' }, {}, 'tool'],
  ['an unknown mode', { message: 'x' }, { 'x-ai-mode': 'perhaps' }, 'X-AI-Mode'],
])('%s is refused', async (_, body, headers, field) => {
  const reply = await send('POST', PATH, body, headers);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(JSON.stringify(reply.body)).toContain(field);
});

test('asked why a CI fails whose incident has ended, it tells of the newest one as over', async () => {
  app.clock.set(START - 8 * DAY);
  token = await app.tenant('chat-ended');
  const [db, web] = [await ci('db-1', { type: 'database' }), await ci('web-1')];
  await join(web, db);
  const ended = async (at: number, ...names: readonly string[]) => {
    const eventIds: string[] = [];
    for (const [n, hostname] of names.entries()) {
      app.clock.set(at + n * 20_000);
      const event = { source: 's', sourceId: `${hostname}-${at}`, severity: n === 0 ? 'critical' : 'major', hostname };
      const { body } = await send('POST', '/api/events/ingest', { ...event, title: `${hostname} failed at ${at}` });
      eventIds.push(body.eventId);
      await app.app.idle();
    }
    app.clock.set(at + 10 * MINUTE);
    for (const eventId of eventIds)
      await send('PATCH', `/api/events/${eventId}/status`, { status: 'resolved', notes: 'restarted' });
    await app.app.idle();
  };
  await ended(START - 7 * DAY, 'web-1');
  await ended(START - DAY, 'web-1');
  app.clock.set(START);
  const { response, abstained, claims, citations } = await asked('why is web-1 down?');
  expect(response).toMatch(
    new RegExp(
      `^No open events on web-1. The newest event on web-1 is over: "web-1 failed at ${START - DAY}", critical`,
    ),
  );
  expect(response).toContain('resolved. No cause of it can be named.');
  expect(response).not.toContain(String(START - 7 * DAY));
  expect(abstained).toBe(true);
  for (const { refs } of claims) expect(refs.length).toBeGreaterThan(0);
  for (const { href } of citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  await ended(START - 2 * 3_600_000, 'db-1', 'web-1');
  app.clock.set(START);
  const { response: later, abstained: isUnknown } = await asked('why is web-1 down?');
  expect(later).toContain(`is over: "web-1 failed at ${START - 2 * 3_600_000}", major, seen at`);
  expect(later).toContain(`Probably "db-1 failed at ${START - 2 * 3_600_000}" on db-1 was the cause: confidence`);
  expect(isUnknown).toBe(false);
});

test('a group is asked about by its id, and an event stands for its CI', async () => {
  token = await app.tenant('chat-groups');
  const [db, web] = [await ci('db-1', { type: 'database' }), await ci('web-1')];
  await join(web, db);
  const event = async (title: string, hostname: string, severity: string) =>
    (await send('POST', '/api/events/ingest', { source: 's', sourceId: title, severity, title, hostname })).body
      .eventId;
  const eventId = await event('Database is down', 'db-1', 'critical');
  await event('No connection to the database', 'web-1', 'major');
  await app.app.idle();
  const { correlationId } = (await send('GET', '/api/events/groups')).body.groups[0];
  const caused = await asked(`What caused ${correlationId.toLowerCase()}?`);
  expect(calls(caused)).toEqual([['search-events', { groupId: correlationId }]]);
  expect(caused.response).toMatch(
    new RegExp(`^2 events in group ${correlationId}. (?:Probably|Possibly) "Database is down" on db-1 is the cause`),
  );
  for (const { href } of caused.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  const none = await asked('tell me about COR-1-nowhere');
  expect(none.response).toBe('Something could not be read: groupId: no group has this id.');
  const about = await asked(`tell me about ${eventId}`);
  expect(about.response).toMatch(/^db-1 is a CI of type database/);
  expect(about.notUnderstood).toEqual([]);
});

test.each([
  ['What is the cause of the worst fault?', 'db-1'],
  ['why do we have the most urgent open problem', 'db-1'],
  ['what caused the biggest incident?', 'fan-1'],
])('%s is asked of the group that is first in such a list', async (message, name) => {
  token = await app.tenant(`chat-worst-${name}-${message.length}`);
  const none = await asked(message);
  expect(none.response).toContain('no event tells of a problem');
  for (const [cause, severity, title, lost, ...others] of [
    ['db-1', 'critical', 'Database is down', 'No connection', 'web-1'],
    ['fan-1', 'minor', 'Fan stands still', 'Too warm', 'room-1', 'room-2'],
  ] as const) {
    const event = (hostname: string, of: string, told: string) =>
      send('POST', '/api/events/ingest', { source: 's', sourceId: hostname, severity: told, title: of, hostname });
    const on = await ci(cause);
    for (const name of others) await join(await ci(name), on);
    await event(cause, title, severity);
    for (const name of others) await event(name, lost, 'minor');
    await app.app.idle();
    app.clock.set(app.clock.now() + 5 * 3_600_000);
  }
  const { response, notUnderstood } = await asked(message);
  expect(response).toMatch(
    new RegExp(`events in group COR-\\S+. (?:Probably|Possibly) "[^"]+" on ${name} is the cause`),
  );
  expect(notUnderstood).toEqual([]);
  app.clock.set(START);
});

test.each([
  ['how long does it take to resolve events?', 'analytics-query'],
  ['is db-1 healthy?', 'get-ci-details'],
  ['why is db-1 failing?', 'search-events'],
])('%s is understood as a whole', async (message, tool) => {
  token = await app.tenant(`chat-whole-${tool}`);
  await ci('db-1', { type: 'database' });
  const { toolCalls, notUnderstood } = await asked(message);
  expect([toolCalls[0].tool, notUnderstood]).toEqual([tool, []]);
});

test('the newest events are those of a day, the newest first; a CI that no number is about is said to be left out', async () => {
  token = await app.tenant('chat-newest');
  await ci('fra1', { type: 'site' });
  await ci('db-1', { type: 'database' });
  for (const [title, severity] of [
    ['Disk is full', 'critical'],
    ['Login fails', 'minor'],
  ]) {
    await send('POST', '/api/events/ingest', { source: 's', sourceId: title, severity, title, hostname: 'db-1' });
    app.clock.advance(MINUTE);
  }
  await app.app.idle();
  const newest = await asked('show me the newest events');
  expect(calls(newest)).toEqual([['search-events', { timeRange: 'in the last 24 hours' }]]);
  expect(newest.response).toMatch(/^2 events, in the last 24 hours\. "Login fails" on db-1/);
  const counted = await asked('how many databases are in fra1?');
  expect([counted.notUnderstood, counted.response]).toEqual([['fra1'], expect.stringContaining('left out: "fra1"')]);
  app.clock.set(START);
});
