import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

/** A user looks at the demo before their own data arrives. */

const app = appOfTests();

const ask = async (method: string) => (await app.send(method, '/api/admin/demo')).body.data;
/** Polls rarely, so that polling does not slow down the tested work; the test ends it. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('is loaded into a tenant of its own, once, and goes with it', async () => {
  expect(await ask('GET')).toEqual({ tenant: null, state: 'none', sent: 0, total: 0 });
  expect((await app.send('DELETE', '/api/admin/demo')).status).toBe(404);
  const reply = await app.send('POST', '/api/admin/demo');
  expect(reply.status).toBe(202);
  const { tenant } = reply.body.data;
  expect(reply.body.data).toEqual({ tenant: expect.stringMatching(/^demo-/), state: 'waiting', sent: 0, total: 0 });
  const seen: number[] = [];
  await until(async () => {
    const { state, sent } = await ask('GET');
    expect(['waiting', 'loading', 'ready']).toContain(state);
    seen.push(sent);
    return state === 'ready';
  });
  const { sent, total } = await ask('GET');
  expect([sent, total > 2_000]).toEqual([total, true]);
  expect(new Set(seen).size).toBeGreaterThan(2);
  expect((await ask('POST')).tenant).toBe(tenant);

  await app.app.idle();
  const inDemo = (path: string) => app.send('GET', path, undefined, { headers: { 'x-tenant-id': tenant } });
  const groups = (await inDemo('/api/events/groups?sortBy=size&limit=5')).body;
  expect(groups.pagination.total).toBeGreaterThan(10);
  expect(groups.groups[0].eventCount).toBeGreaterThan(20);
  expect(groups.groups[0].title).toEqual(expect.any(String));
  expect((await inDemo('/v1/cmdb/ci?limit=1')).body.pagination.total).toBeGreaterThan(300);
  expect((await inDemo('/api/services')).body.pagination.total).toBe(8);
  // Its cause is over; some members are still open.
  const { services, servicesHit } = (await inDemo('/api/events/groups?sortBy=size&limit=1&view=row')).body.groups[0];
  expect(services.names[0]).toMatch(/^[A-Z]/);
  expect([servicesHit.count > 0, servicesHit.count < services.count]).toEqual([true, true]);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(0);

  expect((await app.send('DELETE', '/api/admin/demo')).status).toBe(202);
  expect((await ask('GET')).state).toBe('none');
  expect((await inDemo('/api/events')).status).toBe(403);
  const trail = (await app.send('GET', `/api/admin/audit?target=tenant/${tenant}`)).body.data;
  expect(trail.map(({ action }: { action: string }) => action)).toEqual(['tenant.deleted', 'tenant.created']);
}, 180_000);

test('stops when it is deleted on the way, and another one may follow', async () => {
  const { tenant } = await ask('POST');
  await until(async () => (await ask('GET')).sent > 0);
  expect((await app.send('DELETE', '/api/admin/demo')).status).toBe(202);
  const next = await ask('POST');
  expect(next.tenant).not.toBe(tenant);
  await until(async () => (await ask('GET')).sent > 0);
  expect((await ask('GET')).tenant).toBe(next.tenant);
  await app.send('DELETE', '/api/admin/demo');
}, 180_000);

test('is for platform administrators', async () => {
  const admin = await app.tenant('admins', 'admin');
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await app.send(method, '/api/admin/demo', undefined, { token: admin })).status).toBe(403);
});
