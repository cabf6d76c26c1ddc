import { describe, expect, test } from '@jest/globals';
import { type Bearer, openCall } from './call.ts';
import { isProblem } from './problem.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** Answers in turn, and records the requests. */
const answering = (...answers: readonly (Response | Error)[]) => {
  const sent: Sent[] = [];
  const left = [...answers];
  const send = (async (url: string, init: Sent['init']) => {
    sent.push({ url, init });
    const answer = left.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
    return answer;
  }) as unknown as typeof fetch;
  return { sent, send };
};

const TOKENS = ['one', 'two', 'three'];
const bearing = (renews = true) => {
  const told: string[] = [];
  const bearer: Bearer = {
    token: () => (told.includes('ended') && !told.includes('signed in') ? null : (TOKENS[told.length] ?? null)),
    async renew(refused) {
      told.push(renews ? `renewed after ${refused}` : 'ended');
      return renews;
    },
    async signedIn() {
      told.push('signed in');
    },
  };
  return { told, bearer };
};

const opened = (answers: readonly (Response | Error)[], renews?: boolean, tenant: string | null = null) => {
  const { sent, send } = answering(...answers);
  const { told, bearer } = bearing(renews);
  const numbers = ['r1', 'r2'];
  const call = openCall({
    root: 'http://h/x/',
    bearer,
    tenant: () => tenant,
    now: () => 0,
    randomId: () => numbers.shift() ?? 'r',
    fetch: send,
  });
  return { call, sent, told };
};

describe('a call', () => {
  test('goes below the root, with the bearer and an id of its own', async () => {
    const { call, sent } = opened([json({ ok: 1 })]);
    expect(await call('GET /api/events/{eventId}', { params: { eventId: 'E' }, query: { view: 'row' } })).toEqual({
      ok: 1,
    });
    expect(sent[0]).toMatchObject({ url: 'http://h/x/api/events/E?view=row', init: { method: 'GET' } });
    expect(sent[0]?.init.headers).toEqual({
      Accept: 'application/json',
      Authorization: 'Bearer one',
      'X-Request-ID': 'r1',
    });
  });

  test('shows what would turn the direction of a text, and sends what was meant', async () => {
    const { call, sent } = opened([json({ title: 'evil\u202edesrever' }), json({})]);
    const reply = await call<{ title: string }>('GET /api/events');
    expect(reply).toEqual({ title: 'evil‹U+202E›desrever' });
    await call('PATCH /api/cmdb/ci/{id}', { params: { id: reply.title }, query: { host: reply.title }, body: reply });
    const address = new URL(sent[1]!.url);
    expect(decodeURIComponent(address.pathname)).toBe('/x/api/cmdb/ci/evil\u202edesrever');
    expect(address.searchParams.get('host')).toBe('evil\u202edesrever');
    expect(JSON.parse(String(sent[1]!.init.body))).toEqual({ title: 'evil\u202edesrever' });
  });

  test('that changes something says which version it has read, and counts once', async () => {
    const { call, sent } = opened([json({}), json({}, 200, { etag: '"7"' })]);
    await call('POST /api/events/status', { body: { status: 'open' }, etag: '"6"', idempotencyKey: 'k' });
    expect(sent[0]?.init).toMatchObject({
      body: '{"status":"open"}',
      headers: { 'If-Match': '"6"', 'Idempotency-Key': 'k' },
    });
    expect(await call.whole('POST /api/events/status')).toEqual({ body: {}, etag: '"7"' });
    expect(sent[1]?.init.headers['Idempotency-Key']).toBe('r2');
  });
});

test('a call of another tenant names it', async () => {
  const { call, sent } = opened([json({})], true, 'demo-1');
  await call('GET /api/me');
  expect(sent[0]?.init.headers['X-Tenant-ID']).toBe('demo-1');
});

describe('a refused token', () => {
  test('is renewed once, and the same request sent again', async () => {
    const { call, sent, told } = opened([json({}, 401), json({ ok: 1 })]);
    expect(await call('POST /api/events/status', { body: { a: 1 } })).toEqual({ ok: 1 });
    expect(told).toEqual(['renewed after one']);
    expect(sent.map(({ init }) => init.headers.Authorization)).toEqual(['Bearer one', 'Bearer two']);
    expect(sent[1]?.init).toMatchObject({ body: '{"a":1}', headers: { 'Idempotency-Key': 'r1' } });
  });

  test('that cannot be renewed waits for a person', async () => {
    const { call, told } = opened([json({}, 401), json({ ok: 1 })], false);
    expect(await call('GET /api/me')).toEqual({ ok: 1 });
    expect(told).toEqual(['ended', 'signed in']);
  });

  test('is not tried without end', async () => {
    const { call, sent } = opened([json({}, 401), json({}, 401), json({}, 401)]);
    await expect(call('GET /api/me')).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(3);
  });
});

describe('a failure', () => {
  test('has status, request id and the wait', async () => {
    const { call } = opened([json({ message: 'slow down' }, 429, { 'retry-after': '3', 'x-request-id': 'abc' })]);
    const error = await call('GET /api/events').catch((caught: unknown) => caught);
    expect(isProblem(error, 429)).toBe(true);
    expect(error).toMatchObject({ message: 'slow down', retryAfterMs: 3_000, requestId: 'abc' });
  });

  test('without an answer says so', async () => {
    const { call } = opened([new TypeError('Failed to fetch')]);
    await expect(call('GET /api/events')).rejects.toMatchObject({
      status: 0,
      message: "Can't reach the server. Check your network connection.",
    });
  });

  test('that the caller wanted is left as it is', async () => {
    const ended = AbortSignal.abort(new Error('left the page'));
    const { call } = opened([new Error('left the page')]);
    const error = await call('GET /api/events', { signal: ended }).catch((caught: unknown) => caught);
    expect(isProblem(error)).toBe(false);
  });
});
