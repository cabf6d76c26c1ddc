import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { ADMIN_PASSWORD, adminEndpoint, BOOTSTRAP_TOKEN } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import { FAILURE_WINDOW_MS, logIn, MAX_FAILURES, MAX_FAILURES_OF_ADDRESS } from './login.ts';

const world = accessOfTests('each');

const HERE = '192.0.2.1';
const attempt = (username: string, password: string, tenant: string | null = null, address = HERE) =>
  logIn(world.ports, { username, password, tenant }, address);
const fail = async (times: number, username = 'admin', address = HERE) => {
  for (let i = 0; i < times; i += 1)
    await expect(attempt(username, 'wrong', null, address)).rejects.toMatchObject({ kind: 'unauthenticated' });
};

describe('login', () => {
  test('gives tokens of the first tenant, whatever the case of the name', async () => {
    const { token, tenant, user } = await attempt('Admin', ADMIN_PASSWORD);
    expect({ tenant, name: user.username }).toEqual({ tenant: 'default', name: 'admin' });
    expect((await world.as(token)).caller.role).toBe('platform-admin');
  });

  test('a name belongs to its tenant', async () => {
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.create'), { id: 'other' });
    const draft = { username: 'admin', password: 'another password', role: 'admin' };
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.create'), draft, 'other');
    await expect(attempt('admin', 'another password', 'other')).resolves.toMatchObject({ tenant: 'other' });
    await expect(attempt('admin', ADMIN_PASSWORD, 'other')).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('unknown user, unknown tenant, wrong password and disabled user get the same answer', async () => {
    const draft = { username: 'gone', password: 'a good password', role: 'viewer' };
    const gone = await world.call<{ id: string }>(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.create'), draft);
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.users.update'), { id: gone.id, disabled: true });
    const tried = [
      attempt('admin', 'wrong'),
      attempt('nobody', 'wrong'),
      attempt('admin', ADMIN_PASSWORD, 'missing'),
      attempt('admin', ADMIN_PASSWORD, '_system'),
      attempt('gone', 'a good password'),
    ];
    const answers = (await Promise.allSettled(tried)).map((result) => (result as PromiseRejectedResult).reason);
    expect(new Set(answers.map((fault) => `${fault.kind} ${fault.message}`)).size).toBe(1);
  });

  test.each(['admin', 'nobody'])('a hash is verified for %s', async (username) => {
    const verified: string[] = [];
    const verifyPassword = async (_: string, hash: string) => {
      verified.push(hash);
      return false;
    };
    const ports = { ...world.ports, crypto: { ...world.ports.crypto, verifyPassword } };
    const tried = logIn(ports, { username, password: 'x', tenant: null }, HERE);
    await expect(tried).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,/)]);
  });
});

describe('throttling', () => {
  test('after five failures even the right password waits, with a time to retry', async () => {
    await fail(MAX_FAILURES);
    const refused = await attempt('admin', ADMIN_PASSWORD).catch((error) => error);
    expect(refused.kind).toBe('rate-limited');
    // The window began with the first failure, some passwords ago.
    expect(refused.retryAfter).toBeGreaterThan(FAILURE_WINDOW_MS / 1_000 - 30);
    expect(refused.retryAfter).toBeLessThanOrEqual(FAILURE_WINDOW_MS / 1_000);
  });

  test('an unknown user is throttled alike', async () => {
    await fail(MAX_FAILURES, 'nobody');
    await expect(attempt('nobody', 'wrong')).rejects.toMatchObject({ kind: 'rate-limited' });
  });

  test('four failures do not throttle, and success is not counted', async () => {
    await fail(MAX_FAILURES - 1);
    for (let i = 0; i < 3; i += 1) await expect(attempt('admin', ADMIN_PASSWORD)).resolves.toBeDefined();
    await fail(1);
    await expect(attempt('ADMIN', ADMIN_PASSWORD)).rejects.toMatchObject({ kind: 'rate-limited' });
  });

  test('attempts at the same moment are counted before their passwords are looked at', async () => {
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => attempt('admin', 'wrong')));
    const kinds = tried.map((result) => (result as PromiseRejectedResult).reason.kind);
    expect(kinds.filter((kind) => kind === 'unauthenticated')).toHaveLength(MAX_FAILURES);
  });

  /** Guesses on one account after another, at no cost: no account needs a password here. */
  const spray = async (count: number, addressOf: (n: number) => string) => {
    const crypto = { ...world.ports.crypto, verifyPassword: async () => false };
    const kinds: string[] = [];
    for (let n = 0; n < count; n++) {
      const tried = logIn(
        { ...world.ports, crypto },
        { username: `user-${n}`, password: 'x', tenant: null },
        addressOf(n),
      );
      kinds.push(await tried.then(String, (fault) => fault.kind));
    }
    return kinds;
  };

  test.each([
    ['an address', () => HERE],
    ['a /64 network', (n: number) => `2001:db8:0:1:${n.toString(16)}::1`],
    ['an IPv4 address in IPv6', () => `::ffff:${HERE}`],
  ])('guesses over all accounts are counted per %s', async (_, addressOf) => {
    const kinds = await spray(40, addressOf);
    expect(kinds.indexOf('rate-limited')).toBe(MAX_FAILURES_OF_ADDRESS);
    await expect(attempt('admin', ADMIN_PASSWORD, null, addressOf(0))).rejects.toMatchObject({ kind: 'rate-limited' });
    await expect(attempt('admin', ADMIN_PASSWORD, null, '2001:db8:0:2::1')).resolves.toBeDefined();
  });

  test('behind one address: guesses on a locked account lock no other, and success is no failure of the address', async () => {
    await fail(MAX_FAILURES, 'nobody');
    for (let i = 0; i < 30; i += 1)
      await expect(attempt('nobody', 'wrong')).rejects.toMatchObject({ kind: 'rate-limited' });
    for (let i = 0; i < 3; i += 1) await attempt('admin', ADMIN_PASSWORD);
    expect(await spray(40, () => HERE)).toHaveLength(40);
    expect((await spray(1, () => HERE))[0]).toBe('rate-limited');
  });

  test('what could not be looked at is not counted', async () => {
    const verifyPassword = async (): Promise<boolean> => {
      throw new Fault('rate-limited', 'busy');
    };
    const ports = { ...world.ports, crypto: { ...world.ports.crypto, verifyPassword } };
    const busy = () => logIn(ports, { username: 'admin', password: 'x', tenant: null }, HERE);
    for (let i = 0; i < 10; i += 1) await expect(busy()).rejects.toMatchObject({ message: 'busy' });
    await expect(attempt('admin', ADMIN_PASSWORD)).resolves.toBeDefined();
  });

  test('counts per account and address', async () => {
    await fail(MAX_FAILURES);
    await expect(attempt('admin', ADMIN_PASSWORD, null, '192.0.2.2')).resolves.toBeDefined();
    await fail(1, 'nobody');
  });
});
