import { beforeAll, expect, test } from '@jest/globals';
import { emptyTenants, FREE_AFTER_MS, LET_GO_MS } from '#application/tenants/empty-tenants.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { TEAM_KINDS } from '#domain/access/team.ts';
import { brought } from '#test/setup/brought.ts';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { ownedRecords } from '#whole';

/* One tenant of two that have the same data is deleted. The tests depend on their order. */

const TAKEN = 8 * 24 * 3_600_000;
const MINUTE = 60_000;
const PASSWORD = 'a long enough password';
const PAGE = { order: 'asc', limit: 100 } as const;
const SYSTEM = '_system';

const app = appOfTests();
const tokens: Record<string, string> = {};
let refreshToken: string;
let jwt: string;

const admin = (method: string, path: string, body?: unknown, headers = {}) =>
  app.send(method, `/api/admin${path}`, body, { headers });
const state = async (id: string): Promise<string | number> => {
  const { status, body } = await admin('GET', `/tenants/${id}`);
  return status === 200 ? body.data.state : status;
};
const round = () => emptyTenants({ ports: app.app.ports, takenMs: TAKEN, isStopping: () => false });
const sender = (id: string) => async (method: string, path: string, body?: unknown) => {
  const reply = await app.send(method, path, body, { token: tokens[id] as string });
  if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const login = (id: string) =>
  app.send('POST', '/api/auth/login', { username: 'ann', password: PASSWORD, tenant: id }, { token: null });
const linkDown = { source: 'test', sourceId: '1', severity: 'critical', title: 'Link down', hostname: 'sw-1' };

const furnish = async (id: string): Promise<void> => {
  tokens[id] = await app.tenant(id);
  const send = sender(id);
  const top = await send('POST', '/v1/cmdb/ci', {
    name: 'sw-1',
    type: 'switch',
    attributes: { ip_address: '10.0.0.8' },
  });
  const below = await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' });
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: below.id, target_ci: top.id });
  await send('POST', '/api/events/ingest', { ...linkDown, timestamp: app.clock.now() });
  const queries = { ...linkDown, sourceId: '2', title: 'Queries blocked', hostname: 'db-1' };
  await send('POST', '/api/events/ingest', { ...queries, timestamp: app.clock.now() + 1_000 });
  await send('POST', '/api/admin/users', { username: 'ann', password: PASSWORD, role: 'viewer' });
  await send('POST', '/v1/teams', { name: 'Night' });
  await send('PUT', '/api/admin/settings/correlation', { guards: { maxSize: 500 } });
  await app.send('POST', '/api/events/webhook/azure', 'no json at all', { token: tokens[id] as string });
  for (const one of BROUGHT) await one.furnish?.(send, START);
  await app.app.idle();
};

const BROUGHT = brought();
/** One of them is found by a scan. */
const CIS = isThere('discovery.submit-scan') ? 3 : 2;
const KINDS = [
  ...Object.values(ACCESS_KINDS),
  ...Object.values(TEAM_KINDS),
  ...BROUGHT.flatMap(({ kinds = [] }) => kinds),
];
const OTHERS = ['settings', 'rejected-payload', 'idempotency'];

/** Returns the amount of stored data of a tenant, in all places. */
const stored = async (id: string) => {
  const { events, correlation, counts: totals, topology, records } = app.app.ports;
  const count = async (tenant: string, kind: string, isOurs: (body: unknown) => boolean = () => true) =>
    (await records.list(tenant, kind, { limit: 1_000 })).filter(({ body }) => isOurs(body)).length;
  const names = [...new Set([...KINDS, ...OTHERS])];
  const counts = await Promise.all(names.map((kind) => count(id, kind)));
  const isOurs = (body: unknown): boolean => (body as { tenant?: string }).tenant === id;
  return {
    events: (await events.find(id, {}, { ...PAGE, sort: 'timestamp' })).total,
    found: (await events.find(id, { search: 'link' }, { ...PAGE, sort: 'timestamp' })).total,
    groups: (await correlation.groups(id, {}, { ...PAGE, sort: 'first' })).total,
    cis: [await totals.cis(id), (await topology.findCis(id, {}, { ...PAGE, sort: 'name' })).total],
    relationships: (await topology.findRelationships(id, { includeAi: true }, { ...PAGE, sort: 'created_at' })).total,
    records: Object.fromEntries(names.map((name, i) => [name, counts[i] as number]).filter(([, n]) => n !== 0)),
    access: await Promise.all(ownedRecords.kinds.map((kind) => count(SYSTEM, kind, isOurs))),
  };
};
type Stored = Awaited<ReturnType<typeof stored>>;
/** Returns the data that a tenant retains while its jobs continue: they remove due records. */
const kept = ({ access, ...rest }: Stored) => ({
  ...rest,
  access: access.filter((_, i) => !ownedRecords.kinds[i]?.endsWith('-due')),
});
const NOTHING = {
  events: 0,
  found: 0,
  groups: 0,
  cis: [0, 0],
  relationships: 0,
  records: {},
  access: ownedRecords.kinds.map(() => 0),
};

beforeAll(async () => {
  for (const id of ['acme', 'other']) await furnish(id);
  await login('acme');
  ({ token: jwt, refreshToken } = (await login('acme')).body.data);
});

test('a tenant that is needed, unknown or not the caller’s to delete stays', async () => {
  expect((await admin('DELETE', '/tenants/nobody')).status).toBe(404);
  const own = await admin('DELETE', '/tenants/default');
  expect([own.status, own.body.error.message]).toEqual([409, "You can't delete your own tenant"]);
  const root = await app.tenant('second', 'platform-admin');
  const first = await app.send('DELETE', '/api/admin/tenants/default', undefined, { token: root });
  expect([first.status, first.body.error.message]).toEqual([409, expect.stringContaining('FAULTLINE_TENANT')]);
  const off = await app.send('PUT', '/api/admin/tenants/default', { disabled: true }, { token: root });
  expect([off.status, off.body.error.message]).toEqual([409, expect.stringContaining("can't be disabled")]);
  const foreign = await app.send('DELETE', '/api/admin/tenants/acme', undefined, { token: tokens.other as string });
  expect(foreign.status).toBe(403);
  expect(await state('acme')).toBe('active');
});

test('deleting it refuses every credential at once, and nothing of it can be changed', async () => {
  const remove = () => admin('DELETE', '/tenants/acme');
  for (const gone of await Promise.all([remove(), remove()]))
    expect([gone.status, gone.body.data]).toMatchObject([202, { id: 'acme', disabled: true, state: 'deleting' }]);
  const events = (token: string) => app.send('GET', '/api/events', undefined, { token });
  expect([(await events(tokens.acme as string)).status, (await events(jwt)).status]).toEqual([403, 403]);
  expect((await app.send('POST', '/api/auth/refresh', { refreshToken }, { token: null })).status).toBe(401);
  expect((await login('acme')).status).toBe(401);
  expect((await admin('GET', '/users', undefined, { 'x-tenant-id': 'acme' })).status).toBe(403);
  expect((await admin('DELETE', '/tenants/acme')).status).toBe(202);
  expect((await admin('PUT', '/tenants/acme', { disabled: false })).status).toBe(409);
  const again = await admin('POST', '/tenants', { id: 'acme' });
  expect([again.status, again.body.error.message]).toEqual([409, 'Tenant acme is being deleted']);
});

test('who has deleted it is in the audit of who did, whichever tenant the request named', async () => {
  await app.tenant('third');
  expect((await admin('DELETE', '/tenants/third', undefined, { 'x-tenant-id': 'third' })).status).toBe(202);
  const { body } = await admin('GET', '/audit?action=tenant.deleted');
  expect(body.data).toMatchObject([
    { action: 'tenant.deleted', target: { kind: 'tenant', id: 'third' }, after: null },
    { action: 'tenant.deleted', target: { kind: 'tenant', id: 'acme' }, before: { disabled: false }, after: null },
  ]);
});

test('its data stays until nobody can be at work with it', async () => {
  app.clock.advance(LET_GO_MS - 1);
  // Events that were too young for the sinks are old enough now.
  await app.app.idle();
  await round();
  expect([await state('acme'), (await stored('acme')).events]).toEqual(['deleting', 2]);
});

test('then all of it goes, and another tenant keeps everything', async () => {
  const others = await stored('other');
  expect(others).toMatchObject({ events: 2, groups: 1, cis: [CIS, CIS], relationships: 1, records: { user: 1 } });
  const ours = await stored('acme');
  expect([ours.events, ours.groups, ours.access.slice(0, 2)]).toEqual([2, 1, [1, 1]]);
  app.clock.advance(1);
  await round();
  expect(await state('acme')).toBe('deleted');
  expect(await stored('acme')).toEqual(NOTHING);
  expect(kept(await stored('other'))).toEqual(kept(others));
  const repeated = await sender('other')('POST', '/api/events/ingest', { ...linkDown, timestamp: START + MINUTE });
  expect(repeated).toMatchObject({ status: 'duplicate_updated', occurrenceCount: 2 });
});

test('its name stays taken, and who asks for it is told until when', async () => {
  const { data } = (await admin('GET', '/tenants/acme')).body;
  expect(data).toMatchObject({ name: 'acme', taken_until: new Date(app.clock.now() + TAKEN).toISOString() });
  const listed = (await admin('GET', '/tenants')).body.data as { id: string; state: string }[];
  expect(listed.filter(({ state: is }) => is !== 'active').map(({ id }) => id)).toEqual(['acme', 'third']);
  const refused = [
    await admin('POST', '/tenants', { id: 'acme' }),
    await admin('PUT', '/tenants/acme', { name: 'x' }),
    await admin('DELETE', '/tenants/acme'),
  ];
  const says = expect.stringContaining(`can be reused from ${data.taken_until}`);
  expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual(refused.map(() => [409, says]));
  app.clock.advance(TAKEN - FREE_AFTER_MS - 1);
  await round();
  app.clock.advance(FREE_AFTER_MS + 1);
  expect(await state('acme')).toBe('deleted');
});

test('after a last look the name is free, and who takes it finds nothing', async () => {
  await round();
  expect((await admin('POST', '/tenants', { id: 'acme' })).status).toBe(409);
  app.clock.advance(FREE_AFTER_MS);
  expect(await state('acme')).toBe(404);
  tokens.acme = await app.tenant('acme');
  const send = sender('acme');
  expect((await send('GET', '/api/events')).pagination.total).toBe(0);
  expect((await send('GET', '/v1/cmdb/ci')).pagination.total).toBe(0);
  expect((await send('GET', '/api/admin/settings/correlation')).data.overrides).toEqual({});
  const first = await send('POST', '/api/events/ingest', { ...linkDown, timestamp: app.clock.now() });
  expect(first).toMatchObject({ status: 'created', correlationId: null });
  const shown = (await send('GET', `/api/events/${first.eventId}`)).event;
  expect([shown.occurrenceCount, shown.ciId ?? null]).toEqual([1, null]);
  expect((await login('acme')).status).toBe(401);
});
