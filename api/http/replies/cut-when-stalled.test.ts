import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Exchange } from '#api/http/routing/exchange.ts';
import type { Raw } from '#api/surfaces/endpoint.ts';
import { until } from '#test/setup/until.ts';
import { sendRaw } from './reply.ts';

let server: Server;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server.close();
});

const PIECE = 'x'.repeat(16 * 1_024);

interface World {
  readonly made: () => number;
  readonly closed: () => number;
  readonly outcome: () => unknown;
  readonly response: () => ServerResponse | undefined;
}

/** A reply without end to a reader that asks and then reads nothing. */
const stalledReply = async (mostMs: number, stopping: AbortSignal): Promise<World> => {
  let [made, closed] = [0, 0];
  let outcome: unknown = null;
  let response: ServerResponse | undefined;
  async function* endless() {
    for (;;) {
      made += 1;
      yield PIECE;
    }
  }
  server = createServer((request, reply) => {
    response = reply;
    const raw: Raw = {
      type: 'text/event-stream',
      content: endless(),
      isLive: true,
      stalled: { mostMs, last: () => 'event: bye\n\n', stopping },
      close: () => {
        closed += 1;
      },
    };
    const exchange = { request, response: reply, headers: {} } as unknown as Exchange;
    sendRaw(exchange, raw, 200, {}).then(
      (status) => {
        outcome = status;
      },
      (error) => {
        outcome = error;
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  return { made: () => made, closed: () => closed, outcome: () => outcome, response: () => response };
};

test('a reader that does not read is cut off, and the content was not made beyond what the buffers take', async () => {
  const world = await stalledReply(200, new AbortController().signal);
  await until(async () => world.response()?.writableNeedDrain === true);
  const { length } = { length: world.made() };
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(world.made()).toBe(length);
  await until(async () => world.outcome() !== null);
  expect(world.outcome()).toBe(200);
  expect(world.closed()).toBe(1);
  expect(world.response()!.destroyed).toBe(true);
});

test('one that reads again in time is not', async () => {
  const world = await stalledReply(1_000, new AbortController().signal);
  await until(async () => world.response()?.writableNeedDrain === true);
  const before = world.made();
  socket!.resume();
  await until(async () => world.made() > before + 10);
  expect(world.response()!.destroyed).toBe(false);
  socket!.destroy();
  await until(async () => world.closed() === 1);
  expect(world.outcome()).toBe(200);
});

test('at a stop it is cut off at once', async () => {
  const stopping = new AbortController();
  const world = await stalledReply(60_000, stopping.signal);
  await until(async () => world.response()?.writableNeedDrain === true);
  stopping.abort();
  await until(async () => world.outcome() !== null);
  expect(world.closed()).toBe(1);
});
