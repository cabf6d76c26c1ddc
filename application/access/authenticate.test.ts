import { describe, expect, test } from '@jest/globals';
import { ROLE_PERMISSIONS } from '#domain/access/permissions.ts';
import type { TokenRecord } from '#domain/access/records.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, credentials, tokenWith } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import { CACHE_TTL_MS } from './authenticate.ts';

const world = accessOfTests('all', 'other');

const unauthenticated = { kind: 'unauthenticated' };

describe('API tokens', () => {
  test('the bootstrap token acts as platform-admin of the first tenant', async () => {
    const { caller, tenant } = await world.as(BOOTSTRAP_TOKEN);
    expect(tenant).toBe('default');
    expect(caller).toMatchObject({ kind: 'api_key', role: 'platform-admin', credentialId: 'bootstrap' });
    expect([...caller.permissions].sort()).toEqual([...ROLE_PERMISSIONS['platform-admin']].sort());
  });

  test('a token with scopes has these and no role', async () => {
    const { token, record } = await tokenWith(world, {
      scopes: ['events.read', 'cmdb.read'],
      limits: { ingest: 6000 },
    });
    const { caller } = await world.as(token);
    expect(caller).toMatchObject({ id: record.id, username: 'feed', role: null, limits: { token: { ingest: 6000 } } });
    expect([...caller.permissions]).toEqual(['events.read', 'cmdb.read']);
  });

  test.each(['', 'nonsense', `flt_${'x'.repeat(36)}`, 'a.b.c', 'x'.repeat(5_000)])('%p is refused', (token) =>
    expect(world.as(token)).rejects.toMatchObject(unauthenticated),
  );

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Token x', BOOTSTRAP_TOKEN])(
    'the header %p is refused',
    (authorization) =>
      expect(world.authenticate(credentials({ authorization }))).rejects.toMatchObject(unauthenticated),
  );

  test('a revoked token is refused from the next request on', async () => {
    const { token, record } = await tokenWith(world, { role: 'viewer' });
    await world.as(token);
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tokens.revoke'), record.id);
    await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
  });

  test('a token expires to the millisecond, remembered or not', async () => {
    const { token, record } = await tokenWith(world, { role: 'viewer', expiresIn: '1m' });
    world.clock.set(record.expiresAt! - 1);
    await expect(world.as(token)).resolves.toMatchObject({ tenant: 'default' });
    world.clock.set(record.expiresAt!);
    await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
  });

  test('what another process revoked is refused after five seconds at the latest', async () => {
    const { token, record } = await tokenWith(world, { role: 'viewer' });
    await world.as(token);
    await world.ports.records.remove('_system', 'credential', record.hash);
    await expect(world.as(token)).resolves.toBeDefined();
    world.clock.advance(CACHE_TTL_MS);
    await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
  });

  test('the last use is noted at most once a minute', async () => {
    const { token, record } = await tokenWith(world, { role: 'viewer' });
    const noted = async () => {
      // The note is not awaited: it is written in a later turn.
      await new Promise(setImmediate);
      return (await world.ports.records.get<TokenRecord>('default', 'token', record.id))!.body.lastUsedAt;
    };
    const first = world.clock.now();
    await world.as(token);
    expect(await noted()).toBe(first);
    world.clock.advance(59_999);
    await world.as(token);
    expect(await noted()).toBe(first);
    world.clock.advance(CACHE_TTL_MS);
    await world.as(token);
    expect(await noted()).toBe(first + 59_999 + CACHE_TTL_MS);
  });

  test('limits of the tenant count from the next request on', async () => {
    const { token } = await tokenWith(world, { role: 'viewer', tenant: 'other' });
    expect((await world.as(token)).caller.limits.tenant).toEqual({});
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.limits.put'), { query: 1000 }, 'other');
    expect((await world.as(token)).caller.limits.tenant).toEqual({ query: 1000 });
  });
});

describe('tenants', () => {
  test('X-Tenant-ID may repeat the own tenant', async () => {
    const { token } = await tokenWith(world, { role: 'admin', tenant: 'other' });
    expect(await world.as(token, { tenantHeader: 'other' })).toMatchObject({ tenant: 'other' });
    expect(await world.as(token)).toMatchObject({ tenant: 'other', caller: { tenant: 'other' } });
  });

  test.each(['default', 'missing', 'No Tenant', '_system'])(
    'an admin may not name the tenant %p',
    async (tenantHeader) => {
      const { token } = await tokenWith(world, { role: 'admin', tenant: 'other' });
      await expect(world.as(token, { tenantHeader })).rejects.toMatchObject({ kind: 'tenant' });
    },
  );

  test('a platform-admin names any tenant that exists', async () => {
    const found = await world.as(BOOTSTRAP_TOKEN, { tenantHeader: 'other' });
    expect(found).toMatchObject({ tenant: 'other', caller: { tenant: 'default' } });
    for (const tenantHeader of ['missing', 'No Tenant', '_system'])
      await expect(world.as(BOOTSTRAP_TOKEN, { tenantHeader })).rejects.toMatchObject({ kind: 'tenant' });
  });

  test('every credential of a disabled tenant is refused', async () => {
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.create'), { id: 'closed' });
    const { token } = await tokenWith(world, { role: 'viewer', tenant: 'closed' });
    await world.as(token);
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.update'), { id: 'closed', disabled: true });
    await expect(world.as(token)).rejects.toMatchObject({ kind: 'tenant' });
  });
});
