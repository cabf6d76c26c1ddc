import { describe, expect, test } from '@jest/globals';
import { ADMIN_PASSWORD, BOOTSTRAP_TOKEN, tokenWith } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import { type BootstrapInput, bootstrap } from './bootstrap.ts';
import { logIn } from './login.ts';

const world = accessOfTests('each');

const again = (given: Partial<BootstrapInput> = {}) =>
  bootstrap({ ports: world.ports, tenant: 'default', adminPassword: null, bootstrapToken: BOOTSTRAP_TOKEN, ...given });
const login = (password: string, tenant: string | null = null) =>
  logIn(world.ports, { username: 'admin', password, tenant }, '192.0.2.1');
const refused = { kind: 'unauthenticated' };

describe('bootstrap', () => {
  test('a second start changes nothing', async () => {
    const kinds = ['user', 'username', 'token'].map((kind) => ['default', kind]);
    const stored = () =>
      Promise.all(
        [...kinds, ['_system', 'tenant'], ['_system', 'instance'], ['_system', 'credential']].map(([tenant, kind]) =>
          world.ports.records.list(tenant!, kind!, { limit: 100 }),
        ),
      );
    const before = await stored();
    expect(before.map((list) => list.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await again({ adminPassword: 'an ignored password' })).toEqual({ adminPassword: null });
    expect(await stored()).toEqual(before);
    await expect(login(ADMIN_PASSWORD)).resolves.toBeDefined();
  });

  test('without a password one is generated, returned once, and works', async () => {
    const { adminPassword } = await again({ tenant: 'second' });
    expect(adminPassword).toMatch(/^[0-9A-Za-z]{24}$/);
    await expect(login(adminPassword!, 'second')).resolves.toMatchObject({ tenant: 'second' });
    expect(await again({ tenant: 'second' })).toEqual({ adminPassword: null });
  });

  test('two processes that start at the same moment make one user, and one of them tells the password', async () => {
    const both = await Promise.all([again({ tenant: 'second' }), again({ tenant: 'second' })]);
    const passwords = both.flatMap(({ adminPassword }) => adminPassword ?? []);
    expect(passwords).toHaveLength(1);
    expect(await world.ports.records.list('second', 'user', { limit: 10 })).toHaveLength(1);
    await expect(login(passwords[0]!, 'second')).resolves.toMatchObject({ tenant: 'second' });
  });

  test('another bootstrap token replaces the old one and leaves others alone', async () => {
    const { token } = await tokenWith(world, { role: 'viewer' });
    await world.as(BOOTSTRAP_TOKEN);
    await again({ bootstrapToken: 'another bootstrap token' });
    await expect(world.as(BOOTSTRAP_TOKEN)).rejects.toMatchObject(refused);
    expect((await world.as('another bootstrap token')).caller.role).toBe('platform-admin');
    await expect(world.as(token)).resolves.toBeDefined();
  });

  test('no bootstrap token removes it', async () => {
    await again({ bootstrapToken: null });
    await expect(world.as(BOOTSTRAP_TOKEN)).rejects.toMatchObject(refused);
    await again();
    await expect(world.as(BOOTSTRAP_TOKEN)).resolves.toBeDefined();
  });

  test('another first tenant takes the bootstrap token along', async () => {
    await again({ tenant: 'second', bootstrapToken: null });
    await expect(world.as(BOOTSTRAP_TOKEN)).rejects.toMatchObject(refused);
    await again({ tenant: 'third' });
    expect((await world.as(BOOTSTRAP_TOKEN)).tenant).toBe('third');
  });
});
