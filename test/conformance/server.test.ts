import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { opsEndpoints } from '#api/ops/ops.ts';
import { type AnyEndpoint, endpoint, mount, on, type SurfaceName } from '#api/surfaces/endpoint.ts';
import { cutsOf } from '#test/setup/cuts-of.ts';
import { until } from '#test/setup/until.ts';
import { hold, said, samples } from './samples.ts';
import { openTestServer, type TestServer, TOKEN } from './test-server.ts';

const endpoints = [...opsEndpoints, ...samples];
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer(endpoints, { limits: { scale: 1000 } });
});
afterAll(() => server.close());
afterEach(() => {
  said.length = 0;
});

type Body = string | Uint8Array<ArrayBuffer>;
const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function call(method: string, path: string, options: { headers?: object; body?: Body; at?: TestServer } = {}) {
  const { headers, body, at = server } = options;
  const init = { method, headers: { ...bearer(TOKEN), ...headers } as Record<string, string>, body: body ?? null };
  const response = await fetch(at.url + path, init);
  const text = await response.text();
  const json =
    response.headers.get('content-type')?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}
const post = (path: string, body: unknown, headers: object = {}, at = server) =>
  call('POST', path, { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers }, at });

describe('request ids', () => {
  test.each(['my-id', 'x'.repeat(128)])('the id of the caller is kept: %s', async (id) => {
    const { headers, json } = await call('GET', '/v1/nothing', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
    expect(json.error.request_id).toBe(id);
  });
  test.each(['x'.repeat(129), 'é'])('another one is not: %s', async (id) => {
    const { headers } = await call('GET', '/livez', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
  });
});

describe('who may', () => {
  test('authentication comes before the body and before the path', async () => {
    for (const path of ['/api/events/say', '/api/events/nowhere/at/all', '/api/say', '/v1/x', '/x'])
      expect((await post(path, { bad: 1 }, bearer('wrong'))).status).toBe(401);
  });
  test('a 401 says how', async () =>
    expect((await call('GET', '/v1/numbers', { headers: bearer('wrong') })).headers.get('www-authenticate')).toBe(
      'Bearer',
    ));
  test('permission comes before the body, and has limit headers', async () => {
    const { status, headers, json } = await post('/api/events/say', { bad: 1 }, bearer('none'));
    expect(status).toBe(403);
    expect(headers.get('x-ratelimit-limit')).toBe('100000');
    expect(json.message).toContain('events.ingest');
  });
  test('a foreign tenant', async () => {
    const { status, json } = await post('/api/ask/1', { severity: 'major' }, { 'x-tenant-id': 'other' });
    expect([status, json.error.code]).toEqual([403, 'TENANT_NOT_FOUND']);
  });
  test('a token in the URL is taken where it is allowed, and is no input', async () => {
    const headers = { authorization: '' };
    expect((await call('POST', '/api/events/webhook/x?token=all', { headers, body: '{}' })).status).toBe(200);
    expect((await call('POST', '/api/events/say?token=all', { headers, body: '{}' })).status).toBe(401);
    expect(JSON.stringify(server.lines)).not.toContain('token=');
  });
});

describe('paths', () => {
  test.each([
    ['/api/events/a/b/c', 'Not Found'],
    ['/api/nowhere', 'NOT_FOUND'],
    ['/v1/nowhere', 'RESOURCE_NOT_FOUND'],
    ['/nowhere', 'RESOURCE_NOT_FOUND'],
  ])('%s is unknown in its dialect', async (path, code) => {
    const { status, json, headers } = await call('GET', path);
    expect(status).toBe(404);
    expect(json.error.code ?? json.error).toBe(code);
    expect(headers.has('x-ratelimit-limit')).toBe(true);
  });
  test('another method', async () => {
    const { status, headers } = await call('DELETE', '/v1/numbers');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
  test('another method of a public page needs no credential', async () =>
    expect((await fetch(`${server.url}/livez`, { method: 'POST' })).status).toBe(405));
  test('HEAD is GET without body', async () => {
    const { status, text, headers } = await call('HEAD', '/v1/numbers');
    expect([status, text, headers.get('x-total-count')]).toEqual([200, '', '45']);
  });
});

describe('bodies', () => {
  test('every problem is told, with the field as written', async () => {
    const { status, json } = await post('/api/say', { severity: 'fatal', note: 'much too long', extra: 1 });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'severity', reason: 'expected one of critical, major; got "fatal"' },
      errors: [
        { field: 'severity', reason: 'expected one of critical, major; got "fatal"' },
        { field: 'note', reason: 'expected at most 9 characters; got 13' },
        { field: 'extra', reason: 'unknown field' },
      ],
    });
  });
  test('unknown fields are ignored on /api/events', async () =>
    expect((await post('/api/events/say', { severity: 'major', extra: 1 })).status).toBe(201));
  test.each([
    ['not JSON', '{"severity":', JSON_TYPE, 400],
    ['no content type', Buffer.from('{"severity":"major"}'), {}, 400],
    ['form', 'severity=major', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['nothing', '', JSON_TYPE, 400],
    [
      'JSON by another name',
      '{"severity":"major"}',
      { 'content-type': 'application/cloudevents+json; charset=utf-8' },
      201,
    ],
    ['byte order mark', '\ufeff{"severity":"major"}', JSON_TYPE, 201],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), JSON_TYPE, 400],
    ['1 MiB and a byte', `"${'x'.repeat(1024 * 1024 - 1)}"`, JSON_TYPE, 413],
    ['unknown encoding', '{}', { ...JSON_TYPE, 'content-encoding': 'br' }, 400],
    ['gzip', gzipSync('{"severity":"major"}'), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 201],
    [
      'broken gzip',
      gzipSync('{"severity":"major"}').subarray(0, 20),
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      400,
    ],
    ['no gzip', '{"severity":"major"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 400],
    ['zip bomb', gzipSync(Buffer.alloc(50_000_000)), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 413],
  ])('%s', async (_, body, headers, status) => {
    const reply = await call('POST', '/api/events/say', { body, headers });
    expect(reply.status).toBe(status);
    expect(reply.headers.has('x-ratelimit-limit')).toBe(true);
  });
  test('a chunked body over the limit is refused while it arrives', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(Buffer.alloc(65_536, 0x20));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...bearer(TOKEN) }, body: chunks, duplex: 'half' };
    expect((await fetch(`${server.url}/api/events/say`, init as RequestInit)).status).toBe(413);
  });
  test('any content type is read as JSON where that is allowed, else as text', async () => {
    const take = (body: string) =>
      call('POST', '/api/events/webhook/sns', { body, headers: { 'content-type': 'text/plain' } });
    expect((await take('{"a":[1]}')).json.body).toEqual({ a: [1] });
    expect((await take('PROBLEM host down')).json.body).toBe('PROBLEM host down');
    expect((await take('x'.repeat(2001))).status).toBe(413);
  });
  test('streams in and out', async () => {
    const { headers, text } = await call('POST', '/api/stream', { body: Buffer.alloc(2_000_000) });
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(text).toBe('event: progress\ndata: 2000000\n\nevent: complete\ndata: done\n\n');
  });
});

describe('a reader that hangs up', () => {
  test('midway in a download is no error', async () => {
    const hanging = new AbortController();
    const init = { method: 'GET', headers: { ...bearer(TOKEN), 'x-request-id': 'hung-up' }, signal: hanging.signal };
    const reply = await fetch(`${server.url}/api/endless`, init);
    await reply.body!.getReader().read();
    hanging.abort();
    const logged = () => server.lines.find(({ fields }) => fields.requestId === 'hung-up');
    await until(async () => logged() !== undefined);
    expect(logged()).toMatchObject({ level: 'info', fields: { status: 499 } });
  });
  test('is told from a download that fails', async () => {
    const failing = fetch(`${server.url}/api/endless?fails=true`, {
      headers: { ...bearer(TOKEN), 'x-request-id': 'failed' },
    });
    await expect(failing.then((reply) => reply.text())).rejects.toThrow();
    const logged = server.lines.filter(({ fields }) => fields.requestId === 'failed');
    expect(logged.map(({ level }) => level)).toEqual(['error', 'error']);
    expect(logged[1]!.fields.status).toBe(500);
  });
});

describe('a stream of events', () => {
  const init = (requestId: string) => ({
    headers: { ...bearer(TOKEN), 'x-request-id': requestId, 'accept-encoding': 'gzip' },
  });
  const first = async (response: Response) => new TextDecoder().decode((await response.body!.getReader().read()).value);
  const loggedAt = (at: TestServer, id: string) => at.lines.find(({ fields }) => fields.requestId === id);

  test('leaves at once, as it is, and is no slow request when it lasts', async () => {
    let now = 0;
    const at = await openTestServer(endpoints, { now: () => now });
    const hanging = new AbortController();
    const response = await fetch(`${at.url}/sse/sample`, { ...init('live'), signal: hanging.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await first(response)).toContain('retry: 3000');
    now = 3_600_000;
    hanging.abort();
    await until(async () => loggedAt(at, 'live') !== undefined);
    // A disconnected client needs no further messages.
    expect(loggedAt(at, 'live')).toMatchObject({ level: 'debug', fields: { status: 200, ms: 0 } });
    await at.close();
  });

  test('ends when the server stops, and outlives the time of a request', async () => {
    const at = await openTestServer(endpoints, { requestMs: 100 });
    const response = await fetch(`${at.url}/sse/sample`, init('stopped'));
    await new Promise((resolve) => setTimeout(resolve, 250));
    const cuts = await cutsOf(async () => {
      const drained = at.server.drain();
      expect(await response.text()).toContain('data: {"type":"begun"}');
      await drained;
    });
    expect(cuts).toBe(0);
    await at.close();
  });

  test('has no end for a HEAD', async () => expect((await call('HEAD', '/sse/sample')).status).toBe(200));
});

describe('queries', () => {
  test('an unknown parameter is answered with the known ones', async () => {
    const { status, json } = await call('GET', '/v1/numbers?pgae=2');
    expect(status).toBe(400);
    expect(json.error.details).toEqual([
      { field: 'pgae', error: 'unknown query parameter; known: page, limit, cursor' },
    ]);
  });
  test('an endpoint without parameters knows none', async () =>
    expect((await post('/api/say?x=1', { severity: 'major' })).json.error.details.reason).toContain('known: none'));
  test.each(['limit=101', 'page=0', 'limit=x', 'page=1&page=2', 'page=101&limit=100'])('%s', async (query) =>
    expect((await call('GET', `/v1/numbers?${query}`)).status).toBe(400),
  );
});

describe('pages', () => {
  test('/v1 has headers beside the body', async () => {
    const { json, headers } = await call('GET', '/v1/numbers?page=2');
    expect(json.pagination).toEqual({ page: 2, limit: 20, total: 45, pages: 3, nextCursor: null });
    expect(json.data).toHaveLength(20);
    expect(headers.get('x-total-pages')).toBe('3');
    expect(headers.get('link')).toContain('</v1/numbers?page=3>; rel="next"');
  });
  test('/api has the body only', async () => {
    const { json, headers } = await call('GET', '/api/numbers?page=3');
    expect(json).toMatchObject({ success: true, pagination: { page: 3, pages: 3 } });
    expect(headers.has('link')).toBe(false);
  });
  test('links and locations are absolute with a public URL', async () => {
    const at = await openTestServer(endpoints, { publicUrl: 'https://ops.example/' });
    const page = await call('GET', '/v1/numbers', { at });
    expect(page.headers.get('link')).toContain('<https://ops.example/v1/numbers?page=2>; rel="next"');
    expect((await post('/api/say', { severity: 'major' }, {}, at)).headers.get('location')).toBe(
      'https://ops.example/api/said/1',
    );
    await at.close();
  });
});

describe('errors', () => {
  test.each([
    ['busy', 'error'],
    ['wish', 'info'],
  ])('503 is logged as an error unless a wish alone was refused: %s', async (note, level) => {
    const { status, headers } = await post('/api/say', { severity: 'major', note });
    const requestId = headers.get('x-request-id');
    const logged = server.lines.filter(({ fields }) => fields.requestId === requestId);
    expect([status, logged.map((line) => line.level)]).toEqual([503, [level]]);
  });

  test('what was not meant to happen shows nothing and is logged with its request', async () => {
    const { status, text, headers } = await post('/api/say', { severity: 'major', note: 'crash' });
    expect(status).toBe(500);
    expect(text).not.toMatch(/SELECT|srv|\.ts/);
    const requestId = headers.get('x-request-id');
    const logged = server.lines.find(({ fields }) => fields.requestId === requestId && fields.err);
    expect(String(logged?.fields.err)).toContain('SELECT');
  });
  test('unavailable says when to try again', async () => {
    const { status, headers, json } = await post('/api/events/say', { severity: 'major', note: 'busy' });
    expect([status, headers.get('retry-after'), json.retryAfter]).toEqual([503, '5', '2026-11-20T10:00:05.000Z']);
  });
  test('members of a fault are shown', async () => {
    const { status, json } = await post('/api/events/say', { severity: 'major', note: 'conflict' });
    expect([status, json.conflictingEventId]).toEqual([409, 'EVT-1']);
  });
  test('a reply that does not keep its schema is an error in tests', async () =>
    expect((await post('/api/say', { severity: 'major', note: 'lie' })).status).toBe(500));
  test('a deprecated mount says so, with errors too', async () => {
    const { headers } = await post('/api/ask/1', {});
    expect(headers.get('x-api-deprecation-date')).toBe('2026-01-31T00:00:00Z');
    expect(headers.get('x-api-deprecation-info')).toBe('/docs');
    expect(headers.get('deprecation')).toBe('@1769817600');
    expect(headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
  });
});

/** Returns the reply to these bytes, whether they are HTTP or not. */
function bytes(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let reply = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    reply += chunk;
  });
  socket.once('close', () => resolve(reply));
  return promise;
}

describe('what is not HTTP', () => {
  test.each([
    ['hello\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n', 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ])('%.40s is answered with %i and a request id', async (text, status) => {
    const [head = '', body = ''] = (await bytes(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { error } = JSON.parse(body);
    expect(head).toContain(`X-Request-ID: ${error.request_id}`);
    expect(error.code).toBe('VALIDATION_ERROR');
  });
});

test('HTTP/1.1 without a host is refused as everything is; an expectation that nobody knows is left unmet', async () => {
  const ask = (version: string, headers: string) =>
    bytes(`GET /livez HTTP/${version}\r\n${headers}Connection: close\r\n\r\n`);
  const refused = await ask('1.1', '');
  expect(refused).toMatch(/^HTTP\/1.1 400 [\s\S]*X-Request-ID: [\s\S]*Host/);
  for (const [version, headers] of [
    ['1.0', ''],
    ['1.1', 'Host: a\r\nExpect: miracles\r\n'],
  ] as const)
    expect(await ask(version, headers)).toMatch(/^HTTP\/1.1 200 [\s\S]*X-Request-ID: /);
});

describe('limits', () => {
  test('the fourth of three is refused, with errors counted and 401s not', async () => {
    const at = await openTestServer(endpoints);
    const feed = bearer('feed');
    const remaining = async (body: unknown) =>
      (await post('/api/events/say', body, feed, at)).headers.get('x-ratelimit-remaining');
    expect(await remaining({ severity: 'major' })).toBe('2');
    await post('/api/events/say', {}, bearer('wrong'), at);
    expect(await remaining({ bad: 1 })).toBe('1');
    expect(await remaining({ severity: 'major' })).toBe('0');
    const refused = await post('/api/events/say', { severity: 'major' }, feed, at);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Date.parse(refused.json.retryAfter)).toBeGreaterThan(at.clock.now());
    await at.close();
  });
  test('scale 0 turns limits and headers off', async () => {
    const at = await openTestServer(endpoints, { limits: { scale: 0 } });
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await post('/api/events/say', { severity: 'major' }, bearer('feed'), at);
      expect([status, headers.has('x-ratelimit-limit')]).toEqual([201, false]);
    }
    await at.close();
  });
  test('requests pass when the counters cannot be reached', async () => {
    const at = await openTestServer(endpoints);
    at.ports.limiter.take = async () => {
      throw new Error('connection refused');
    };
    expect((await call('GET', '/v1/numbers', { at })).status).toBe(200);
    await at.close();
  });
});

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });
  const word = { severity: 'major' };

  test('a repetition gets the stored reply', async () => {
    const first = await post('/api/say', word, key('k1'));
    const second = await post('/api/say', word, key('k1'));
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe('/api/said/1');
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    expect(said).toHaveLength(1);
  });
  test('another body is refused', async () => {
    await post('/api/say', word, key('k2'));
    expect((await post('/api/say', { severity: 'critical' }, key('k2'))).status).toBe(422);
  });
  test('another endpoint has keys of its own', async () => {
    await post('/api/say', word, key('k3'));
    expect((await post('/api/ask/1', word, key('k3'))).status).toBe(200);
  });
  test('a failure frees the key', async () => {
    for (let i = 0; i < 2; i++) expect((await post('/api/say', { ...word, note: 'busy' }, key('k4'))).status).toBe(503);
    expect(said).toHaveLength(2);
  });
  test('while the first runs the second is refused; a lease ends after 60 s', async () => {
    const { entered, open, lift } = hold();
    const first = post('/api/say', word, key('k5'));
    // A first request that is refused ends the wait too.
    await Promise.race([entered, first]);
    expect((await post('/api/say', word, key('k5'))).status).toBe(409);
    lift();
    server.clock.advance(60_000);
    expect((await post('/api/say', word, key('k5'))).status).toBe(201);
    open();
    expect((await first).status).toBe(201);
  });
  test('after 24 h the key is free', async () => {
    await post('/api/say', word, key('k6'));
    server.clock.advance(24 * 60 * 60_000);
    expect((await post('/api/say', word, key('k6'))).headers.has('idempotency-replayed')).toBe(false);
  });
  test.each(['', 'x'.repeat(256)])('a bad key is refused: %s', async (bad) =>
    expect((await post('/api/say', word, key(bad))).status).toBe(400),
  );
});

describe('operation pages', () => {
  const get = (path: string, at = server) => fetch(at.url + path);
  test('alive and ready', async () => {
    expect(await (await get('/livez')).json()).toEqual({ status: 'alive' });
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' });
    expect(await (await get('/readyz?verbose')).json()).toMatchObject({ checks: [{ name: 'store', ok: true }] });
  });
  test('not ready is 503', async () => {
    const at = await openTestServer(endpoints, { health: async () => ({ ready: false, checks: [] }) });
    expect((await get('/readyz', at)).status).toBe(503);
    await at.close();
  });
  test('metrics label the template, not the path', async () => {
    await call('POST', '/api/ask/s3cr3t-id');
    const text = await (await get('/metrics')).text();
    expect(text).toContain(
      'faultline_http_request_duration_seconds_count{route="/api/ask/{id}",method="POST",status="400"}',
    );
    expect(text).not.toContain('s3cr3t-id');
  });
  test('the reading page loads from here only', async () => {
    const response = await get('/docs');
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(html).not.toMatch(/https?:|<script>/);
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      // Relative, so that it works below a sub-path of a proxy.
      expect(address).not.toMatch(/^\//);
      const asset = await fetch(new URL(address as string, response.url));
      expect(asset.status).toBe(200);
      await asset.arrayBuffer();
    }
  });
});

describe('origins', () => {
  test('only those on the list are allowed', async () => {
    const at = await openTestServer(endpoints, { cors: ['https://ui.example'] });
    const ask = (origin: string, method = 'GET') => call(method, '/v1/numbers', { headers: { origin }, at });
    expect((await ask('https://ui.example')).headers.get('access-control-allow-origin')).toBe('https://ui.example');
    expect((await ask('https://evil.example')).headers.has('access-control-allow-origin')).toBe(false);
    const preflight = await ask('https://ui.example', 'OPTIONS');
    expect([preflight.status, preflight.headers.get('x-request-id')]).toEqual([204, expect.stringMatching(/^\w{26}$/)]);
    await at.close();
  });
});

describe('stopping', () => {
  test('a request in flight is answered, and nothing new is taken', async () => {
    const at = await openTestServer(endpoints);
    const { entered, open, lift } = hold();
    const running = post('/api/say', { severity: 'major' }, {}, at);
    await Promise.race([entered, running]);
    lift();
    const drained = at.server.drain();
    await expect(fetch(`${at.url}/livez`, { headers: { connection: 'close' } })).rejects.toThrow();
    const cuts = await cutsOf(async () => {
      open();
      expect((await running).status).toBe(201);
      await drained;
    });
    // The connection kept alive by the reply is closed, not awaited.
    expect(cuts).toBe(0);
    await at.close();
  });

  test('a connection on which nothing was asked, as browsers keep some ready, is not waited for', async () => {
    const at = await openTestServer(endpoints);
    const unused = connect(Number(new URL(at.url).port), '127.0.0.1');
    const ended = new Promise((resolve) => unused.once('close', resolve));
    await new Promise((resolve) => unused.once('connect', resolve));
    // The server has it, too.
    await fetch(`${at.url}/livez`);
    const cuts = await cutsOf(async () => {
      await at.server.drain();
      await ended;
    });
    expect(cuts).toBe(0);
    await at.close();
  });

  test('a caller that hangs up in the middle of a body leaves the server well', async () => {
    const { port } = new URL(server.url);
    const headers = { ...JSON_TYPE, ...bearer(TOKEN), 'content-length': 100 };
    const request = httpRequest({ port, path: '/api/say', method: 'POST', headers });
    request.on('error', () => {});
    request.write('{"severity"');
    await new Promise((done) => setImmediate(done));
    request.destroy();
    expect((await call('GET', '/v1/numbers')).status).toBe(200);
  });
});

describe('time', () => {
  const stuck = { never: new Promise<string>(() => {}), heard: [] as string[] };
  const ended = Promise.withResolvers<void>();
  const stuckOn = (surface: SurfaceName, path: string, more: Partial<AnyEndpoint> = {}): AnyEndpoint =>
    endpoint<string, string>({
      id: `stuck-${path}`,
      summary: 'Takes its time',
      tag: 'Test',
      permission: null,
      limit: 'none',
      ...more,
      mounts: [
        mount({
          on: surface,
          method: 'get',
          path,
          reply: z.any(),
          read: () => '',
          present: (text: string) => ({ body: { text } }),
        }),
      ],
      handle: async (_, { ports: { deadline } }) => {
        if (more.takesLong !== true) await new Promise((resolve) => setTimeout(resolve, 300));
        stuck.heard.push(`${path} ${deadline.left()}`);
        ended.resolve();
        return 'done';
      },
    });

  test('a request that takes too long is answered in the dialect of its surface, and is left nothing', async () => {
    const slow = await openTestServer(
      [stuckOn('v1', '/stuck'), stuckOn('platform', '/stuck-too'), stuckOn('v1', '/long', { takesLong: true })],
      { requestMs: 60 },
    );
    try {
      const reply = await call('GET', '/v1/stuck', { at: slow });
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
      expect(reply.json.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'Request timed out' });
      const other = await call('GET', '/api/stuck-too', { at: slow });
      expect([other.status, other.json.success]).toEqual([503, false]);
      await ended.promise;
      expect(stuck.heard).toContain('/stuck 0');
      expect((await call('GET', '/v1/long', { at: slow })).status).toBe(200);
      expect(stuck.heard).toContain('/long Infinity');
    } finally {
      await slow.close();
    }
  });

  test('a request with events and a key ends in time though the store does not answer', async () => {
    const says = endpoint<string, string>({
      id: 'says',
      summary: 'Takes events',
      tag: 'Test',
      permission: 'events.ingest',
      limit: 'ingest',
      mounts: [
        on.v1.post('/says', { reply: z.any(), read: () => '', present: (text: string) => ({ body: { text } }) }),
      ],
      handle: async () => 'done',
    });
    const at = await openTestServer([says], { requestMs: 60 });
    const asked: string[] = [];
    const never = (name: string) => () => {
      asked.push(name);
      return new Promise(() => {});
    };
    at.ports.records = new Proxy(at.ports.records, { get: (_, name) => never(String(name)) });
    try {
      const reply = await call('POST', '/v1/says', { at, headers: { 'idempotency-key': 'once' } });
      expect([reply.status, reply.json.error.message]).toEqual([503, 'Request timed out']);
      expect(asked).not.toEqual([]);
    } finally {
      await at.close();
    }
  });
});
