import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsoleFiles } from '#domain/ports/console/console-files.ts';
import { openTestServer, type TestServer } from '#test/conformance/test-server.ts';
import { wayToRoot } from './console-page.ts';
import { opsEndpoints } from './ops.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const built: ConsoleFiles = {
  page: '<base href="./"><meta nonce="NONCE"><script src="./assets/main-1.js" nonce="NONCE"></script>',
  assets: new Map([
    [
      'main-1.js',
      {
        type: 'text/javascript; charset=utf-8',
        content: bytes('whole'),
        coded: { br: bytes('as br'), gzip: bytes('as gzip') },
      },
    ],
    ['icon-2.svg', { type: 'image/svg+xml', content: bytes('<svg/>'), coded: {} }],
  ]),
};

let server: TestServer;
let without: TestServer;
beforeAll(async () => {
  server = await openTestServer(opsEndpoints, { console: built });
  without = await openTestServer(opsEndpoints);
});
afterAll(async () => {
  await server.close();
  await without.close();
});

const get = async (path: string, headers: Readonly<Record<string, string>> = {}, at = server) => {
  const response = await fetch(at.url + path, {
    redirect: 'manual',
    headers: { 'accept-encoding': 'identity', ...headers },
  });
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, text: await response.text(), header };
};

/** Returns the body as sent; `fetch` would decode it. */
const rawGet = async (path: string, accepted: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(server.url + path, { headers: { 'accept-encoding': accepted } }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await textOf(response) };
};

describe('the page', () => {
  test.each([
    ['/ui', 'ui/'],
    ['/ui/', './'],
    ['/ui/groups', './'],
    ['/ui/groups/', '../'],
    ['/ui/groups/COR-1', '../'],
    ['/ui/groups/COR-1/', '../../'],
    ['/ui/admin/users/1', '../../'],
    ['/ui/cis/a%2Fb', '../'],
  ])('of %s finds its folder at %s', async (path, way) => {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain(`<base href="${way}">`);
    // Resolves it like a browser, below any prefix removed by a proxy.
    for (const below of ['', '/ops/faultline'])
      expect(new URL(wayToRoot(path), `http://x${below}${path}`).pathname).toBe(`${below}/ui/`);
  });

  test('has another nonce at each load, which its policy names and nothing of its address', async () => {
    const loads = await Promise.all([
      get('/ui/groups?search=%22%3E%3Cscript%3E'),
      get('/ui/groups'),
      get('/ui/x%22%3E'),
    ]);
    const nonces = loads.map(({ text, header }) => {
      const [, nonce] =
        /^<base href="\.\/"><meta nonce="(\w{24})"><script src="\.\/assets\/main-1\.js" nonce="\1"><\/script>$/.exec(
          text,
        )!;
      expect(header('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'`,
      );
      expect(header('cache-control')).toBe('no-cache');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(3);
  });

  test('takes the parameters of its pages, within bounds', async () => {
    expect((await get(`/ui/events?event=1&search=${'x'.repeat(4_000)}`)).status).toBe(200);
    expect((await get(`/ui/events?search=${'x'.repeat(4_001)}`)).status).toBe(400);
  });
});

describe('a file', () => {
  test.each([
    ['br, gzip', 'br', 'as br'],
    ['gzip, deflate', 'gzip', 'as gzip'],
    ['br;q=0, gzip', 'gzip', 'as gzip'],
    ['br;q=0.5', 'br', 'as br'],
    ['identity', null, 'whole'],
  ])('asked for with %s comes as %s', async (accepted, coding, text) => {
    const { status, headers, body } = await rawGet('/ui/assets/main-1.js', accepted);
    expect([status, headers['content-encoding'] ?? null, body]).toEqual([200, coding, text]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  test('that is not compressed comes whole, also to who would take it compressed', async () => {
    const { headers, body } = await rawGet('/ui/assets/icon-2.svg', 'br, gzip');
    expect([headers['content-encoding'], body]).toEqual([undefined, '<svg/>']);
  });

  test.each(['main-2.js', '..%2Findex.html', 'main-1.js.br', '%2e%2e%2fmain.ts'])('%s is not there', async (name) => {
    const { status, header } = await get(`/ui/assets/${name}`);
    expect([status, header('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('the root', () => {
  const locationOf = async (at: TestServer) => {
    const { status, header } = await get('/', {}, at);
    return [status, header('location')];
  };

  test('leads to the console, below any path', async () => {
    expect(await locationOf(server)).toEqual([302, 'ui/']);
    const known = await openTestServer(opsEndpoints, { console: built, publicUrl: 'https://ops.example/faultline/' });
    expect(await locationOf(known)).toEqual([302, 'https://ops.example/faultline/ui/']);
    await known.close();
  });

  test('leads to the documentation when the console was not built, and says so where it would be', async () => {
    expect(await locationOf(without)).toEqual([302, '/docs']);
    for (const path of ['/ui/', '/ui/groups', '/ui/assets/main-1.js']) {
      const { status, text } = await get(path, {}, without);
      expect([status, text]).toEqual([404, expect.stringContaining('not built')]);
    }
  });
});
