import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.tenant('names');
  const send = (path: string, body: object) => app.send('POST', path, body, { token: admin });
  ci = (await send('/v1/cmdb/ci', { name: 'zebraci-1', type: 'zebratype' })).body.id;
  await send('/v1/services', { name: 'Zebrasvc', components: [{ ci_id: ci, role: 'db' }] });
  const event = {
    source: 'zebrasource',
    sourceId: '1',
    severity: 'critical',
    title: 'zebraevent',
    hostname: 'zebraci-1',
  };
  await send('/api/events/ingest', { ...event, environment: 'zebraenv', service: 'zebratext' });
  await app.app.idle();
});
afterAll(() => app.stop());
let ci: string;

const holder = async (...scopes: string[]) => {
  const made = await app.send('POST', '/api/admin/tokens', { name: scopes.join(), scopes }, { token: admin });
  return (path: string, body: object) => app.send('POST', path, body, { token: made.body.data.token });
};
/** Texts that a caller has not said itself. */
const told = (body: unknown): string => JSON.stringify(body);

const QUESTIONS = [
  ['/api/chatbot', { message: 'What depends on zebraci-1?' }],
  ['/api/chatbot', { message: 'Show all zebratypes' }],
  ['/api/chatbot', { message: 'How healthy is Zebrasvc?' }],
  ['/api/chatbot', { message: 'events from zebrasource in zebraenv' }],
  ['/v1/reports/ai/query', { query: 'number of events on zebraci-1 in the last 24 hours' }],
  ['/v1/reports/ai/query', { query: 'events by ci type zebratype' }],
  ['/v1/agents/correlation/query', { query: 'why is zebraci-1 in a group?' }],
  ['/v1/agents/root-cause/query', { query: 'what broke zebraci-1?' }],
] as const;

describe.each(QUESTIONS)('%s %j', (path, body) => {
  test('tells who may only ask nothing that names stand for', async () => {
    const send = await holder('ai.use');
    const reply = await send(path, body);
    expect(told(reply.body)).not.toContain(ci);
    // It cannot tell a name that is there from one that is not.
    const other = JSON.parse(JSON.stringify(body).replaceAll(/zebra/gi, 'okapi'));
    const unknown = await send(path, other);
    expect(reply.status).toBe(unknown.status);
    const alike = (text: string): string =>
      text.replaceAll(/zebra|okapi/gi, '_').replaceAll(/[0-9A-Z]{26}|\d+(\.\d+)?/g, '0');
    expect(alike(told(reply.body))).toBe(alike(told(unknown.body)));
  });
});

test('the chatbot finds a CI for who may read CIs', async () => {
  const send = await holder('ai.use', 'cmdb.read');
  expect(told((await send('/api/chatbot', { message: 'What depends on zebraci-1?' })).body)).toContain(ci);
});
