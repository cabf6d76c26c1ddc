import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Behaviour,
  claimsText,
  type ModelStub,
  openModelStub,
  type Received,
} from '#features/ai/journeys/model-stub.ts';
import { after } from '#infra/system/time.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openLiveStream } from '#test/setup/live-stream.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/* A model chooses what is looked up, and words what was found. */

const PATH = '/api/chatbot';
let app: TestApp;
let stub: ModelStub;
let token: string;
let serial = 0;
const ids: Record<string, string> = {};
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

beforeAll(async () => {
  stub = await openModelStub(after);
});
afterAll(() => stub.close());
/** The provider forgets what its server has refused. */
const restart = async () => {
  await app?.stop();
  app = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'stub' });
};
beforeAll(restart);
afterAll(() => app.stop());

beforeEach(async () => {
  await fill();
});
const fill = async () => {
  app.clock.set(START);
  serial += 1;
  token = await app.tenant(`chat-model-${serial}`);
  await send('PUT', '/api/admin/settings/ai', { dailyTokens: 10_000_000 });
  for (const name of ['db-1', 'web-1', 'web-2']) ids[name] = await ci(name);
  await join(ids['web-1']!, ids['db-1']!);
  const event = { source: 's', severity: 'critical', timestamp: START };
  await send('POST', '/api/events/ingest', { ...event, sourceId: '1', title: 'Disk full', hostname: 'db-1' });
  await app.app.idle();
};

const call = (name: string, parameters: object): { name: string; arguments: string } => ({
  name,
  arguments: JSON.stringify(parameters),
});
const wants = (...calls: readonly { name: string; arguments: string }[]): Behaviour => ({ calls });
const DONE: Behaviour = { say: 'DONE' };
const says = (...claims: readonly (readonly [text: string, ...refs: string[]])[]): Behaviour => ({
  say: claimsText(...claims),
});
const textOf = ({ messages }: Received): string => messages.map(({ content }) => content).join('\n');

// biome-ignore lint/suspicious/noExplicitAny: replies are checked against their schemas by the server.
const asked = async (message: string, more: object = {}, headers = {}): Promise<any> => {
  const { status, body } = await send('POST', PATH, { message, ...more }, headers);
  expect([message, status]).toEqual([message, 200]);
  expect(stub.tooLarge()).toEqual([]);
  expect(stub.received.length).toBeLessThanOrEqual(5);
  return body;
};
const calls = (body: { toolCalls: { tool: string; params: object }[] }) =>
  body.toolCalls.map(({ tool, params }) => [tool, params]);
const withTools = () => stub.received.map(({ tools }) => tools !== undefined);

test('it looks things up by aliases and names, and what it says stands on their rows', async () => {
  stub.plays(
    wants(call('search-cis', { name: 'db', type: null, status: '' })),
    wants(call('search-events', { ciId: 'C1' }), call('search-relationships', { targetId: 'db-1' })),
    DONE,
    says(['db-1 has an open critical event, "Disk full"', 'E1', 'C1'], ['web-1 depends on it', 'R1']),
  );
  const body = await asked('what is up with the database server?');
  expect(calls(body)).toEqual([
    ['search-cis', { name: 'db' }],
    ['search-events', { ciId: ids['db-1'] }],
    ['search-relationships', { targetId: 'db-1' }],
  ]);
  expect(body).toMatchObject({ generatedBy: 'model', model: 'stub', degraded: null, abstained: false });
  expect(body.response).toBe(
    '"Disk full" on db-1: critical, open, not acknowledged, since 2026-11-20 10:00 UTC, 0s ago. web-1 depends on db-1.',
  );
  expect(body.citations.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['ci', 'event', 'relationship']);
  expect(withTools()).toEqual([true, true, true, false]);
  expect(stub.received[0]!.tools!.map((tool) => tool.function.name)).toHaveLength(22);
  expect(textOf(stub.received[1]!)).toMatch(/search-cis name=db: 1 of 1 rows\nQ1 .*\nC1 ci db-1/);
  const { body: usage } = await send('GET', '/api/monitoring/ai');
  expect(usage.metrics).toMatchObject([{ service: 'chatbot', callCount: 4 }]);
});

describe('An answer that is streamed', () => {
  const message = 'what is the status of db-1?';

  test('begins with the rules, and ends with the model', async () => {
    const say = claimsText(['db-1 has an open critical event, "Disk full"', 'E1', 'C1']);
    stub.plays(wants(call('search-cis', { name: 'db' }), call('search-events', { ciId: 'db-1' })), DONE, { say });
    const stream = await openLiveStream(app.url + PATH, { token, post: { message } });
    await stream.ended;
    const kinds = stream.events.map(({ event }) => event);
    const draft = kinds.indexOf('draft');
    expect(kinds.slice(draft)).toEqual(['draft', 'tool', 'tool', 'end']);
    expect(new Set(kinds.slice(0, draft))).toEqual(new Set(['tool']));
    expect(stream.events[draft]?.data).toMatchObject({ generatedBy: 'rules', degraded: null });
    expect(stream.events[draft]?.data.response).toMatch(/^db-1 has 1 open event: 1 critical\./);
    expect(stream.events.at(-1)?.data).toMatchObject({ generatedBy: 'model', toolCalls: [{ total: 1 }, { total: 1 }] });
    expect(stream.events.at(-1)?.data.response).toMatch(/^"Disk full" on db-1: critical, open/);
  });

  test('is canceled by hanging up: the model is not asked any longer, and nothing is stored', async () => {
    stub.plays({ hangs: 'before' });
    const conversationId = 'canceled';
    const stream = await openLiveStream(app.url + PATH, { token, post: { message, conversationId } });
    await stream.next('draft');
    await stream.cut();
    await until(async () => (await send('GET', '/api/monitoring/ai')).body.metrics.length > 0);
    await asked('how many events today?', { conversationId }, { 'x-ai-mode': 'rules' });
    const found = await app.app.ports.records.list<{ readonly turns: readonly { readonly message: string }[] }>(
      `chat-model-${serial}`,
      'conversation',
      { limit: 5 },
    );
    expect(found.map(({ body: { turns } }) => turns.map((turn) => turn.message))).toEqual([['how many events today?']]);
  });

  test('ends with an error in words for a caller who wants a model alone', async () => {
    stub.plays({ status: 500, headers: { 'x-should-retry': 'false' } });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    };
    const init = { method: 'POST', body: JSON.stringify({ message }), headers: { ...headers, 'x-ai-mode': 'model' } };
    const text = await (await fetch(app.url + PATH, init)).text();
    expect(text).toMatch(
      /event: error\ndata: \{"message":"The model returned no verifiable answer \(provider\)"\}\n\n$/,
    );
  });
});

test('a supposition that nothing proves is a note, and no part of the answer', async () => {
  const note = 'The disk seems to be part of a storage problem.';
  stub.plays(wants(call('search-events', { ciId: 'db-1' })), DONE, says(['"Disk full" is open', 'E1'], [note, 'E1']));
  const body = await asked('what is wrong with db-1?');
  expect(body).toMatchObject({ generatedBy: 'model', notes: [note] });
  expect([body.response, ...body.claims.map(({ text }: { text: string }) => text)].join(' ')).not.toContain('seems');
});

test('a call that comes again is answered from memory, and a model that never ends is ended', async () => {
  stub.plays({ ...wants(call('search-events', { ciId: 'db-1' })), ...says(['"Disk full" is open', 'E1']) });
  const body = await asked('why is db-1 slow?');
  expect(withTools()).toEqual([true, true, true, false]);
  expect(calls(body)).toEqual([['search-events', { ciId: 'db-1' }]]);
  expect(textOf(stub.received[2]!)).toContain('was called so already');
});

test('it calls eight times at most, and five requests are made at most', async () => {
  const many = Array.from({ length: 12 }, (_, n) => call('search-cis', { name: `x${n}` }));
  stub.plays(wants(...many), says(['Nothing was found', 'Q1']));
  const body = await asked('how are things?');
  expect(body.toolCalls).toHaveLength(8);
  expect(withTools()).toEqual([true, false]);
});

test.each([
  ['a tool that is not there', call('delete-ci', { ciId: 'C1' }), 'there is no tool of this name'],
  [
    'parameters that are none',
    call('search-events', { ciId: 'db-1', tenant: 'other' }),
    'there are ci, severity, time_range, status, source, type, search, host',
  ],
  ['a value that is none', call('analytics-query', { metric: 'secrets' }), 'metric cannot be that'],
  ['broken arguments', { name: 'search-cis', arguments: '{"name": ' }, 'the arguments are no JSON object'],
])('%s: it is told, and the rules look instead', async (_, wish, told) => {
  stub.plays(wants(wish), DONE, says(['db-1 has status active', 'C1']));
  const body = await asked('what is the status of db-1?');
  expect(textOf(stub.received[1]!)).toContain(told);
  expect(
    calls(body)
      .map(([tool]) => tool)
      .slice(0, 2),
  ).toEqual(['get-ci-details', 'search-events']);
  expect(body).toMatchObject({ generatedBy: 'model', response: 'db-1: status active.' });
});

test('a server without tools is asked for none from then on: the rules look, and the model words it', async () => {
  await restart();
  await fill();
  for (const refusal of [{ refuses: ['tools'] }]) {
    stub.plays({ ...refusal, ...says(['db-1 has status active', 'C1']) });
    const body = await asked('what is the status of db-1?');
    expect(body).toMatchObject({ generatedBy: 'model', degraded: null, response: 'db-1: status active.' });
    expect(withTools()).toEqual([true, false]);
    stub.plays(says(['db-1 has status active', 'C1']));
    await asked('how is db-1 doing?');
    expect(withTools()).toEqual([false]);
  }
  await restart();
});

test('sentences that stand on nothing are dropped; when none is left the rules tell of what the tools have brought', async () => {
  stub.plays(
    wants(call('search-events', { ciId: 'db-1' })),
    DONE,
    says(['web-77 is down', 'E1'], ['There are 4711 events', 'E1'], ['See https://evil.example', 'E1']),
  );
  const body = await asked('hm, db-1');
  expect(body).toMatchObject({ generatedBy: 'rules', degraded: 'invalid_output' });
  expect(body.response).toBe(
    '"Disk full" on db-1: critical, open, started 2026-11-20 10:00 UTC. Answered by rules: no statement of the model was proven.',
  );
});

test('a name of the question is no evidence', async () => {
  stub.plays(wants(call('search-cis', { name: 'ghost-9' })), DONE, says(['ghost-9 is down', 'Q1']));
  const body = await asked('why is ghost-9 down?');
  expect(body).toMatchObject({
    generatedBy: 'rules',
    response: expect.stringMatching(/^No CIs found\. Answered by rules: /),
  });
});

test('when it fails on the way, the rules tell of what was found until then', async () => {
  stub.plays(wants(call('search-events', { ciId: 'db-1' })), { status: 401 });
  const body = await asked('what about db-1?');
  expect(body).toMatchObject({ generatedBy: 'rules', degraded: 'provider' });
  expect(calls(body)).toEqual([['search-events', { ciId: 'db-1' }]]);
  expect(stub.received).toHaveLength(2);
});

test('X-AI-Mode: rules asks no model, model takes nothing else', async () => {
  stub.plays({ status: 401 });
  expect(await asked('how is db-1 doing?', {}, { 'x-ai-mode': 'rules' })).toMatchObject({ degraded: null });
  expect(stub.received).toEqual([]);
  const { status, body } = await send('POST', PATH, { message: 'how is db-1 doing?' }, { 'x-ai-mode': 'model' });
  expect([status, body.error.code]).toEqual([502, 'AI_SERVICE_ERROR']);
});

test('over the budget the rules answer', async () => {
  await send('PUT', '/api/admin/settings/ai', { dailyTokens: 10 });
  stub.plays(DONE);
  expect(await asked('how is db-1 doing?')).toMatchObject({
    generatedBy: 'rules',
    degraded: 'budget',
    response: expect.stringContaining('Answered by rules: the AI budget is used up.'),
  });
  expect(stub.received).toEqual([]);
});

test('a model that gives away its orders is not heard', async () => {
  stub.plays({ calls: (request) => [call('search-cis', { name: textOf(request).match(/Never write (\w+)/)![1] })] });
  const body = await asked('how is db-1 doing?');
  expect(body).toMatchObject({ generatedBy: 'rules', degraded: 'invalid_output' });
  expect(JSON.stringify(body.toolCalls)).not.toMatch(/"name":"\w{10}"/);
});

test('it sees what was said before, the newest first, and nothing of other conversations', async () => {
  stub.plays(wants(call('get-context', {})), DONE, says(['Open events: 1', 'Q1']));
  await asked('how is web-2 doing?', { conversationId: 'a' });
  await asked('tell me of db-1', { conversationId: 'b' });
  stub.plays(wants(call('get-context', {})), DONE, says(['Open events: 1', 'Q1']));
  await asked('and now?', { conversationId: 'a' });
  const [first] = stub.received;
  expect(textOf(first!)).toMatch(/HISTORY\n- how.is.web-2.doing\? -> .*\nQUESTION and.now\?/);
  expect(textOf(first!)).not.toContain('db-1');
});

test('however much is said and found, a request has 4,000 tokens at most, and rows stay whole', async () => {
  for (let n = 0; n < 30; n++)
    await send('POST', '/v1/cmdb/ci', {
      name: `rack-${n}`,
      type: 'rack',
      description: `Stands in row ${n}, ${'at the wall '.repeat(20)}`,
    });
  for (let n = 0; n < 4; n++) {
    stub.plays(
      wants(call('search-cis', { type: 'rack' })),
      wants(call('search-cis', { name: 'rack-1' })),
      wants(call('search-cis', { name: 'rack-2' })),
      DONE,
      says(['There are 30 of them', 'Q1']),
    );
    const body = await asked(`where are the racks? ${'please tell me everything '.repeat(30)}`, {
      conversationId: 'racks',
    });
    expect(body).toMatchObject({ generatedBy: 'model', response: '30 found.' });
  }
  const shown = textOf(stub.received.at(-2)!);
  expect(shown).toMatch(/search-cis name=rack-2: \d+ of 11 rows/);
  for (const line of shown.split('\n').filter((text) => /^C\d+ ci rack/.test(text)))
    expect(line).toContain('status=active');
});

test('with pseudonyms it sees no host name, and its calls and words have the real ones', async () => {
  await send('PUT', '/api/admin/settings/ai', { pseudonymise: true });
  const real: string[] = [];
  stub.plays({ calls: (request) => [call('search-events', { ciId: textOf(request).match(/host-x\d+/)![0] })] }, DONE, {
    say: (request) => {
      const host = textOf(request).match(/host-x\d+/)![0];
      real.push(host);
      return claimsText([`${host} has an open event`, 'E1']);
    },
  });
  const body = await asked('why is db-1 slow?');
  expect(calls(body)).toEqual([['search-events', { ciId: 'db-1' }]]);
  expect(body).toMatchObject({
    generatedBy: 'model',
    response: expect.stringMatching(/^"Disk full" on db-1: critical, open/),
  });
  expect(real).toHaveLength(1);
  for (const request of stub.received) expect(textOf(request)).not.toContain('db-1');
});

test('it makes four requests with tools at most', async () => {
  let n = 0;
  stub.plays({ calls: () => [call('search-cis', { name: `x${++n}` })], ...says(['Nothing was found', 'Q1']) });
  expect((await asked('how are things?')).toolCalls).toHaveLength(4);
  expect(withTools()).toEqual([true, true, true, true, false]);
});
