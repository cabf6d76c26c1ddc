import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, TOKEN } from '#test/setup/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const ROWS = 'host,server\n'.repeat(100_000);
const WAIT_MS = 5_000;

test.each([
  ['a row over 1 MiB', `name,type\n${'x'.repeat(1_500_000)},server\n${ROWS}`],
  ['a quote that is never closed', `name,type\n"${'x,y\n'.repeat(500_000)}`],
  ['semicolons', `name;type\n${ROWS}`],
  ['a column twice', `name,name\n${ROWS}`],
])('a file that is refused midway leaves its connection usable: %s', async (_name, file) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (method: string, path: string, body = ''): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'text/csv' };
    const sent = request(`${app.url}${path}`, { agent, method, headers, signal: AbortSignal.timeout(WAIT_MS) });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    await text(reply);
    return reply;
  };
  try {
    const refused = await send('POST', '/v1/cmdb/import/ci', file);
    expect([refused.statusCode, refused.headers.connection]).toEqual([400, 'keep-alive']);
    expect((await send('GET', '/v1/cmdb/ci')).statusCode).toBe(200);
  } finally {
    agent.destroy();
  }
});
