import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claimsText, type ModelStub, openModelStub, type Received } from '#features/ai/journeys/model-stub.ts';
import { after } from '#infra/system/time.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, type Reply, START, type TestApp } from '#test/setup/test-app.ts';

const PATH = '/api/ai/analyze';
const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const SECOND = 1_000;
let app: TestApp;
let token: string;
let serial = 0;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const ingest = async (hostname: string, title: string, severity = 'critical'): Promise<string> => {
  const timestamp = new Date(app.clock.now()).toISOString();
  const event = { source: 'zabbix', sourceId: hostname + title, severity, title, hostname, timestamp };
  return (await send('POST', '/api/events/ingest', event)).body.eventId;
};

/** A switch, a database on it, an application on that, a service of the application; then all complain. */
const incident = async () => {
  app.clock.set(START);
  token = await app.tenant(`analyzed-${++serial}`);
  const [sw, db, web] = [await ci('sw-1'), await ci('db-1'), await ci('app-1')];
  await join(db, sw);
  await join(web, db);
  const made = await send('POST', '/v1/services', {
    name: 'Shop',
    criticality: 'critical',
    components: [{ ci_id: web, role: 'web' }],
  });
  app.clock.advance(60 * SECOND);
  const events = [await ingest('sw-1', 'Link down')];
  app.clock.advance(20 * SECOND);
  events.push(await ingest('db-1', 'PostgreSQL unreachable'));
  app.clock.advance(20 * SECOND);
  events.push(await ingest('app-1', 'HTTP 503', 'major'));
  await app.app.idle();
  const { event } = (await send('GET', `/api/events/${events[0]}`)).body;
  return { sw, db, web, service: made.body.id as string, events, group: event.correlationId as string };
};

type World = Awaited<ReturnType<typeof incident>>;
let world: World;
const analyze = async (body: object, headers = {}) => send('POST', PATH, body, headers);

/** All refs of all parts are citations, and each can be looked at. */
const expectGrounded = async ({ data }: Reply['body']): Promise<void> => {
  const known = new Set((data.citations as readonly { ref: string }[]).map(({ ref }) => ref));
  const parts = JSON.stringify(data).matchAll(/"refs":\[([^\]]*)\]/g);
  const refs = [...parts].flatMap(([, list]) => (list === '' ? [] : list!.split(',').map((ref) => JSON.parse(ref))));
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) expect(known).toContain(ref);
  for (const { href } of data.citations as readonly { href: string }[])
    expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
};

describe('An incident', () => {
  beforeAll(async () => {
    world = await incident();
  });

  test('is told with its cause, what it means, what happened and what to do', async () => {
    const { status, body } = await analyze({ correlationId: world.group });
    expect([status, body.success]).toEqual([200, true]);
    const { data } = body;
    expect(data.subject).toEqual({
      kind: 'group',
      id: world.group,
      name: world.group,
      href: `/api/events/groups/${world.group}`,
    });
    expect(data).toMatchObject({ generatedBy: 'rules', abstained: false, severity: 'critical', focus: null });
    expect(data.events).toEqual({ read: 3, total: 3 });
    expect(data.hypothesis.text).toContain('Probable root cause: "Link down" on sw-1');
    expect(data.hypothesis.reasoning).toMatch(/group of 3 events, no changes/);
    expect(data.hypothesis.confidence).toBeGreaterThan(0.5);
    expect(data.alternatives.map(({ eventId }: { eventId: string }) => eventId).sort()).toEqual(
      world.events.slice(1).sort(),
    );
    expect(data.timeline.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringContaining('critical "Link down" on sw-1 started, probable root cause'),
      expect.stringContaining('critical "PostgreSQL unreachable" on db-1 started.'),
      expect.stringContaining('major "HTTP 503" on app-1 started.'),
    ]);
    expect(data.impact).toMatchObject({ services: [{ serviceId: world.service, impact: 'full_outage' }] });
    expect(data.recommendations.length).toBeGreaterThan(0);
    for (const { action, why } of data.recommendations) expect([action, why]).not.toContain('');
    expect(data.summary).toContain('Link down');
    expect(data.summary).toContain('Shop (critical) goes down');
    await expectGrounded(body);
  });

  test.each(['eventId', 'ciId', 'serviceId'] as const)('is told from the side of its %s', async (field) => {
    const ids = { eventId: world.events[2], ciId: world.sw, serviceId: world.service };
    const { status, body } = await analyze({ [field]: ids[field] });
    expect(status).toBe(200);
    expect(body.data.subject.id).toBe(ids[field]);
    expect(body.data.hypothesis.text).toContain('Link down');
    expect(body.data.timeline[0].text).toContain('Link down');
    await expectGrounded(body);
  });

  test('what fails with a CI is counted and listed, the nearest first', async () => {
    const { data } = (await analyze({ ciId: world.sw })).body;
    expect(data.impact).toMatchObject({ total: 2, truncated: false, protected: 0 });
    expect(data.impact.cis).toMatchObject([
      { ciId: world.db, hops: 1 },
      { ciId: world.web, hops: 2 },
    ]);
    expect(data.impact.text).toContain('If sw-1 fails, 2 other CIs are impacted: db-1 and app-1.');
  });

  test('how a service does is said with its health', async () => {
    const { data } = (await analyze({ serviceId: world.service, question: 'What is its health?' })).body;
    expect(data.focus).toEqual({ topics: ['state'], names: [] });
    expect(data.summary).toMatch(/^Shop \(critical\) is (critical|degraded), \d+ of 100, with 3 open events/);
  });

  test('a question narrows the summary alone', async () => {
    const asked = async (question: string) => (await analyze({ correlationId: world.group, question })).body.data;
    const when = await asked('When did it begin on db-1?');
    expect(when.focus).toEqual({ topics: ['timeline'], names: ['db-1'] });
    expect(when.summary.split('\n')).toEqual([expect.stringContaining('"PostgreSQL unreachable" on db-1 started')]);
    expect(when.timeline).toHaveLength(3);
    const todo = await asked('what should we do?');
    expect(todo.summary.split('\n')).toEqual(todo.recommendations.map(({ action }: { action: string }) => action));
    expect((await asked('lorem ipsum?')).focus).toEqual({ topics: [], names: [] });
  });

  test('a person who resolves an event is in the timeline', async () => {
    const { events, group } = await incident();
    app.clock.advance(60 * SECOND);
    await send('PATCH', `/api/events/${events[0]}/status`, { status: 'resolved', notes: 'New cable' });
    const { data } = (await analyze({ correlationId: group })).body;
    expect(data.timeline.at(-1).text).toContain('"Link down" on sw-1 became resolved by');
  });
});

describe('Where there is nothing to explain', () => {
  beforeEach(async () => {
    app.clock.set(START);
    token = await app.tenant(`analyzed-${++serial}`);
  });

  test('no cause is named, and what it means is told all the same', async () => {
    const [db, web] = [await ci('db-1'), await ci('web-1')];
    await join(web, db);
    const { status, body } = await analyze({ ciId: db });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ abstained: true, timeline: [], recommendations: [], severity: null });
    expect(body.data.hypothesis).toMatchObject({
      text: expect.stringContaining('No root cause identified'),
      confidence: 0,
    });
    expect(body.data.summary).toContain('If db-1 fails, 1 other CI is impacted: web-1.');
    await expectGrounded(body);
  });

  test('an event without a CI is said to be bound to none', async () => {
    const eventId = await ingest('nowhere', 'Strange thing');
    const { data } = (await analyze({ eventId })).body;
    expect(data.impact).toMatchObject({ text: expect.stringContaining('No CI bound'), total: 0, cis: [] });
    expect(data.recommendations.map(({ action }: { action: string }) => action).join(' ')).toContain('Bind the event');
  });

  test('a service without components', async () => {
    const { id } = (await send('POST', '/v1/services', { name: 'Bare' })).body;
    const { status, body } = await analyze({ serviceId: id });
    expect([status, body.data.abstained, body.data.subject.name]).toEqual([200, true, 'Bare']);
    await expectGrounded(body);
  });
});

describe('What is asked wrongly', () => {
  beforeAll(async () => {
    world = await incident();
  });

  test.each([
    ['nothing', {}],
    ['two things', { eventId: `EVT-${NOBODY}`, ciId: NOBODY }],
    ['a question alone', { question: 'why?' }],
    ['an empty question', { ciId: NOBODY, question: ' ' }],
    ['a long question', { ciId: NOBODY, question: 'x'.repeat(1_001) }],
    ['a number', { ciId: 7 }],
    ['an unknown field', { ciId: NOBODY, ci: 1 }],
  ])('%s is refused', async (_, body) => {
    const reply = await analyze(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each([
    ['eventId', `EVT-${NOBODY}`],
    ['correlationId', 'COR-1763629200000-zzzzzz'],
    ['ciId', NOBODY],
    ['serviceId', NOBODY],
  ])('an unknown %s is not found', async (field, id) => {
    const reply = await analyze({ [field]: id });
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('a model where there is none, and a mode that is none', async () => {
    const wanted = await analyze({ ciId: world.db }, { 'x-ai-mode': 'model' });
    expect([wanted.status, wanted.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await analyze({ ciId: world.db }, { 'x-ai-mode': 'rules' })).body.data.degraded).toBeNull();
    expect((await analyze({ ciId: world.db }, { 'x-ai-mode': 'magic' })).status).toBe(400);
  });

  test('permissions are needed for all that is told', async () => {
    const as = async (scopes: readonly string[], body: object) => {
      const made = await send('POST', '/api/admin/tokens', { name: `t${++serial}`, scopes });
      return (await app.send('POST', PATH, body, { token: made.body.data.token })).status;
    };
    const all = ['ai.use', 'events.read', 'cmdb.read'];
    expect(await as(all, { ciId: world.db })).toBe(200);
    for (const one of all)
      expect(
        await as(
          all.filter((other) => other !== one),
          { ciId: world.db },
        ),
      ).toBe(403);
    expect(await as(all, { serviceId: world.service })).toBe(403);
    expect(await as([...all, 'services.read'], { serviceId: world.service })).toBe(200);
  });
});

describe('With a model', () => {
  let stub: ModelStub;
  beforeAll(async () => {
    stub = await openModelStub(after);
    // Two at once would share one set of engines.
    await app.stop();
    app = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'stub' });
    world = await incident();
  });
  afterAll(() => stub.close());

  test('it words the summary; what is not in the evidence is left out, and the question is not shown to it', async () => {
    let seen = '';
    stub.plays({
      say: ({ messages }: Received) => {
        seen = messages.map(({ content }) => content).join('\n');
        return claimsText(
          ['The link of sw-1 went down first.', 'E1', 'C1'],
          ['The cause is host-999.', 'E1'],
          ['It hit 4711 users.', 'E1'],
        );
      },
    });
    const { data } = (await analyze({ ciId: world.sw, question: 'why, asks Zebulon?' })).body;
    expect(data).toMatchObject({ generatedBy: 'model', model: 'stub', degraded: null });
    expect(data.summary).toMatch(
      /^"Link down" on sw-1 came first of the \d+ events in evidence\. "Link down" on sw-1: critical, open/,
    );
    expect(data.hypothesis.text).toContain('"Link down" on sw-1');
    expect(seen).toContain('what probably caused it');
    expect(seen).not.toContain('Zebulon');
    await expectGrounded({ data });
  });

  test('nothing that holds leaves the sentences of the rules', async () => {
    stub.plays({ say: claimsText(['host-999 failed.', 'E1']) });
    const { data } = (await analyze({ ciId: world.sw })).body;
    expect(data).toMatchObject({ generatedBy: 'rules', degraded: 'invalid_output' });
    expect(data.summary).toContain('Link down');
  });
});
