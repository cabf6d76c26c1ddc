import { describe, expect, test } from '@jest/globals';
import { ROLES } from '#domain/access/permissions.ts';
import { KNOWN_WEBHOOKS } from '#features/webhooks/use-cases/known-webhooks.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const HOOK = { name: 'Chat', url: 'https://hooks.example/T1/secret-path', events: ['event.created'] };
const KEY = { 'X-Api-Key': 'a value nobody sees' };
const SURFACES = ['/v1', '/api'] as const;
const HOUR = 3_600_000;

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '10.20.0.0/16' });
let token: string;
let serial = 0;

describe.each(SURFACES)('webhooks on %s', (prefix) => {
  const of = (body: { data?: unknown }) => (prefix === '/v1' ? body : body.data) as Record<string, unknown>;
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.send(method, `${prefix}/webhooks${path}`, body, { token, headers });
  const created = async (more: object = {}) => of((await send('POST', '', { ...HOOK, ...more })).body);
  const fresh = async (): Promise<void> => {
    token = await app.tenant(`tenant-${++serial}`);
  };

  test('one is registered, and its secret is shown once', async () => {
    await fresh();
    const reply = await send('POST', '', { ...HOOK, headers: KEY, filter: { minSeverity: 'major', tags: ['night'] } });
    expect(reply.status).toBe(201);
    const webhook = of(reply.body);
    expect(reply.headers.get('location')).toBe(`${prefix}/webhooks/${webhook.id}`);
    expect(webhook).toMatchObject({
      ...HOOK,
      id: expect.stringMatching(/^WHK-[0-9A-Z]{26}$/),
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{44}$/),
      headers: { 'X-Api-Key': '…' },
      active: true,
      inactive_reason: null,
      format: 'standard',
      filter: { minSeverity: 'major', tags: ['night'] },
      created_at: '2026-11-20T10:00:00.000Z',
    });
    const got = await send('GET', `/${webhook.id}`);
    const listed = await send('GET', '');
    expect(of(got.body)).toMatchObject({ id: webhook.id, secret_hint: `whsec_…${String(webhook.secret).slice(-4)}` });
    const audit = await app.send('GET', '/api/admin/audit', undefined, { token });
    expect(JSON.stringify(audit.body)).toContain('webhook.created');
    for (const { body } of [got, listed, audit]) {
      expect(JSON.stringify(body)).not.toContain(webhook.secret);
      expect(JSON.stringify(body)).not.toContain(KEY['X-Api-Key']);
    }
    expect(JSON.stringify(audit.body)).not.toContain('secret-path');
  });

  test('the address of a chat is a secret that nobody reads again, and that a change keeps', async () => {
    await fresh();
    const { id, ...made } = await created({ format: 'slack' });
    const shown = 'https://hooks.example/…path';
    expect(made.url).toBe(shown);
    const change = { name: 'Night', url: shown, format: 'slack', events: HOOK.events };
    const replies = [
      await send('PUT', `/${id}`, change),
      await send('GET', `/${id}`),
      await send('POST', `/${id}/rotate-secret`, {}),
      await send('POST', `/${id}/resume`, {}),
    ];
    expect(replies.map(({ status, body }) => [status, of(body).url])).toEqual(replies.map(() => [200, shown]));
    const stored = await app.app.ports.records.get<{ url: string }>(`tenant-${serial}`, 'webhook', String(id));
    expect(stored?.body.url).toBe(HOOK.url);
    const all = [...replies, await send('GET', ''), await app.send('GET', '/api/admin/audit', undefined, { token })];
    for (const { body } of all) expect(JSON.stringify(body)).not.toContain('secret-');
    const refused = [
      await send('PUT', `/${id}`, { ...change, format: 'standard' }),
      await send('PUT', `/${id}`, { ...change, url: 'https://hooks.example/…else' }),
      await send('POST', '', { ...change, name: 'other' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test('the list has pages', async () => {
    await fresh();
    for (const name of ['a', 'b', 'c']) await created({ name });
    const page = (await send('GET', '?limit=2&page=2')).body;
    expect(page.data.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(page.pagination).toMatchObject({ page: 2, limit: 2, total: 3 });
  });

  test('a name is taken once, and again after its webhook is gone', async () => {
    await fresh();
    const { id } = await created();
    expect((await send('POST', '', { ...HOOK, name: ' CHAT ' })).status).toBe(409);
    const other = await created({ name: 'Other' });
    expect((await send('PUT', `/${other.id}`, HOOK)).status).toBe(409);
    expect((await send('DELETE', `/${id}`)).status).toBe(200);
    expect((await send('DELETE', `/${id}`)).status).toBe(404);
    expect((await send('PUT', `/${other.id}`, HOOK)).status).toBe(200);
  });

  test('a tenant has at most 20', async () => {
    await fresh();
    for (let n = 0; n < 20; n += 1) await created({ name: `n${n}` });
    const reply = await send('POST', '', HOOK);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([
      409,
      expect.stringContaining('Limit reached: 20 webhooks'),
    ]);
  });

  test('a replacement replaces everything but secret and unnamed headers', async () => {
    await fresh();
    const before = await created({ headers: KEY, filter: { onlyCauses: true }, active: false });
    const reply = await send('PUT', `/${before.id}`, { ...HOOK, events: ['*'] });
    const { id, secret_hint, created_at } = before;
    expect(of(reply.body)).toMatchObject({ id, secret_hint, created_at, events: ['*'], filter: null, active: true });
    expect(of(reply.body)).toMatchObject({ headers: { 'X-Api-Key': '…' } });
    expect(of((await send('PUT', `/${id}`, { ...HOOK, headers: {} })).body)).toMatchObject({ headers: {} });
    const tag = reply.headers.get('etag')!;
    expect((await send('PUT', `/${id}`, { ...HOOK, name: 'New' }, { 'if-match': tag })).status).toBe(412);
    expect((await send('DELETE', `/${id}`, undefined, { 'if-match': tag })).status).toBe(412);
  });

  test('a new secret is shown once, and the one before it lasts for the grace', async () => {
    await fresh();
    const before = await created();
    const reply = of((await send('POST', `/${before.id}/rotate-secret`, { grace: '2h' })).body);
    expect(reply.secret).toMatch(/^whsec_/);
    expect(reply.secret).not.toBe(before.secret);
    const until = new Date(app.clock.now() + 2 * HOUR).toISOString();
    expect(of((await send('GET', `/${before.id}`)).body)).toMatchObject({ earlier_secret_until: until });
    const stored = await app.app.ports.memory.of(KNOWN_WEBHOOKS).of(`tenant-${serial}`, app.clock.now());
    expect(stored[0]!.secrets.map(({ value }) => value)).toEqual([reply.secret, before.secret]);
    expect(of((await send('POST', `/${before.id}/rotate-secret`, { grace: '0h' })).body)).toMatchObject({
      earlier_secret_until: null,
    });
    expect((await send('POST', `/${before.id}/rotate-secret`, { grace: '8d' })).status).toBe(400);
  });

  test('a repeated request under an Idempotency-Key makes one webhook and shows its secret once', async () => {
    await fresh();
    const key = { 'idempotency-key': 'once' };
    const [first, second] = [await send('POST', '', HOOK, key), await send('POST', '', HOOK, key)];
    expect(of(second.body)).toMatchObject({ id: of(first.body).id, secret: null });
  });

  test.each([
    ['no http address', { url: 'ftp://example.com' }, 'url'],
    ['a user name in the address', { url: 'https://me@example.com' }, 'url'],
    ['an address within the network', { url: 'http://169.254.169.254/' }, 'url'],
    ['the same in other words', { url: 'http://0xa9fea9fe/' }, 'url'],
    ['no kind', { events: [] }, 'events'],
    ['an unknown kind', { events: ['event.vanished'] }, 'events[0]'],
    ['a kind that is a test', { events: ['webhook.test'] }, 'events[0]'],
    ['21 kinds', { events: Array.from({ length: 21 }, () => '*') }, 'events'],
    ['a header of the connection', { headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
    ['the host', { headers: { host: 'x' } }, 'headers.host'],
    ['the content type', { headers: { 'content-type': 'text/plain' } }, 'headers.content-type'],
    ['a signature', { headers: { 'Webhook-Signature': 'v1,x' } }, 'headers.Webhook-Signature'],
    ['a header of two lines', { headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
    ['a header that was read and sent back', { headers: { 'X-A': '…' } }, 'headers.X-A'],
    ['a header twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers.x-a'],
    ['21 headers', { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])) }, 'headers'],
    ['an unknown format', { format: 'telegram' }, 'format'],
    ['PagerDuty without its key', { format: 'pagerduty' }, 'headers'],
    ['an unknown filter', { filter: { severity: 'major' } }, 'filter'],
    ['an unknown field', { secret: 'mine' }, 'secret'],
  ])('refused, naming the field: %s', async (_name, more, field) => {
    await fresh();
    const reply = await send('POST', '', { ...HOOK, ...more });
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(field)]);
  });

  test('a network that the operator allows may be called', async () => {
    await fresh();
    expect((await send('POST', '', { ...HOOK, url: 'http://10.20.1.1/x' })).status).toBe(201);
    expect((await send('POST', '', { ...HOOK, name: 'b', url: 'http://10.21.1.1/x' })).status).toBe(400);
  });

  test.each(ROLES)('role %s', async (role) => {
    const may = role === 'admin' || role === 'platform-admin';
    token = role === 'platform-admin' ? '' : await app.tenant(`role-${++serial}`, role);
    const options = token === '' ? {} : { token };
    const reply = await app.send('GET', `${prefix}/webhooks`, undefined, options);
    expect(reply.status).toBe(may ? 200 : 403);
  });
});

test('a deleted tenant takes its webhooks along', async () => {
  token = await app.tenant('leaving');
  const { body } = await app.send('POST', '/v1/webhooks', HOOK, { token });
  await app.app.ports.tenants.purge('leaving', () => false);
  expect(await app.app.ports.records.get('leaving', 'webhook', body.id)).toBeNull();
  expect(await app.app.ports.records.list('leaving', 'webhook-name', { limit: 1 })).toEqual([]);
});
