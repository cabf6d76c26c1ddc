import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Neo4jClient, openClient } from './client.ts';

let server: Server;
let client: Neo4jClient;
const sockets = new Set<Socket>();
const left = { ms: Number.POSITIVE_INFINITY };

/** A server that takes connections and never says a word. */
beforeEach(async () => {
  server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  left.ms = Number.POSITIVE_INFINITY;
  client = openClient({ url: `bolt://127.0.0.1:${port}`, timeoutMs: 300, left: () => left.ms });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await client.close();
  server.close();
});

const took = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await expect(work).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable', retryAfter: 5 });
  return performance.now() - began;
};

test('all tries of a read share one time', async () => {
  expect(await took(client.read('RETURN 1'))).toBeLessThan(1_600);
});

test('a read ends when the time of whoever asks ends', async () => {
  left.ms = 50;
  expect(await took(client.read('RETURN 1'))).toBeLessThan(250);
  left.ms = 0;
  expect(await took(client.read('RETURN 1'))).toBeLessThan(50);
  expect(await took(client.write((run) => run('RETURN 1')))).toBeLessThan(50);
});

test('a server that does not answer is not ready, and that is known in time', async () => {
  const began = performance.now();
  expect(await client.ready()).toBe(false);
  expect(performance.now() - began).toBeLessThan(3_000);
  server.close();
  for (const socket of sockets) socket.destroy();
  expect(await client.ready()).toBe(false);
});
