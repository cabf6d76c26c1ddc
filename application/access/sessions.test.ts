import { describe, expect, test } from '@jest/globals';
import { adminEndpoint, BOOTSTRAP_TOKEN, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import {
  ACCESS_TTL_S,
  closeSession,
  openSession,
  REFRESH_GRACE_MS,
  REFRESH_TTL_S,
  refreshSession,
} from './sessions.ts';

const world = accessOfTests('all');
let names = 0;

const opened = async () => {
  names += 1;
  const user = await userOf(world, 'default', `user-${names}`, 'viewer');
  return { user, first: await openSession(world.ports, 'default', user) };
};
const refresh = (token: string) => refreshSession(world.ports, token);
const refused = { kind: 'unauthenticated' };

describe('refresh tokens', () => {
  test('give a new pair; the access token works', async () => {
    const { user, first } = await opened();
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.expiresIn).toBe(ACCESS_TTL_S);
    expect((await world.as(second.token)).caller.id).toBe(user.id);
  });

  test('are good for one use; the second ends the family', async () => {
    const { first } = await opened();
    const second = await refresh(first.refreshToken);
    world.clock.advance(REFRESH_GRACE_MS);
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(refused);
    for (const { token } of [first, second]) await expect(world.as(token)).rejects.toMatchObject(refused);
  });

  test('that are closed take their access tokens along, and no others of the user', async () => {
    const { user, first } = await opened();
    const other = await openSession(world.ports, 'default', user);
    expect((await world.as(first.token)).caller.id).toBe(user.id);
    await closeSession(world.ports, first.refreshToken);
    await expect(world.as(first.token)).rejects.toMatchObject(refused);
    expect((await world.as(other.token)).caller.id).toBe(user.id);
  });

  test('used twice at the same moment, or again after a lost reply, give the same token, which goes on', async () => {
    const { user, first } = await opened();
    const both = await Promise.all([refresh(first.refreshToken), refresh(first.refreshToken)]);
    world.clock.advance(REFRESH_GRACE_MS - 1);
    const again = await refresh(first.refreshToken);
    expect(new Set([...both, again].map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect((await world.as(again.token)).caller.id).toBe(user.id);
    const next = await refresh(again.refreshToken);
    expect(next.refreshToken).not.toBe(again.refreshToken);
  });

  test('that were replaced two uses ago end the family at once', async () => {
    const { first } = await opened();
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
    await expect(refresh(third.refreshToken)).rejects.toMatchObject(refused);
  });

  test('a guess with the id of the family does not end it', async () => {
    const { first } = await opened();
    const guess = first.refreshToken.slice(0, 30) + 'x'.repeat(50);
    await expect(refresh(guess)).rejects.toMatchObject(refused);
    await expect(refresh(first.refreshToken)).resolves.toBeDefined();
  });

  test.each(['', 'x', `flr_${'0'.repeat(76)}`])('%p is refused', (token) =>
    expect(refresh(token)).rejects.toMatchObject(refused),
  );

  test('last 30 days from their last use', async () => {
    const { first } = await opened();
    world.clock.advance(REFRESH_TTL_S * 1_000 - 1);
    const second = await refresh(first.refreshToken);
    world.clock.advance(REFRESH_TTL_S * 1_000);
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(refused);
  });

  test('end with the logout', async () => {
    const { first } = await opened();
    await closeSession(world.ports, first.refreshToken);
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
    await expect(closeSession(world.ports, 'unknown')).resolves.toBeNull();
  });

  test.each([{ password: 'another long password' }, { disabled: true }])('end with %p', async (change) => {
    const { user, first } = await opened();
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.update'), { id: user.id, ...change });
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
  });

  test('only hashes are kept', async () => {
    const { first } = await opened();
    const stored = await world.ports.records.list('_system', 'session', { limit: 100 });
    const text = JSON.stringify(stored);
    expect(text).toContain(first.refreshToken.slice(4, 30));
    expect(text).not.toContain(first.refreshToken.slice(30, 50));
    expect(text).not.toContain(first.refreshToken.slice(50));
  });
});
