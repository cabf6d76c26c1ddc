import { once } from 'node:events';
import net, { type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Gate, openGate } from './gate.ts';

let server: Server;
let gate: Gate;
let received = '';
beforeAll(async () => {
  server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      socket.write(`answer to ${chunk.toString()}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate = await openGate('127.0.0.1', (server.address() as AddressInfo).port);
});
afterAll(async () => {
  await gate.close();
  server.close();
});

/** Returns the reply, or the end of the connection. */
const ask = async (text: string): Promise<string> => {
  const socket = net.connect(gate.port, '127.0.0.1');
  const ended = new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    socket.once('error', () => resolve('cut'));
    socket.once('close', () => resolve('cut'));
  });
  socket.write(text);
  const answer = await ended;
  socket.destroy();
  return answer;
};

test('what is asked goes through, and is refused while the gate is shut', async () => {
  expect(await ask('one')).toBe('answer to one');
  gate.refuse();
  expect(await ask('two')).toBe('cut');
  gate.open();
  expect(await ask('three')).toBe('answer to three');
});

test.each([
  ['asked', ''],
  ['answered', 'POST /save'],
] as const)('it strikes once, when the request is %s', async (when, carriedOut) => {
  received = '';
  const struck = Promise.withResolvers<void>();
  gate.strikeAt({ request: /^POST \/save/, when, strike: () => struck.resolve() });
  expect(await ask('GET /other')).toBe('answer to GET /other');
  received = '';
  const socket = net.connect(gate.port, '127.0.0.1');
  let seen = '';
  socket.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  socket.write('POST /save');
  await struck.promise;
  expect([received, seen]).toEqual([carriedOut, '']);
  socket.destroy();
  expect(await ask('POST /save')).toBe('answer to POST /save');
});
