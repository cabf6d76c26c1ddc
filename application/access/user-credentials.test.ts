import { describe, expect, test } from '@jest/globals';
import { ROLE_PERMISSIONS } from '#domain/access/permissions.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, jwtOf, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('all', 'other');

const unauthenticated = { kind: 'unauthenticated' };

describe('JWTs', () => {
  test('carry the user, with the rights of the role', async () => {
    const user = await userOf(world, 'other', 'eva', 'operator');
    const { caller, tenant } = await world.as(await jwtOf(world, 'other', user));
    expect(tenant).toBe('other');
    expect(caller).toMatchObject({
      id: user.id,
      username: 'eva',
      kind: 'jwt',
      role: 'operator',
      credentialId: user.id,
    });
    expect([...caller.permissions]).toEqual(ROLE_PERMISSIONS.operator);
  });

  test('expire after 15 minutes', async () => {
    const token = await jwtOf(world, 'other', await userOf(world, 'other', 'expiring', 'viewer'));
    world.clock.advance(15 * 60_000 - 2_000);
    await expect(world.as(token)).resolves.toBeDefined();
    world.clock.advance(2_000);
    await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
  });

  test('a token signed before a rotation still counts; a changed one does not', async () => {
    const token = await jwtOf(world, 'other', await userOf(world, 'other', 'rotated', 'viewer'));
    await world.ports.keys.rotate();
    await expect(world.as(token)).resolves.toBeDefined();
    const [head, , signature] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ sub: 'x', tenant: 'other', role: 'admin', ver: 1 })).toString(
      'base64url',
    );
    await expect(world.as(`${head}.${claims}.${signature}`)).rejects.toMatchObject(unauthenticated);
  });

  test('the role is the one the user has now', async () => {
    const user = await userOf(world, 'other', 'promoted', 'viewer');
    const token = await jwtOf(world, 'other', user);
    expect((await world.as(token)).caller.role).toBe('viewer');
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.update'), { id: user.id, role: 'editor' }, 'other');
    expect((await world.as(token)).caller.role).toBe('editor');
  });

  test.each([{ disabled: true }, { password: 'a new long password' }])(
    '%p ends the logins of a user',
    async (change) => {
      const user = await userOf(world, 'other', `ended-${Object.keys(change)[0]}`, 'viewer');
      const token = await jwtOf(world, 'other', user);
      await world.as(token);
      await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.update'), { id: user.id, ...change }, 'other');
      await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
    },
  );

  test('a removed user is refused', async () => {
    const user = await userOf(world, 'other', 'removed', 'viewer');
    const token = await jwtOf(world, 'other', user);
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.delete'), user.id, 'other');
    await expect(world.as(token)).rejects.toMatchObject(unauthenticated);
  });
});
