import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Neo4jClient, openClient } from './client.ts';

let server: Server;
let url: string;
let client: Neo4jClient;
const sockets = new Set<Socket>();
const left = { ms: Number.POSITIVE_INFINITY };

/** A server that accepts connections and never responds. */
beforeEach(async () => {
  server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  left.ms = Number.POSITIVE_INFINITY;
  url = `bolt://127.0.0.1:${port}`;
  client = openClient({ url, timeoutMs: 300, left: () => left.ms });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await client.close();
  server.close();
});

const UNAVAILABLE = { name: 'Fault', kind: 'unavailable', retryAfter: 5 };
/** Its own time is longer than that of a connection. */
const openPatient = async (): Promise<void> => {
  await client.close();
  client = openClient({ url, timeoutMs: 60_000, left: () => left.ms });
};
/** Returns the outcome of the work after each of these times, ms; null while it continues. */
const outcomesAfter = async (work: () => Promise<unknown>, ...times: readonly number[]): Promise<unknown[]> => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  let outcome: unknown = null;
  const keep = (came: unknown): void => {
    outcome = came;
  };
  void work().then(keep, keep);
  const outcomes = [];
  for (const [at, time] of times.entries()) {
    await jest.advanceTimersByTimeAsync(time - (times[at - 1] ?? 0));
    outcomes.push(outcome);
  }
  jest.useRealTimers();
  return outcomes;
};

test('all tries of a read share one time', async () => {
  await expect(client.read('RETURN 1')).rejects.toMatchObject(UNAVAILABLE);
  // The first attempt used it all.
  expect(sockets.size).toBe(1);
});

test('a read ends when the time of whoever asks ends', async () => {
  await openPatient();
  left.ms = 50;
  const outcomes = await outcomesAfter(() => client.read('RETURN 1'), 49, 50);
  expect(outcomes).toMatchObject([null, UNAVAILABLE]);
  const tried = sockets.size;
  left.ms = 0;
  await expect(client.read('RETURN 1')).rejects.toMatchObject(UNAVAILABLE);
  await expect(client.write((run) => run('RETURN 1'))).rejects.toMatchObject(UNAVAILABLE);
  expect(sockets.size).toBe(tried);
});

test('a server that does not answer is not ready, and that is known after 2 s', async () => {
  await openPatient();
  expect(await outcomesAfter(() => client.ready(), 1_999, 2_000)).toEqual([null, false]);
  server.close();
  for (const socket of sockets) socket.destroy();
  expect(await client.ready()).toBe(false);
});
