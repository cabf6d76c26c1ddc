import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '#app';
import { claimsText, type ModelStub } from '#features/ai/journeys/model-stub.ts';
import { startWithModel } from '#features/ai/journeys/start-with-model.ts';
import { takeCreated } from '#features/analysis/use-cases/sinks.ts';
import { wordAnalyses } from '#features/analysis/use-cases/word.ts';
import { virtualTime } from '#test/setup/virtual-time.ts';

const time = virtualTime();
let stub: ModelStub;
let app: App;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ stub, app, stop } = await startWithModel(time));
});
afterAll(() => stop());

interface Reply {
  readonly eventId: string;
  readonly event: { readonly aiAnalysis: Readonly<Record<string, unknown>> };
}

const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
  const headers = { authorization: 'Bearer bootstrap-token-of-the-tests', 'content-type': 'application/json' };
  const response = await fetch(app.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Reply;
};

const DAY = 86_400_000;

const analysed = async (sourceId: string, severity: string) => {
  // Far from the others, so that no group takes it in.
  time.advance(DAY);
  const { eventId } = await send('POST', '/api/events/ingest', {
    source: 'zabbix',
    sourceId,
    severity,
    title: `Odd thing ${sourceId}x`,
    hostname: sourceId,
  });
  const happening = { tenant: 'default', happened: 'created' as const, id: eventId.slice(4), position: 0, at: 0 };
  await takeCreated(app.ports, [happening], 0);
  await app.idle();
  await wordAnalyses(app.ports, () => false);
  await app.idle();
  return (await send('GET', `/api/events/${eventId}`)).event.aiAnalysis;
};

test('a lone critical event gets the words of the model, with its citations', async () => {
  stub.plays({
    say: claimsText(['No cause can be named for this event yet.', 'E1'], ['Look at the thing itself.', 'E1']),
  });
  expect(await analysed('host-a', 'critical')).toMatchObject({
    generatedBy: 'model',
    model: 'stub',
    degraded: null,
    rootCauseHypothesis: 'Not known from the evidence: the root cause.',
    recommendedActions: [expect.stringMatching(/^Check "Odd thing host-ax" on host-a: critical, open/)],
    refs: { hypothesis: ['E1'], actions: [['E1']] },
  });
});

test('what the checks refuse leaves the sentences of the rules', async () => {
  stub.plays({ say: claimsText(['"Link down" on core-7 is the cause.', 'E9']) });
  expect(await analysed('host-b', 'critical')).toMatchObject({
    generatedBy: 'rules',
    model: null,
    degraded: 'invalid_output',
    abstained: true,
  });
});

test('of a cause by time alone the sentence of the rules stays, whatever the model makes of it', async () => {
  // Such causes are seldom right, and named only by who asks for it.
  await send('PUT', '/api/admin/settings/ai', { abstainBelow: 0 });
  const draft = { source: 'zabbix', severity: 'critical', timestamp: time.clock.now() };
  const ingest = async (title: string, hostname: string) => {
    const body = { ...draft, sourceId: hostname, title, hostname };
    return (await send('POST', '/api/events/ingest', body)).eventId;
  };
  const [cause] = [await ingest('Link down', 'lone-1'), await ingest('Batch job is late', 'lone-2')];
  const created = { tenant: 'default', happened: 'created' as const, id: cause!.slice(4), position: 0, at: 0 };
  stub.plays({ say: claimsText(['"Link down" on lone-1 caused it.', 'E1'], ['Look at "Link down" on lone-1.', 'E1']) });
  await takeCreated(app.ports, [created], 0);
  await app.idle();
  await wordAnalyses(app.ports, () => false);
  await app.idle();
  expect((await send('GET', `/api/events/${cause}`)).event.aiAnalysis).toMatchObject({
    generatedBy: 'model',
    recommendedActions: [expect.stringMatching(/^Check "Link down" on lone-1: /)],
    rootCauseHypothesis: expect.stringContaining('Possible root cause by time only'),
  });
  await send('PUT', '/api/admin/settings/ai', { abstainBelow: null });
});

test('what few people will read is not put to a model', async () => {
  const before = stub.received.length;
  expect(await analysed('host-c', 'minor')).toMatchObject({ generatedBy: 'rules' });
  expect(stub.received).toHaveLength(before);
});
