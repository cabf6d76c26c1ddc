import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '#app';
import { type Behaviour, claimsText, type ModelStub } from '#features/ai/journeys/model-stub.ts';
import { startWithModel } from '#features/ai/journeys/start-with-model.ts';
import { MAX_ATTEMPTS } from '#features/ai/rules/retry.ts';
import type { AiUsage } from '#features/ai/rules/usage.ts';
import { type AiAnswer, answer, type Question } from '#features/ai/use-cases/answer.ts';
import { virtualTime } from '#test/setup/virtual-time.ts';

/* A provider at its worst: every answer arrives, in time, based on the evidence, and every request is logged. */

const MAX_MS = 16_000;
const MAX_AUTOMATIC_MS = 125_000;
const time = virtualTime();
let stub: ModelStub;
let app: App;
let stop: () => Promise<void>;
let tenant = '';
let serial = 0;

beforeAll(async () => {
  ({ stub, app, stop } = await startWithModel(time, {
    OPENAI_MODEL: 'stub',
    OPENAI_INPUT_PRICE: '1',
    OPENAI_OUTPUT_PRICE: '2',
  }));
});
afterAll(() => stop());
beforeEach(() => {
  serial += 1;
  tenant = `t-${serial}`;
  // The breaker forgets earlier failures.
  time.advance(60_000);
});

const question = (changes: Partial<Question> = {}): Question => ({
  service: 'ci-insight',
  pack: [
    {
      alias: 'Q1',
      kind: 'query',
      id: `count-${serial}`,
      label: 'open events of db-01',
      href: '/api/events',
      facts: [
        { name: 'open', value: 7 },
        { name: 'worst', value: 'critical' },
        { name: 'title', value: 'Disk full on db-01', isFreeText: true },
      ],
    },
  ],
  claims: [{ text: 'db-01 has 7 open events', refs: ['Q1'], certainty: 'fact' }],
  abstained: false,
  task: 'Say what matters.',
  mode: 'auto',
  ...changes,
});
const GOOD = claimsText(['db-01 has 7 open events, the worst critical', 'Q1']);

const asking = () => ({
  tenant,
  ports: app.ports,
  department: 'network',
  requestId: `r-${serial}`,
  signal: new AbortController().signal,
});
const ask = async (changes: Partial<Question> = {}): Promise<{ answered: AiAnswer; ms: number }> => {
  const began = time.clock.now();
  const answered = await time.run(answer(asking(), question(changes)));
  return { answered, ms: time.clock.now() - began };
};
const recorded = async (): Promise<AiUsage[]> =>
  (await app.ports.records.list<AiUsage>(tenant, 'ai-usage', { limit: 100 })).map(({ body }) => body);

const again = (behaviour: Behaviour): readonly Behaviour[] => [behaviour, { say: GOOD }];
const always = (behaviour: Behaviour): readonly Behaviour[] => [behaviour];
const HTML = '<!doctype html><title>502</title>';

/** Name, script, outcome, requests. */
const CASES: readonly (readonly [string, readonly Behaviour[], 'model' | AiAnswer['grounds']['degraded'], number])[] = [
  ['all is well', always({ say: GOOD }), 'model', 1],
  ['429 without Retry-After, once', again({ status: 429 }), 'model', 2],
  ['429 for ever', always({ status: 429 }), 'provider', 4],
  ['429 with Retry-After 2', again({ status: 429, headers: { 'retry-after': '2' } }), 'model', 2],
  ['429 with Retry-After 3600', always({ status: 429, headers: { 'retry-after': '3600' } }), 'provider', 1],
  ['500 twice', [{ status: 500 }, { status: 500 }, { say: GOOD }], 'model', 3],
  ['503 for ever', always({ status: 503 }), 'provider', 4],
  ['408', again({ status: 408 }), 'model', 2],
  ['401', always({ status: 401 }), 'provider', 1],
  ['headers after 10 s', always({ say: GOOD, waits: 10_000 }), 'model', 1],
  ['headers that never come', always({ hangs: 'before' }), 'timeout', 1],
  ['silence behind the headers', always({ hangs: 'after' }), 'timeout', 1],
  ['a connection that breaks', again({ say: GOOD, breaks: 'connection' }), 'model', 2],
  ['connections that always break', always({ say: GOOD, breaks: 'connection' }), 'provider', 4],
  ['a stream that ends too early', again({ say: GOOD, breaks: 'end' }), 'model', 2],
  ['an error within the stream', again({ say: GOOD, breaks: 'error' }), 'model', 2],
  ['HTML with 200', always({ body: HTML, headers: { 'content-type': 'text/html' } }), 'provider', 4],
  ['broken JSON, once', again({ say: GOOD.slice(0, 40) }), 'model', 2],
  ['broken JSON for ever', always({ say: '{"claims": [' }), 'invalid_output', 4],
  ['fenced JSON', always({ say: `Here you are:\n\`\`\`json\n${GOOD}\n\`\`\`` }), 'model', 1],
  ['JSON of another shape', again({ say: '{"answer": "all is well"}' }), 'model', 2],
  ['a claim of 301 characters', again({ say: claimsText(['x'.repeat(301), 'Q1']) }), 'model', 2],
  ['a refusal', always({ refusal: 'I cannot help with that' }), 'provider', 1],
  ['a content filter', always({ say: '', finish: 'content_filter' }), 'provider', 1],
  ['length without text, once', again({ say: '', finish: 'length' }), 'model', 2],
  ['length without text for ever', always({ say: '', finish: 'length' }), 'invalid_output', 2],
  ['no usage', always({ say: GOOD, withoutUsage: true }), 'model', 1],
  ['one piece instead of a stream', always({ say: GOOD, whole: true }), 'model', 1],
  ['an unknown tool', again({ tool: 'delete_everything' }), 'model', 2],
  ['tools for ever', always({ tool: 'look', finish: 'tool_calls' }), 'invalid_output', 4],
  ['made-up references', always({ say: claimsText(['db-01 has 7 open events', 'E9']) }), 'invalid_output', 1],
  ['made-up numbers', always({ say: claimsText(['db-01 has 8 open events', 'Q1']) }), 'invalid_output', 1],
  ['made-up names', always({ say: claimsText(['db-02 has 7 open events', 'Q1']) }), 'invalid_output', 1],
  ['a link', always({ say: claimsText(['See https://evil.example for db-01', 'Q1']) }), 'invalid_output', 1],
];

describe('Whatever the provider does', () => {
  test.each(CASES)('%s', async (_, script, outcome, requests) => {
    stub.plays(...script);
    const { answered, ms } = await ask();
    expect(ms).toBeLessThanOrEqual(MAX_MS);
    expect(stub.received.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(stub.received.length).toBe(requests);
    expect(await recorded()).toHaveLength(stub.received.length);
    expect(stub.tooLarge()).toEqual([]);
    const isModel = outcome === 'model';
    expect(answered.grounds).toMatchObject({
      generatedBy: isModel ? 'model' : 'rules',
      degraded: isModel ? null : outcome,
      model: isModel ? 'stub' : null,
    });
    expect(answered.claims[0]!.text).toMatch(/7 open events|open events of db-01: 7/);
    expect(answered.grounds.citations).toEqual([expect.objectContaining({ ref: 'Q1', id: `count-${serial}` })]);
  });
});

test.each([
  ['silence for ever', always({ hangs: 'after' }), 'timeout', 4],
  ['silence once', again({ hangs: 'after' }), null, 2],
] as const)('automatic work waits longer: %s', async (_, script, degraded, requests) => {
  stub.plays(...script);
  const { answered, ms } = await ask({ isAutomatic: true });
  expect(ms).toBeLessThanOrEqual(MAX_AUTOMATIC_MS);
  expect(stub.received.length).toBe(requests);
  expect(answered.grounds.degraded).toBe(degraded);
});

test('every attempt is on record: tokens, cost, latency, who asked', async () => {
  stub.plays({ status: 500 }, { say: GOOD, waits: 3_000 });
  await ask();
  const [failed, done] = await recorded();
  const common = {
    service: 'ci-insight',
    model: 'stub',
    department: 'network',
    requestId: `r-${serial}`,
    priced: true,
  };
  expect(failed).toMatchObject({ ...common, outcome: 'provider', input: 0, output: 0, cost: 0 });
  expect(done).toMatchObject({ ...common, outcome: 'done', input: 700, output: 80, estimated: false, cost: 0.00086 });
  expect(done!.latencyMs).toBe(3_000);
});

test('an answer is kept for 15 minutes, for its tenant alone', async () => {
  stub.plays({ say: GOOD });
  await ask();
  await ask();
  expect(stub.received).toHaveLength(1);
  expect(await recorded()).toHaveLength(1);
  tenant += 'b';
  await ask();
  expect(stub.received).toHaveLength(2);
  time.advance(16 * 60_000);
  await ask();
  expect(stub.received).toHaveLength(3);
});

test('after five failures in a row the provider rests for 30 s, then one request tries it', async () => {
  stub.plays({ status: 401 });
  for (let i = 0; i < 5; i++) await ask({ service: `s-${i}` });
  await ask({ service: 's-5' });
  expect(stub.received).toHaveLength(5);
  time.advance(31_000);
  stub.plays({ say: GOOD });
  expect((await ask()).answered.grounds.generatedBy).toBe('model');
});

test('over the budget the rules answer, and a caller who wants a model gets 429; automatic work has its share', async () => {
  const put = (body: object) => app.ports.records.put(tenant, 'settings', 'ai', body);
  await put({ dailyTokens: 4_000, analysisShare: 0.25 });
  stub.plays({ say: GOOD });
  expect((await ask({ isAutomatic: true })).answered.grounds.degraded).toBe('budget');
  expect((await ask()).answered.grounds.generatedBy).toBe('model');
  await put({ dailyTokens: 1_500 });
  expect((await ask({ service: 'other' })).answered.grounds.degraded).toBe('budget');
  await expect(ask({ service: 'other', mode: 'model' })).rejects.toMatchObject({ kind: 'rate-limited' });
  await put({ monthlyCost: 0.0001 });
  expect((await ask({ service: 'other' })).answered.grounds.degraded).toBe('budget');
  expect(stub.received).toHaveLength(1);
});

test('a caller who wants a model gets 502 when it fails, and rules never ask one', async () => {
  stub.plays({ status: 401 });
  await expect(ask({ mode: 'model' })).rejects.toMatchObject({ kind: 'model' });
  stub.plays({ say: GOOD });
  expect((await ask({ mode: 'rules' })).answered.grounds).toMatchObject({ generatedBy: 'rules', degraded: null });
  expect(stub.received).toHaveLength(0);
});

/** Last of all: refusals of a server stay cached. */
describe('A server that takes less', () => {
  test.each([['max_tokens'], ['temperature'], ['stream_options'], ['response_format=json_schema']])(
    'and refuses %s is asked without it, now and from then on',
    async (name) => {
      const stubborn = { say: GOOD, refuses: [name] };
      stub.plays(stubborn);
      expect((await ask()).answered.grounds.generatedBy).toBe('model');
      expect(stub.received).toHaveLength(2);
      tenant += 'b';
      stub.plays(stubborn);
      expect((await ask()).answered.grounds.generatedBy).toBe('model');
      expect(stub.received).toHaveLength(1);
    },
  );
});
