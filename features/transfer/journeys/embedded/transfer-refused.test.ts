import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { TOKEN } from '#test/setup/test-app.ts';

const app = appOfTests();

const ROWS = 'host,server\n'.repeat(100_000);
const WAIT_MS = 5_000;

test.each([
  ['a row over 1 MiB', `name,type\n${'x'.repeat(1_500_000)},server\n${ROWS}`],
  ['a quote that is never closed', `name,type\n"${'x,y\n'.repeat(500_000)}`],
  ['a column twice', `name,name\n${ROWS}`],
  ['letters in Latin-1', Buffer.from(`name,type\nK\u00f6ln,server\n${ROWS}`, 'latin1')],
])('a file that is refused midway leaves its connection usable: %s', async (_name, file) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (method: string, path: string, body: string | Buffer = ''): Promise<IncomingMessage> => {
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

test('what is not UTF-8 is refused and says so, but for webhooks', async () => {
  const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
  const post = async (path: string, type: string, body: Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': type };
    const reply = await fetch(app.url + path, { method: 'POST', headers, body });
    return [reply.status, await reply.text()];
  };
  const named = '{"name":"K\u00f6ln","type":"server"}';
  const refused = [400, expect.stringContaining('expected UTF-8')];
  expect(await post('/v1/cmdb/import/ci', 'application/x-ndjson', latin(named))).toEqual(refused);
  expect(await post('/v1/cmdb/ci', 'application/json', latin(named))).toEqual(refused);
  const hosts = '{"scan_type":"n","scanner_id":"s","data":{"discovered_hosts":[{"hostname":"K\u00f6ln"}]}}';
  expect(await post('/v1/discovery/scan-data', 'application/json', latin(hosts))).toEqual(refused);
  const alert = '{"alerts":[{"status":"firing","labels":{"alertname":"K\u00f6ln"}}]}';
  expect((await post('/api/events/webhook/alertmanager', 'application/json', latin(alert)))[0]).toBe(200);
});
