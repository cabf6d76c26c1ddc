import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { setClock } from '#test/setup/set-clock.ts';
import { openRedisLimiter } from './redis-limiter.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const openAt = async (port: number) => {
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message) };
  const { limiter, close } = await openRedisLimiter({ url: `redis://127.0.0.1:${port}`, clock: setClock(0), log });
  closing.push(close);
  return { limiter, warnings };
};

/** A port without an answer: nothing listens there, or a server that never responds. */
const silent = async (): Promise<number> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

test.each([
  ['is not there', async () => 1],
  ['never answers', silent],
])('a Redis that %s: this process counts for itself, and says so once', async (_, port) => {
  const { limiter, warnings } = await openAt(await port());
  const takes = [];
  for (let i = 0; i < 3; i++) takes.push((await limiter.take('k', 2, 60_000)).allowed);
  expect(takes).toEqual([true, true, false]);
  expect(warnings).toHaveLength(1);
});
