import { describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests({ FAULTLINE_LIMIT_SCALE: '1' });

const MINUTE = 60_000;
const event = { source: 's', sourceId: '1', severity: 'info', title: 'Still here', hostname: 'h' };

/** Sends until refused; returns the number of accepted requests, and the refusal. */
const untilRefused = async (token: string, method: string, path: string, body?: unknown) => {
  for (let taken = 0; taken <= 1_100; taken++) {
    const reply = await app.send(method, path, body, { token });
    if (reply.status === 429) return { taken, reply };
    if (reply.status > 299) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  }
  throw new Error('never refused');
};

const limit = (tenantToken: string, limits: object) =>
  app.send('PUT', '/api/admin/limits', limits, { token: tenantToken });

test('the 101st event of a minute waits, and is told until when', async () => {
  const token = await app.tenant('ingest');
  const first = await app.send('POST', '/api/events/ingest', event, { token });
  expect(first.headers.get('x-ratelimit-limit')).toBe('100');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('99');
  const { taken, reply } = await untilRefused(token, 'POST', '/api/events/ingest', event);
  expect(taken).toBe(99);
  const resetAt = Number(reply.headers.get('x-ratelimit-reset')) * 1_000;
  const left = resetAt - app.clock.now();
  expect(left).toBeLessThanOrEqual(MINUTE);
  expect(left).toBeGreaterThan(MINUTE / 2);
  expect(reply.body).toMatchObject({
    success: false,
    error: 'Too Many Requests',
    retryAfter: new Date(resetAt).toISOString(),
  });
  expect(reply.headers.get('retry-after')).toBe(String(left / 1_000));
  expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
  const other = await app.tenant('ingest-other');
  expect((await app.send('POST', '/api/events/ingest', event, { token: other })).status).toBe(201);
});

test('ten bulks, a hundred queries, each counted by itself', async () => {
  const token = await app.tenant('classes');
  const bulk = await untilRefused(token, 'POST', '/api/events/bulk-ingest', { events: [event] });
  const query = await untilRefused(token, 'GET', '/api/events');
  expect([bulk.taken, query.taken]).toEqual([10, 100]);
  expect((await app.send('POST', '/api/events/ingest', event, { token })).status).toBe(200);
});

test('a tenant and a token may have numbers of their own; the token wins', async () => {
  const admin = await app.tenant('feeds');
  expect((await limit(admin, { ingest: 3, query: 2 })).status).toBe(200);
  const made = await app.send(
    'POST',
    '/api/admin/tokens',
    { name: 'feed', role: 'ingest', limits: { ingest: 5 } },
    { token: admin },
  );
  const feed = await untilRefused(made.body.data.token, 'POST', '/api/events/ingest', event);
  const plain = await untilRefused(admin, 'POST', '/api/events/ingest', event);
  expect([feed.taken, plain.taken]).toEqual([5, 3]);
  expect(feed.reply.headers.get('x-ratelimit-limit')).toBe('5');
});

/** A credential of each kind that /v1 distinguishes, of a tenant of its own. */
const credentials = async (tenant: string, role = 'viewer') => {
  const admin = await app.tenant(tenant);
  const made = async (path: string, body: object) =>
    (await app.send('POST', path, body, { token: admin })).body.data.token as string;
  const person = { username: 'ann', role, password: 'a long enough password' };
  await app.send('POST', '/api/admin/users', person, { token: admin });
  const login = { username: person.username, password: person.password, tenant };
  const { data } = (await app.send('POST', '/api/auth/login', login, { token: null })).body;
  return {
    'API key': await made('/api/admin/tokens', { name: 'x', role: 'viewer' }),
    ...(isThere('discovery.tokens.create') && {
      'discovery token': await made('/api/discovery/tokens', { name: 'x' }),
    }),
    user: data.token as string,
    'service account': await made('/api/admin/tokens', { name: 'x', role: 'viewer', kind: 'service_account' }),
  };
};

/** Each may read one of these lists. */
const listFor = (kind: string): string => (kind === 'discovery token' ? '/discovery/scans' : '/cmdb/relationships');

describe('/v1 counts by the kind of credential', () => {
  test.each([
    ['API key', 100],
    ...(isThere('discovery.tokens.create') ? ([['discovery token', 100]] as const) : []),
    ['user', 500],
    ['service account', 1_000],
  ] as const)('%s: %d a minute, whatever the class', async (kind, perMinute) => {
    const token = (await credentials(`v1-${perMinute}-${kind.length}`))[kind]!;
    const path = `/v1${listFor(kind)}`;
    const first = await app.send('GET', path, undefined, { token });
    expect([first.status, first.headers.get('x-ratelimit-limit')]).toEqual([200, String(perMinute)]);
    const burst = await untilRefused(token, 'GET', path);
    expect(burst.taken).toBe(perMinute - 1);
    expect(burst.reply.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(burst.reply.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  });

  test('what is set for a tenant or a token goes before that', async () => {
    const admin = await app.tenant('v1-own');
    await limit(admin, { standard: 4 });
    const own = { name: 'x', role: 'viewer', kind: 'service_account', limits: { standard: 6 } };
    const made = await app.send('POST', '/api/admin/tokens', own, { token: admin });
    for (const [token, taken] of [
      [admin, 4],
      [made.body.data.token, 6],
    ] as const)
      expect((await untilRefused(token, 'GET', '/v1/cmdb/ci')).taken).toBe(taken);
  });
});

test('/api counts by class: a hundred a minute, and five hundred for a user who reads', async () => {
  for (const [kind, token] of Object.entries(await credentials('api'))) {
    const perMinute = kind === 'user' ? 500 : 100;
    expect([kind, (await untilRefused(token!, 'GET', `/api${listFor(kind)}`)).taken]).toEqual([kind, perMinute]);
  }
});

test('a person acknowledges sixty times a minute, group by group or all members of one', async () => {
  const { user: token } = await credentials('acknowledge', 'operator');
  const ids = ['COR-1-none'];
  const acknowledge = () => app.send('POST', '/api/events/groups/acknowledge', { ids }, { token });
  const setStatus = () =>
    app.send('POST', '/api/events/status', { correlationId: ids[0], status: 'acknowledged' }, { token });
  for (let i = 0; i < 60; i++) expect((await acknowledge()).status).toBe(200);
  for (let i = 0; i < 60; i++) expect((await setStatus()).status).toBe(404);
});

test('what is not known to us is not counted', async () => {
  for (let n = 0; n < 105; n++)
    expect((await app.send('GET', '/api/events', undefined, { token: 'flt_nobody' })).status).toBe(401);
});

describe('a refusal says class, number, unit and the way out', () => {
  const spent = async (tenant: string, path: string, method = 'GET', body?: unknown) =>
    (await untilRefused(await app.tenant(tenant), method, path, body)).reply.body;
  const raise = 'PUT /api/admin/limits';

  test('of events', async () => {
    const reply = await spent('told-events', '/api/events/ingest', 'POST', event);
    expect(reply).toMatchObject({ class: 'ingest', limit: 100, per: 'minute' });
    expect(reply.message).toMatch(/100 per minute, class ingest.*bulk-ingest.*PUT/);
    expect(reply.hints.at(-1)).toContain(raise);
  });

  test('of /api and /v1', async () => {
    const platform = (await spent('told-api', '/api/cmdb/relationships')).error;
    expect(platform.details).toMatchObject({ class: 'standard', limit: 100, per: 'minute' });
    expect(platform.message).toContain(raise);
    const v1 = (await spent('told-v1', '/v1/cmdb/relationships')).error;
    expect(v1).toMatchObject({ class: 'api_key', limit: 100, per: 'minute', code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('and the limits can be read and raised when the minute is spent', async () => {
    const token = await app.tenant('told-limits');
    await limit(token, { standard: 2 });
    await untilRefused(token, 'GET', '/api/cmdb/relationships');
    const shown = await app.send('GET', '/api/admin/limits', undefined, { token });
    expect(shown.body.data).toMatchObject({
      effective: {
        standard: { limit: 2, per: 'minute', counted_by: 'credential' },
        ingest: { limit: 100 },
        ai: { counted_by: 'tenant' },
      },
      v1: { jwt: { minute: 500, hour: 5_000 } },
      overrides: { standard: 2 },
      defaults: { standard: 100, bulk: 10 },
      scale: 1,
    });
    expect((await limit(token, { standard: null })).body.data.effective.standard.limit).toBe(100);
    expect((await app.send('GET', '/api/cmdb/relationships', undefined, { token })).status).toBe(200);
  });

  test('and is counted by class', async () => {
    const { body } = await app.send('GET', '/metrics', undefined, { token: null });
    expect(body).toMatch(/^faultline_requests_limited_total\{class="ingest",reason="minute"\} [1-9]/m);
    expect(body).toMatch(/^faultline_requests_limited_total\{class="webhook",reason="minute"\} 0$/m);
  });
});
