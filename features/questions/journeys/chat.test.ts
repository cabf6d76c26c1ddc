import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openLiveStream } from '#test/setup/live-stream.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { rowsOf } from '#test/setup/text-table.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const PATH = '/api/chatbot';

let app: TestApp;
let token: string;
const ids: Record<string, string> = {};
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

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

test('a stream has each look-up, and the same answer at its end', async () => {
  const message = 'What happens if db-1 fails?';
  const stream = await openLiveStream(app.url + PATH, { token, post: { message } });
  await stream.ended;
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const whole = await asked(message);
  expect(stream.events.map(({ event }) => event)).toEqual([...whole.toolCalls.map(() => 'tool'), 'end']);
  expect(stream.events[0]?.data).toEqual({
    tool: 'impact_of',
    title: 'Get the impact of a CI',
    params: { ci: ids['db-1'] },
    total: 1,
    error: null,
  });
  const { conversationId: _, ...end } = stream.events.at(-1)?.data ?? {};
  expect(whole).toMatchObject(end);
  const unknown = { message, context: { currentCI: 'nothing' } };
  expect((await openLiveStream(app.url + PATH, { token, post: unknown })).status).toBe(400);
});

describe('each intent asks its tools and says what they have found', () => {
  const cases = rowsOf(`
    What is the status of db-1? => get-ci-details => db-1 has 1 open event: 1 critical.
    Why is web-1 down? => get_group => Probable root cause: "Database is down" on db-1, 09:50 UTC, 10m ago (93% confidence).
    what depends on db-1? => search-relationships => 2 CIs depend directly on db-1: web-1 and web-2.
    what does web-1 depend on => search-relationships => web-1 depends directly on 1 CI: db-1.
    What happens if db-1 fails? => impact_of => If db-1 fails, 2 CIs are impacted: web-1 and web-2. Service Online Shop
    list critical events => search-events => 1 open critical event. "Database is down" on db-1
    how many critical alerts in the last 11 days => analytics-query => 1 critical event (2026-11-09 10:00
    how many events today? => analytics-query => 3 events (2026-11-20 00:00
    how many servers do we have => search-cis => 2 CIs of type server: web-1 and web-2.
    which servers are inactive? => search-cis => No CIs of type server with status inactive.
    what changed on db-1 since monday => what_changed => No changes recorded on db-1 since 16 Nov
    compare db-1 with web-1 => analytics-query => No difference:
    how is Billing doing? => get-ci-details => Billing has no open events.
    what is wrong with web-99? => get-context => No CI found named "web-99" among 4 CIs, and no event has that host.
    events on web last week => search-events =>  on web
    Which services are affected? => service_health => 1 of 1 service is not healthy: Online Shop (critical).
    what is the impact right now? => service_health => 1 of 1 service is not healthy: Online Shop (critical).
    help => get-context => CMDB: 4 CIs. Open events: 4.
    whats wrong with web1 => get_group => "Database is down" on db-1
    single points of failure => service_health => db-1
    is it safe to restart db-1? => assess_change => Risk of the restart of db-1
    when can I patch db-1? => when_safe => No maintenance window is recorded for db-1. A quiet time would be
  `);
  test.each(cases)('%s', async (message, tool, said) => {
    const body = await asked(message!);
    expect(body.toolCalls.map((call: { tool: string }) => call.tool)).toContain(tool);
    expect(body.response).toContain(said);
    expect(body.claims.length).toBeGreaterThan(0);
    for (const { refs } of body.claims) expect(refs.length).toBeGreaterThan(0);
    for (const { href } of body.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  });

  test('of yesterday and today, with the equal time before', async () => {
    const body = await asked('compare events today with yesterday');
    expect(body.response).toBe(
      'from 00:00 UTC until now: more: events: from 00:00 UTC until now 3 (1 critical, 2 major); from 19 Nov, 00:00 UTC to 19 Nov, 10:00 UTC 0.',
    );
  });
});

test('what is not understood is said, with three examples', async () => {
  const body = await asked('colourless green ideas sleep furiously');
  expect(body).toMatchObject({ abstained: true, toolCalls: [], claims: [], citations: [], generatedBy: 'rules' });
  expect(body.response.split('?')).toHaveLength(4);
  expect(body.suggestions).toHaveLength(3);
  for (const message of body.suggestions) expect((await asked(message)).toolCalls).not.toEqual([]);
});

test('a cause that a person has set leads, with their note', async () => {
  const { body: listed } = await send('GET', '/api/events/groups');
  const group = listed.groups.find(({ eventCount }: { eventCount: number }) => eventCount > 1);
  const { body: found } = await send('GET', '/api/events?search=session');
  const other = found.events.find(({ title }: { title: string }) => title === 'Session lost');
  const said = { cause: 'wrong', rootEventId: other.eventId, members: 'right', note: 'cookie store' };
  expect((await send('PUT', `/api/events/groups/${group.correlationId}/verdict`, said)).status).toBe(200);
  const { response } = await asked('why is web-1 down?');
  expect(response).toMatch(
    /^Root cause set by [^:]+: "Session lost" on web-2, .*"cookie store"; top score: "Database is down" on db-1\./,
  );
});

test('users who acted on an incident are named, with their words', async () => {
  const body = await asked('who set the verdict on web-1?');
  expect(body.toolCalls.map(({ tool }: { tool: string }) => tool)).toContain('who');
  expect(body.response).toContain('cookie store');
});

test('no cause is named where none is known', async () => {
  const body = await asked('why does Billing fail?');
  expect(body).toMatchObject({ abstained: true });
  expect(body.response).toContain('No incident found on Billing in the last 30 days: there are no incidents');
});

describe('a conversation', () => {
  test('goes on: "it" is the CI that was named last', async () => {
    const first = await asked('how is web-2 doing?');
    expect(first.conversationId).toMatch(/^[0-9A-Z]{26}$/);
    const { conversationId } = first;
    const second = await asked('what does it depend on?', { conversationId });
    expect(second.conversationId).toBe(conversationId);
    expect(calls(second)).toContainEqual(['search-relationships', { sourceId: ids['web-2'] }]);
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
  expect(body.toolCalls[1]).toMatchObject({ result: [], total: 0, error: 'Requires permission events.read' });
  expect(JSON.stringify(body)).not.toContain('Database is down');
  expect(body.response).toContain('Requires permission events.read');
});

test('rows are 20 at most, with how many there are', async () => {
  token = await app.tenant('chat-many');
  for (let n = 0; n < 23; n++) await ci(`node-${n}`);
  const { toolCalls, response } = await asked('list all servers');
  expect([toolCalls[0].result.length, toolCalls[0].total]).toEqual([20, 23]);
  expect(response).toContain('23 CIs of type server: node-0');
});

test('an unknown mode is refused', async () => {
  const { status, body } = await send('POST', PATH, { message: 'x' }, { 'x-ai-mode': 'perhaps' });
  expect([status, body.error.code, JSON.stringify(body)]).toEqual([
    400,
    'INVALID_REQUEST',
    expect.stringContaining('X-AI-Mode'),
  ]);
});

test('a group is asked about by its id, and an event stands for its incident', async () => {
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
  for (const message of [`What caused ${correlationId.toLowerCase()}?`, `tell me about ${eventId}`]) {
    const caused = await asked(message);
    expect(caused.response).toMatch(/^(?:Probable|Possible) root cause: "Database is down" on db-1/);
    expect(caused.response).not.toContain(correlationId);
    for (const { href } of caused.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  }
  const none = await asked('tell me about COR-1-nowhere');
  expect(none.response).toContain("Some data couldn't be loaded: group: no group with this ID.");
});

test('what has ended is told as over, with how it was resolved', async () => {
  app.clock.set(START - DAY);
  token = await app.tenant('chat-ended');
  const db = await ci('db-1', { type: 'database' });
  const { body } = await send('POST', '/api/events/ingest', {
    source: 's',
    sourceId: '1',
    severity: 'critical',
    title: 'Disk full',
    hostname: 'db-1',
  });
  await app.app.idle();
  app.clock.set(START - DAY + 10 * MINUTE);
  await send('PATCH', `/api/events/${body.eventId}/status`, { status: 'resolved', notes: 'removed old logs' });
  await app.app.idle();
  app.clock.set(START);
  const context = { currentCI: db };
  expect((await asked('how was it fixed?', { context })).response).toMatch(
    /^"removed old logs" on db-1, by [^,]+, resolved 19 Nov/,
  );
  expect((await asked('how long did it last?', { context })).response).toMatch(
    /^10m: "Disk full" on db-1 lasted from 19 Nov/,
  );
  expect((await asked('has it happened before?', { context })).response).toMatch(
    /^No: "Disk full" on db-1 was never seen before since 19 Nov/,
  );
});

test.each(
  rowsOf(`
  how long does it take to resolve events? => analytics-query
  is db-1 healthy? => get-ci-details
  why is db-1 failing? => list_groups
`),
)('%s is understood as a whole', async (message, tool) => {
  token = await app.tenant(`chat-whole-${tool.replace('_', '-')}`);
  await ci('db-1', { type: 'database' });
  const { toolCalls, notUnderstood } = await asked(message);
  expect([toolCalls[0].tool, notUnderstood]).toEqual([tool, []]);
});

test('the newest events are those of a day, the newest first; what no number is about is said to be left out', async () => {
  token = await app.tenant('chat-newest');
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
  expect(newest.response).toMatch(/^2 events in the last 24 hours\. "Login fails" on db-1/);
  const counted = await asked('how many databases are in atlantis?');
  expect([counted.notUnderstood, counted.response]).toEqual([
    ['atlantis'],
    expect.stringContaining('has "atlantis" in a field; without that: 1 CI of type database'),
  ]);
  app.clock.set(START);
});

test('an answer without the subject of the question asks back, and says what nothing is known about', async () => {
  token = await app.tenant('chat-subject');
  const [db, web] = [await ci('db-1', { type: 'database' }), await ci('web-1')];
  await join(web, db);
  await send('POST', '/v1/services', { name: 'Online Shop', components: [{ ci_id: web, role: 'web' }] });
  const event = (sourceId: string, title: string, hostname: string) =>
    send('POST', '/api/events/ingest', { source: 's', sourceId, severity: 'critical', title, hostname });
  await event('1', 'Database is down', 'db-1');
  await event('2', 'No connection to the database', 'web-1');
  await app.app.idle();
  const [group] = (await send('GET', '/api/events/groups?limit=5')).body.groups;
  const text = 'one fan is dead, spare part ordered, courier at 14:00';
  await send('POST', `/api/events/groups/${group.correlationId}/notes`, { text });
  await send('PUT', `/api/events/groups/${group.correlationId}/verdict`, { cause: 'wrong', members: 'right' });
  const contract = await asked('is the support contract of db-1 still valid');
  expect([contract.abstained, contract.notUnderstood]).toEqual([true, expect.arrayContaining(['contract'])]);
  expect(contract.response).toMatch(/^Not known: nothing is recorded here about "support", "contract"/);
  for (const [message, response] of [
    ['when does the courier get here', /^test noted.*: "one fan is dead, spare part ordered, courier at 14:00"/],
    ['did anyone mark a root cause as wrong', /^1 verdict .*root cause wrong/],
    ['which services would the db-1 firmware work touch', /^1 service would fail or degrade with db-1: Online Shop\./],
    ['which of those services are red', /^1 of 1 service is not healthy: Online Shop/],
    ['did the silence hide anything', /^No event is suppressed now\./],
    ['how many alerts did it make', /^I don't know what "it" or "those" are here/],
  ] as const)
    expect((await asked(message)).response).toMatch(response);
  await asked('why is db-1 down', { conversationId: 'subject' });
  const events = await asked('how many alerts did that make', { conversationId: 'subject' });
  expect(events.response).toMatch(/^2 events, 2 CIs, 1 service: the incident/);
});

test('an incident says that its root cause is over', async () => {
  token = await app.tenant('chat-over');
  const [db, web] = [await ci('db-1', { type: 'database' }), await ci('web-1')];
  await join(web, db);
  const event = (sourceId: string, title: string, hostname: string, severity: string, status?: string) =>
    send('POST', '/api/events/ingest', { source: 's', sourceId, severity, title, hostname, ...(status && { status }) });
  await event('1', 'Database is down', 'db-1', 'critical');
  await event('2', 'No connection', 'web-1', 'major');
  await app.app.idle();
  app.clock.advance(20 * MINUTE);
  await event('1', 'Database is down', 'db-1', 'critical', 'resolved');
  await app.app.idle();
  await send('POST', '/v1/services', { name: 'Shop', components: [{ ci_id: web, role: 'web' }] });
  const turns = rowsOf(String.raw`
    why is web-1 failing? => It is over since 10:\d\d UTC; still open: "No connection" on web-1\. .*1 of 2 events active
    whats going on? => Major: "No connection" on web-1, open since .*"Database is down" on db-1, which is over since
    is it over? => ^No: 1 of 2 events is open: "No connection" on web-1\. .*"Database is down" on db-1, which is over since 10:\d\d UTC\.$
    which events of it are still open => ^1 of 2 events .* is open\. "No connection" on web-1: major, open
    how many things did it take down => ^2 events, 2 CIs, 1 service: .* Open now of 2 events: "No connection" on web-1
    why didn't web-1 come back with the others? => ^Not known: it is a separate fault now\. .* 1 of 2 events of the inci
    is db-1 up again? => ^Yes: "Database is down" on db-1 ended .* Open now of 2 events: "No connection" on web-1\.$
    is web-1 still down => ^Yes: 1 event is open on web-1\.
    is the connection fixed => ^No: 1 event is open on web-1\. "No connection" on web-1: major, open
    should we roll it back? => ^That decision is yours: no change was recorded
    what should I look at first => ^Start with web-1: "No connection", open since
    is Shop ok? => ^Shop \(medium\): .* 1 open incident affecting Shop, since .* Major: "No connection" on web-1
    since when? => ^Shop .* 1 open incident affecting Shop, since 10:
    any problems with Shop right now? => ^Shop \(medium\): 
    is it still broken => ^Yes: Shop \(medium\): 
    so can i go back to bed? => ^No: 1 of 1 service not healthy \(Shop\), 1 critical or major incident open
  `);
  for (const [message, said] of turns)
    expect([message, (await asked(message!, { conversationId: 'over' })).response]).toEqual([
      message,
      expect.stringMatching(said!),
    ]);
  const listed = await asked('which incidents are open?');
  expect(JSON.stringify(listed.toolCalls)).toContain('"causeOver":"2026-11-20T10:');
  app.clock.set(START);
});

test('a release is blamed for the incident that came after it; `log in` and `login` are one', async () => {
  token = await app.tenant('chat-release');
  const [shop, mail] = [await ci('shop-1'), await ci('mail-1')];
  await join(shop, mail);
  const event = (title: string, hostname: string, hoursAgo: number, more: object = {}) => {
    app.clock.set(START - hoursAgo * 60 * MINUTE);
    const sent = { source: 's', sourceId: title, severity: 'critical', title, hostname, ...more };
    return send('POST', '/api/events/ingest', sent);
  };
  await event('Deployment of shop 2.0', 'shop-1', 8, { severity: 'info', category: 'deployment' });
  await event('Error rate 60 %', 'shop-1', 7.9);
  await event('Error rate 60 %', 'shop-1', 7, { status: 'resolved' });
  await event('Login fails', 'mail-1', 2);
  await event('Password refused', 'shop-1', 1.99);
  await app.app.idle();
  app.clock.set(START);
  expect((await asked('did the release cause the errors on shop-1 today?')).response).toMatch(
    /^Yes, probably: .* began after "Deployment of shop 2.0"/,
  );
  expect((await asked('why couldnt people log in this morning')).response).toContain('"Login fails" on mail-1');
});
