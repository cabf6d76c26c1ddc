import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ModelStub, openModelStub } from '#features/ai/journeys/model-stub.ts';
import { after } from '#infra/system/time.ts';
import { type Launched, launch } from '#test/faults/launch.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { until } from '#test/setup/until.ts';

const TOKEN = 'bootstrap-token-of-the-tests';
const API_KEY = 'sk-stub-9f8e7d6c5b4a3928';
const HEADER = 'hunter2-of-the-receiver';
const ADDRESS = 'T0PSECRETPATH';

const directory = temporaryDirectory();
let receiver: HookReceiver;
let stub: ModelStub;
beforeAll(async () => {
  receiver = await openHookReceiver();
  stub = await openModelStub(after);
});
afterAll(async () => {
  await Promise.all([receiver.stop(), stub.close()]);
  directory.remove();
});

/** Requests of an administrator; replies of many shapes. */
const sender =
  ({ url }: Launched) =>
  async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return text === '' ? null : JSON.parse(text);
  };

test('no line of the most talkative log has a secret of a webhook, the value of a header, or the key of the model', async () => {
  const log = join(directory.path, 'log');
  const env = {
    PATH: '',
    PORT: '0',
    FAULTLINE_DATA: ':memory:',
    FAULTLINE_LOG_LEVEL: 'trace',
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8',
    FAULTLINE_LIMIT_SCALE: '0',
    OPENAI_BASE_URL: stub.url,
    OPENAI_MODEL: 'stub',
    OPENAI_API_KEY: API_KEY,
  };
  const launched = await launch(env, { log });
  const send = sender(launched);
  const secrets: string[] = [API_KEY, HEADER, ADDRESS, TOKEN];
  const hook = {
    name: 'Chat',
    url: `${receiver.url}/${ADDRESS}`,
    events: ['ci.created'],
    headers: { 'X-Key': HEADER },
  };

  const made = await send('POST', '/v1/webhooks', hook);
  secrets.push(made.secret);
  const path = `/v1/webhooks/${made.id}`;
  secrets.push((await send('POST', `${path}/rotate-secret`, { grace: '1h' })).secret);
  // Refused for every possible reason.
  await send('POST', '/v1/webhooks', hook);
  await send('POST', '/v1/webhooks', { ...hook, name: 'Other', headers: { 'X-Key': `${HEADER}\n` } });
  await send('POST', '/v1/webhooks', { ...hook, name: 'Other', url: `ftp://me:${HEADER}@127.0.0.1/${ADDRESS}` });
  await send('PUT', path, JSON.stringify(hook).slice(0, -1));
  await send('PUT', path, hook, { 'if-match': '"9"' });
  // Fails for every possible reason.
  receiver.next(500, 'hang-up', { redirectTo: `${receiver.url}/${ADDRESS}` }, 410);
  for (const name of ['a', 'b', 'c', 'd']) await send('POST', '/v1/cmdb/ci', { name, type: 'server' });
  await until(async () => (await send('GET', path)).inactive_reason === 'gone');
  await send('POST', `${path}/resume`);
  await send('POST', `${path}/test`);

  const refusal = JSON.stringify({ error: { message: `Incorrect API key provided: ${API_KEY}`, type: 'auth' } });
  const { id } = await send('POST', '/v1/cmdb/ci', { name: 'e', type: 'server' });
  for (const behaviour of [
    { status: 401, body: refusal },
    { status: 400, body: refusal },
    { body: refusal },
    { say: API_KEY },
  ]) {
    stub.plays(behaviour);
    await send('POST', `/api/cmdb-ai/insights/${id}`);
    expect(stub.received.length).toBeGreaterThan(0);
  }

  launched.process.kill('SIGTERM');
  expect(await launched.exited).toBe(0);
  const said = (): string => readFileSync(log, 'utf8');
  await until(async () => said().includes('"stopped"'));
  expect(said()).toContain('model request failed');
  for (const secret of secrets) expect([secret, said().includes(secret)]).toEqual([secret, false]);
}, 60_000);
