import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { claimsText, type ModelStub, openModelStub } from '#features/ai/journeys/model-stub.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/* The model words the findings of rules, and decides nothing except the use of an unknown port. */

let stub: ModelStub;
let app: TestApp;
let token: string;
let serial = 0;
beforeAll(async () => {
  stub = await openModelStub(() => () => undefined);
  app = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'stub' });
});
afterAll(async () => {
  await app.stop();
  await stub.close();
});
beforeEach(async () => {
  token = await app.tenant(`words-${++serial}`);
});

const { send, ci } = infrastructureOf(() => ({ app, token }));
const RULES = { 'x-ai-mode': 'rules' };

test('an insight in its words is kept', async () => {
  const id = await ci('db-1');
  stub.plays({ say: claimsText(['db-1 has status active', 'C1']) });
  const made = await send('POST', `/api/cmdb-ai/insights/${id}`);
  expect(made.body).toMatchObject({ insight: 'db-1: status active.', generatedBy: 'model' });
  const shown = (await send('GET', `/api/cmdb-ai/insights/${id}`)).body;
  expect(shown).toMatchObject({ insights: made.body.insight, generatedBy: 'model', model: 'stub' });
});

test('it never changes the score of a change', async () => {
  const asked = { ciId: await ci('db-1'), changeType: 'upgrade' };
  const path = '/api/change-analysis/quick-assess';
  const byRules = (await send('POST', path, asked, RULES)).body;
  stub.plays({ say: claimsText(['db-1 is of medium criticality', 'C1'], ['The risk of db-1 is 99', 'C1']) });
  const byModel = (await send('POST', path, asked)).body;
  expect(byModel).toMatchObject({ summary: 'db-1: criticality medium.', generatedBy: 'model' });
  for (const part of ['riskScore', 'riskLevel', 'factors', 'confidence']) expect(byModel[part]).toEqual(byRules[part]);
});

test('what free words were taken for is said, whoever words the rest', async () => {
  const asked = { ciId: await ci('db-1'), changeType: 'firmware upgrade' };
  stub.plays({ say: claimsText(['db-1 is of medium criticality', 'C1']) });
  const body = (await send('POST', '/api/change-analysis/quick-assess', asked)).body;
  expect(body).toMatchObject({
    generatedBy: 'model',
    summary: '“firmware upgrade” treated as hardware. db-1: criticality medium.',
  });
  const refs = new Set(body.citations.map(({ ref }: { ref: string }) => ref));
  for (const claim of body.claims) for (const ref of claim.refs) expect(refs).toContain(ref);
});

test('it tells what is on an unknown port, and is asked nothing else', async () => {
  const id = await ci('web-1');
  await ci('db-1');
  const row = { sourceServer: 'web-1', targetServer: 'db-1', port: 7777 };
  const path = `/api/cmdb/ai-relationships/analyze/${id}`;
  const analyze = async (headers = {}, frequency = 1_000) =>
    (await send('POST', path, { networkConnections: [{ ...row, frequency }] }, headers)).body;
  const found = (await analyze(RULES)).relationships;
  expect(found).toMatchObject([{ type: 'communicates-with', confidence: 0.3 }]);
  const choices = JSON.stringify({ choices: [{ ref: 'Q1', choice: 'depends_on' }] });
  stub.plays({ say: choices });
  const body = await analyze();
  expect(body).toMatchObject({ generatedBy: 'model', model: 'stub', degraded: null });
  expect(body.relationships).toMatchObject([
    { type: 'depends-on', confidence: 0.3, reasoning: expect.stringContaining('1000 times') },
  ]);
  expect(stub.received).toHaveLength(1);
  stub.plays({ say: JSON.stringify({ choices: [{ ref: 'Q1', choice: 'owns' }] }) }, { status: 401 });
  const other = (await analyze({}, 1_001)).relationships;
  expect(other).toMatchObject([{ type: 'communicates-with', reasoning: expect.stringContaining('1001 times') }]);
});

test('when it must answer and cannot, the request fails', async () => {
  const id = await ci('db-1');
  stub.plays({ status: 401 });
  const reply = await send('POST', `/api/cmdb-ai/insights/${id}`, undefined, { 'x-ai-mode': 'model' });
  expect([reply.status, reply.body.error.code]).toEqual([502, 'AI_SERVICE_ERROR']);
  expect(stub.tooLarge()).toEqual([]);
});
