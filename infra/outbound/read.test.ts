import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { selfSigned } from '#test/setup/self-signed.ts';
import { openPost, type ResolveHost } from './post.ts';
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

describe('a stream', () => {
  const streaming = () => ({ headers: { accept: 'text/x' }, timeoutMs: 500, signal: new AbortController().signal });
  const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  test('has the status and the body; an address that is not public is refused', async () => {
    const outbound = opened('127.0.0.0/8');
    const { status, body } = await outbound.stream(`${url}/x`, streaming());
    expect([status, await textOf(body)]).toEqual([200, `text/x ${'x'.repeat(100)}`]);
    await outbound.close();
    const guarded = opened();
    await expect(guarded.stream(`${url}/x`, streaming())).rejects.toMatchObject({ class: 'refused address' });
    await guarded.close();
  });

  test('a server of a private certificate authority is trusted with that authority only', async () => {
    const { privateKey, certificate } = selfSigned();
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const secure = createSecureServer({ key, cert: certificate }, (_, response) => response.end('ok'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const resolve: ResolveHost = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    const outbound = openPost({ allowed: allowedFrom(['127.0.0.0/8']), resolve });
    const address = `https://test:${(secure.address() as AddressInfo).port}`;
    await expect(outbound.stream(address, streaming())).rejects.toMatchObject({ class: 'tls' });
    const { body } = await outbound.stream(address, { ...streaming(), ca: certificate });
    expect(await textOf(body)).toBe('ok');
    await outbound.close();
    secure.closeAllConnections();
    secure.close();
  });
});
