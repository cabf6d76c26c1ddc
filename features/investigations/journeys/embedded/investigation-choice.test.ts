import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ModelStub, openModelStub } from '#features/ai/journeys/model-stub.ts';
import { incidentOf } from '#features/investigations/journeys/incident.ts';
import { after } from '#infra/system/time.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let stub: ModelStub;
let app: TestApp;
beforeAll(async () => {
  stub = await openModelStub(after);
  app = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'stub' });
});
afterAll(async () => {
  await app.stop();
  await stub.close();
});

const choice = (words: string) => ({ say: JSON.stringify({ choices: [{ ref: 'G1', choice: words }] }) });

test('a model chooses among the checks that are left, at most eight; any other words count for nothing', async () => {
  const { send, group } = await incidentOf(app, 'investigated-by-model');
  stub.plays(choice('H1 past'), choice('H1 delete everything'));
  const { status, body } = await send('POST', `/api/events/groups/${group}/investigate`);
  expect([status, body.investigation.model, body.investigation.degraded]).toEqual([200, 'stub', null]);
  const [first, ...others] = body.investigation.hypotheses.find(({ id }: { id: string }) => id === 'H1').checks;
  expect([first.check, first.chosenBy]).toEqual(['past', 'model']);
  expect(new Set(others.map(({ chosenBy }: { chosenBy: string }) => chosenBy))).toEqual(new Set(['rules']));
  expect(
    stub.received.filter(({ messages }) => JSON.stringify(messages).includes('H1 history')).length,
  ).toBeLessThanOrEqual(8);
});

test('a caller who wants a model and nothing else hears that there is none of use', async () => {
  const { send, group } = await incidentOf(app, 'investigated-by-none');
  stub.plays({ status: 400 });
  const path = `/api/events/groups/${group}/investigate`;
  expect((await send('POST', path, undefined, { 'x-ai-mode': 'model' })).status).toBe(502);
  expect((await send('POST', path, undefined, { 'x-ai-mode': 'rules' })).status).toBe(200);
});
