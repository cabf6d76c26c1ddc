import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { judgeDecisions } from '#features/agents/use-cases/judge.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { rowsOf } from '#test/setup/text-table.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const never = () => false;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

/** A tenant of its own. */
const tenant = async (id: string, role?: string) => {
  app.clock.set(START);
  const token = await app.tenant(id, role);
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    app.send(method, path, body, { token, headers });
  const ask = async (agent: string, query: string, context?: object) =>
    (await send('POST', `/v1/agents/${agent}/query`, { query, ...(context && { context }) })).body;
  const ci = async (name: string, type = 'server') =>
    (await send('POST', '/v1/cmdb/ci', { name, type })).body.id as string;
  const event = async (title: string, hostname: string, timestamp = app.clock.now()) =>
    (
      await send('POST', '/api/events/ingest', {
        source: 's',
        sourceId: `${title} ${timestamp}`,
        severity: 'critical',
        title,
        hostname,
        timestamp: new Date(timestamp).toISOString(),
      })
    ).body.eventId as string;
  const agents = async () => {
    const { data } = (await send('GET', '/v1/agents')).body;
    // biome-ignore lint/suspicious/noExplicitAny: replies are checked against their schemas by the server.
    return new Map<string, any>(data.map((agent: { id: string }) => [agent.id, agent]));
  };
  return { send, ask, ci, event, agents };
};
type Tenant = Awaited<ReturnType<typeof tenant>>;

/** A database that takes two servers with it; the group that comes of it. */
const outage = async ({ send, ci, event }: Tenant) => {
  const db = await ci('db-1', 'database');
  for (const name of ['web-1', 'web-2']) {
    const source_ci = await ci(name);
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci: db });
  }
  const cause = await event('Database is down', 'db-1');
  app.clock.advance(20_000);
  const others = [await event('No connection to the database', 'web-1'), await event('Login fails', 'web-2')];
  await app.app.idle();
  const { body } = await send('GET', `/api/events/${cause}`);
  return { cause, others, group: body.event.correlationId as string };
};

test('six agents are listed, none of them with figures that nobody has measured', async () => {
  const { send } = await tenant('agents-list');
  const { status, body } = await send('GET', '/v1/agents');
  expect(status).toBe(200);
  expect(body.data.map(({ id, type, status: state }: Record<string, string>) => [id, type, state])).toEqual(
    ['correlation', 'root-cause', 'relationships', 'reconciliation', 'change-risk', 'capacity'].map((id) => [
      id,
      id,
      'learning',
    ]),
  );
  for (const { performance } of body.data)
    expect(performance).toMatchObject({ success_rate: null, avg_confidence: null, interval: null, judged: 0 });
  const wrapped = await send('GET', '/api/agents');
  expect(wrapped.body.data).toEqual(body.data);
});

describe('asked about an outage', () => {
  let it: Tenant;
  let happened: Awaited<ReturnType<typeof outage>>;
  beforeAll(async () => {
    it = await tenant('agents-outage');
    happened = await outage(it);
  });

  test('root-cause names the cause with its group and both are cited', async () => {
    const { agent_id, response, citations } = await it.ask('root-cause', 'What happened?');
    expect(agent_id).toBe('root-cause');
    expect(response.summary).toContain('"Database is down" on db-1');
    expect(response.summary).not.toContain(happened.group);
    const ids = citations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([happened.group, happened.cause]));
    expect(response.confidence).toBeGreaterThan(0.5);
    expect(response.reasoning).toMatch(/^Data used: groups, /);
  });
  test('root-cause finds the group of an event, and of a host, that the question names', async () => {
    const [other] = happened.others;
    for (const text of [`why ${other}?`, 'what is wrong with web-2', `cause of ${happened.group}`])
      expect((await it.ask('root-cause', text)).citations.map(({ id }: { id: string }) => id)).toContain(
        happened.group,
      );
  });
  test('correlation says why two events are together', async () => {
    const { response } = await it.ask('correlation', `why are ${happened.cause} and ${happened.others[0]} together?`);
    expect(response.summary).toMatch(/^Grouped by dependency/);
    expect(response.details[1].text).toBe('Both are in the same group.');
  });
  test('relationships says what depends on a CI', async () => {
    const { response } = await it.ask('relationships', 'what depends on db-1?');
    const said = response.details.map(({ text }: { text: string }) => text);
    const [above, below] = ['db-1 has no known dependencies.', '2 CIs depend directly on db-1: web-1 and web-2.'];
    expect(said).toEqual([below]);
    expect((await it.ask('relationships', 'what does db-1 depend on?')).response.summary).toBe(above);
  });
  test('reconciliation says which CI a name is', async () => {
    const { response } = await it.ask('reconciliation', 'which CI is web-1, and which is nowhere-9?');
    expect(response.details.map(({ text }: { text: string }) => text)).toEqual([
      'web-1 is a CI of type server.',
      'nowhere-9: no CI found.',
    ]);
    expect(response.confidence).toBe(0.5);
  });
  test('change-risk judges a change of the CI', async () => {
    const { response } = await it.ask('change-risk', 'how risky is an upgrade of db-1?');
    expect(response.summary).toMatch(/Risk of the upgrade of db-1: (?:low|medium|high|critical), \d+ of 100\.$/);
  });
  test('capacity counts events and what AI uses', async () => {
    app.clock.advance(MINUTE);
    const { response } = await it.ask('capacity', 'is it getting worse?', { time_range: '24h' });
    expect(response.summary).toMatch(/^3 new events from 2026-11-19 10:01 UTC/);
    expect(response.details[1].text).toBe('Forecasts need two weeks of events; less than a day available.');
    expect(response.details[2].text).toBe('AI used none of 2000000 tokens today.');
  });
  test.each(
    rowsOf(`
  root-cause => what caused nosuch-99? => nosuch-99
  root-cause => banana => banana
  correlation => who are you => who are you
  capacity => events tomorrow => tomorrow
  relationships => what depends on nosuch-99? => nosuch-99
`),
  )('%s answers nothing else when it does not understand: %s', async (agent, text, words) => {
    const { response, abstained, citations } = await it.ask(agent, text);
    expect([abstained, response.confidence, citations.length]).toEqual([true, 0, 1]);
    expect(response.summary).toContain(`"${words}"`);
  });
  test('a range or an agent that is none is refused', async () => {
    const bad = { query: 'x', context: { time_range: 'whenever' } };
    const { status, body } = await it.send('POST', '/v1/agents/root-cause/query', bad);
    expect([status, body.error.details[0].field]).toEqual([400, 'context.time_range']);
    expect((await it.send('POST', '/api/agents/oracle/query', { query: 'x' })).status).toBe(404);
  });
  test.each([
    ['root-cause', 'what happened?', 'No incident found now: there are no incidents.', true],
    ['correlation', 'why are events together?', 'No incident found now: there are no incidents.', false],
    ['relationships', 'what is proposed?', 'No pending relationship proposals.', false],
    ['reconciliation', 'are there duplicates?', 'No pending reviews.', false],
    ['change-risk', 'which planned changes are risky?', 'No planned changes.', false],
    ['capacity', 'do events grow?', 'No new events from 2026-11-19 10:00 UTC to 2026-11-20 10:00 UTC, and none', false],
  ])('%s says that there is nothing, and where it has looked', async (agent, text, said, isUnknown) => {
    const quiet = await tenant(`quiet-${agent}`);
    const { response, citations, abstained } = await quiet.ask(agent, text);
    expect([response.summary, abstained]).toEqual([expect.stringContaining(said), isUnknown]);
    expect(response.reasoning).not.toMatch(/\b0\b/);
    for (const { href } of citations) expect([href, (await quiet.send('GET', href)).status]).toEqual([href, 200]);
    expect(citations.length).toBeGreaterThan(0);
  });
  test('a CI whose name has several words, or stands behind "of", is one', async () => {
    const named = await tenant('agents-names');
    await named.ci('Web Shop', 'business_service');
    await named.ci('payments', 'application');
    for (const [text, name] of [
      ['what caused the outage of Web Shop?', 'Web Shop'],
      ['what caused the outage of payments?', 'payments'],
    ])
      expect((await named.ask('root-cause', text!)).response.summary).toContain(
        `No incident found on ${name} in the last 30 days`,
      );
  });
});

describe('judged', () => {
  test('by people: their last word counts, and what they say of a member is said of its group', async () => {
    const it = await tenant('agents-judged');
    const { cause, group } = await outage(it);
    const say = (verdict: string, kind: string, id: string) =>
      it.send('POST', '/v1/agents/root-cause/feedback', { subject: { kind, id }, verdict });
    const given = await say('wrong', 'event', cause);
    expect([given.status, given.body.subject]).toEqual([201, { kind: 'group', id: group }]);
    expect((await it.agents()).get('root-cause').performance).toMatchObject({ judged: 1, success_rate: 0 });
    await say('right', 'group', group);
    const { performance } = (await it.agents()).get('root-cause');
    expect(performance).toMatchObject({ judged: 1, success_rate: 1, decisions_made: 1 });
    expect(performance.avg_confidence).toBeGreaterThan(0.5);
    const bad = await say('right', 'relationship', group);
    expect([bad.status, bad.body.error.details[0].field]).toEqual([400, 'subject.kind']);
    expect((await say('right', 'group', 'COR-1-aaaaaa')).status).toBe(404);
  });

  test('by what became of a group: the cause was mended, the others followed', async () => {
    const it = await tenant('agents-outcome');
    const { cause, others } = await outage(it);
    const resolve = (id: string, resolutionCategory: string) =>
      it.send('PATCH', `/api/events/${id}/status`, { status: 'resolved', resolutionCategory });
    await resolve(cause, 'manual-fix');
    app.clock.advance(5 * MINUTE);
    for (const id of others) await resolve(id, 'auto-resolved');
    await app.app.idle();
    await judgeDecisions(app.app.ports, never);
    expect((await it.agents()).get('root-cause').performance.judged).toBe(0);
    app.clock.advance(DAY);
    await judgeDecisions(app.app.ports, never);
    await judgeDecisions(app.app.ports, never);
    expect((await it.agents()).get('root-cause').performance).toMatchObject({ judged: 1, success_rate: 1 });
  });

  test('by what became of a change', async () => {
    const it = await tenant('agents-change');
    const ciId = await it.ci('app-7');
    const plannedTime = new Date(app.clock.now() + MINUTE).toISOString();
    await it.send('POST', '/api/change-analysis/analyze', { ciId, changeType: 'restart', plannedTime });
    app.clock.advance(2 * MINUTE);
    await it.event('Service does not answer', 'app-7');
    await app.app.idle();
    app.clock.advance(2 * DAY);
    await judgeDecisions(app.app.ports, never);
    const { performance } = (await it.agents()).get('change-risk');
    expect(performance).toMatchObject({ decisions_made: 1, judged: 1, success_rate: 0 });
  });

  test('by the number of events that came, of a forecast', async () => {
    const it = await tenant('agents-forecast');
    const today = Date.parse('2026-11-20T00:00:00Z');
    for (let day = 16; day > 0; day--) {
      app.clock.set(today - day * DAY + 10 * 60 * MINUTE);
      for (let n = 0; n < 2; n++) await it.event(`Odd thing ${'abcdefghijklmnop'[day - 1]}${'xy'[n]}`, `h-${day}-${n}`);
    }
    app.clock.set(today + 11 * 60 * MINUTE);
    const { response } = await it.ask('capacity', 'what is to be expected?');
    const said = response.details.map(({ text }: { text: string }) => text);
    expect(said[1]).toMatch(/^Forecast for today: 2 new events \(80% interval \d–\d\)\.$/);
    await it.event('Odd thing one', 'h-one');
    await it.event('Odd thing two', 'h-two');
    app.clock.advance(3 * DAY);
    await judgeDecisions(app.app.ports, never);
    const { performance } = (await it.agents()).get('capacity');
    expect(performance).toMatchObject({ decisions_made: 1, judged: 1, success_rate: 1, avg_confidence: 0.8 });
  });

  test('by accepting and refusing proposals', async () => {
    const it = await tenant('agents-proposals');
    const [a, b, c] = [await it.ci('a-1'), await it.ci('b-1'), await it.ci('c-1')];
    const propose = async (source: string, target: string) =>
      (await it.send('POST', '/api/cmdb/ai-relationships', { source, target, type: 'uses', confidence: 0.8 })).body
        .relationshipId;
    const [accepted, refused] = [await propose(a, b), await propose(b, c)];
    await propose(a, c);
    await it.send('POST', `/api/cmdb/ai-relationships/${accepted}/accept`);
    await it.send('DELETE', `/api/cmdb/ai-relationships/${refused}`);
    const { performance } = (await it.agents()).get('relationships');
    expect(performance).toMatchObject({ decisions_made: 3, judged: 2, success_rate: 0.5, avg_confidence: 0.8 });
  });
});

test('thirty judged causes set the confidence from which on causes are named', async () => {
  const it = await tenant('agents-calibrated');
  const records = app.app.ports.records;
  for (let n = 0; n < 60; n++) {
    const subject = { kind: 'group', id: `g-${n}` };
    const [confidence, verdict] = n < 20 ? [0.4, 'wrong'] : [0.8, 'right'];
    const label = { agent: 'root-cause', subject, confidence, verdict, user: null, note: null, at: app.clock.now() };
    await records.put('agents-calibrated', 'agent-label', `root-cause/group:g-${n}/-`, label);
  }
  await it.send('PUT', '/api/admin/settings/ai', { maxError: 0.1 });
  await judgeDecisions(app.app.ports, never);
  const { body } = await it.send('GET', '/v1/agents/root-cause/calibration');
  expect(body).toMatchObject({ max_error: 0.1, threshold: 0.41, abstain_below: 0.41, judged: 60 });
  expect(body.bins[4]).toMatchObject({ judged: 20, hit_rate: 0 });
  await it.send('PUT', '/api/admin/settings/ai', { maxError: null });
  await judgeDecisions(app.app.ports, never);
  expect((await it.send('GET', '/v1/agents/root-cause/calibration')).body.abstain_below).toBe(0.35);
});
