import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@elastic/elasticsearch';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClusterConnectionOptions, Connection } from './connection.ts';

/** The client checks its timeouts about every half second. */
const SLOW_MS = 1_800;
const answer = { status: 200, body: '{}', afterMs: SLOW_MS };
let server: Server;
const connections: Connection[] = [];

beforeEach(async () => {
  Object.assign(answer, { status: 200, body: '{}', afterMs: SLOW_MS });
  server = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
    setTimeout(() => response.end(answer.body), answer.afterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const one of connections.splice(0)) await one.close();
  server.closeAllConnections();
  server.close();
});

const open = (options: Partial<ClusterConnectionOptions> = {}): Connection => {
  const node = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = new Connection({ node, timeoutMs: 100, patientMs: 5_000, ...options });
  connections.push(connection);
  return connection;
};
const question = (client: Client) => client.count({ index: 'any' });

test('the patient client waits where the other one gives up', async () => {
  const connection = open();
  await expect(connection.ask(question)).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable' });
  expect(await connection.askPatiently(question)).toEqual({});
});

test('no question outlives the time of whoever asks', async () => {
  const left = { ms: 50 };
  const connection = open({ left: () => left.ms });
  await expect(connection.askPatiently(question)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  left.ms = 0;
  answer.afterMs = 0;
  await expect(connection.askPatiently(question)).rejects.toMatchObject({ kind: 'unavailable' });
  left.ms = 5_000;
  expect(await connection.askPatiently(question)).toEqual({});
});

describe('What Elasticsearch refuses for a reason of its own is unavailable', () => {
  test.each([
    [401, 'security_exception'],
    [403, 'security_exception'],
    [403, 'cluster_block_exception'],
    [400, 'index_closed_exception'],
  ])('%i %s', async (status, type) => {
    Object.assign(answer, {
      status,
      afterMs: 0,
      body: JSON.stringify({ error: { type, reason: 'so it is' }, status }),
    });
    await expect(open().ask(question)).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable' });
  });

  test('a mistake of ours stays one', async () => {
    const error = { type: 'parsing_exception', reason: 'so it is' };
    Object.assign(answer, { status: 400, afterMs: 0, body: JSON.stringify({ error, status: 400 }) });
    await expect(open().ask(question)).rejects.toMatchObject({ name: 'ResponseError' });
  });
});
