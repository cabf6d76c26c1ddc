import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPost } from './post.ts';
import { allowedFrom } from './public-address.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/x' }).end();
    if (request.url === '/slow') return undefined;
    return response.writeHead(request.url === '/no' ? 403 : 200).end(`${request.headers.accept} ${'x'.repeat(100)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const reading = { headers: { accept: 'text/x' }, timeoutMs: 500, maxBytes: 1_000 };
const opened = (...networks: readonly string[]) => openPost({ allowed: allowedFrom(networks) });

test('a body is read with its status; a redirect is not followed', async () => {
  const outbound = opened('127.0.0.0/8');
  expect(await outbound.read(`${url}/x`, reading)).toEqual({ status: 200, body: `text/x ${'x'.repeat(100)}` });
  expect((await outbound.read(`${url}/no`, reading)).status).toBe(403);
  expect((await outbound.read(`${url}/moved`, reading)).status).toBe(302);
  await outbound.close();
});

test.each([
  ['an address that is not public', [], '/x', {}, 'refused address'],
  ['a body that is too large', ['127.0.0.0/8'], '/x', { maxBytes: 50 }, 'failed'],
  ['a server that does not answer', ['127.0.0.0/8'], '/slow', { timeoutMs: 50 }, 'timeout'],
] as const)('%s is refused', async (_, networks, path, more, failure) => {
  const outbound = opened(...networks);
  await expect(outbound.read(url + path, { ...reading, ...more })).rejects.toMatchObject({ class: failure });
  await outbound.close();
});
