import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type AccessWorld, openAccessWorld } from '#test/setup/access.ts';
import { openKeys } from './keys.ts';

let world: AccessWorld;
beforeEach(async () => {
  world = await openAccessWorld();
});
afterEach(() => world[Symbol.dispose]());

const CLAIMS = { sub: 'u1', tenant: 'acme', role: 'viewer', ver: 3, sid: 's1' };
const kidOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()).kid;

describe('signing keys', () => {
  test('a token says who, and until when to the second', async () => {
    const { keys, clock } = world.ports;
    const begun = Math.floor(clock.now() / 1_000) * 1_000;
    expect(await keys.verify(await keys.sign(CLAIMS, 900))).toEqual({ ...CLAIMS, expiresAt: begun + 900_000 });
  });

  test('a token is refused once it has expired', async () => {
    const token = await world.ports.keys.sign(CLAIMS, 900);
    world.clock.advance(900_000);
    expect(await world.ports.keys.verify(token)).toBeNull();
  });

  test('a second start uses the same key', async () => {
    const again = await openKeys(world.ports);
    const [one, two] = [await world.ports.keys.sign(CLAIMS, 60), await again.sign(CLAIMS, 60)];
    expect(kidOf(one)).toBe(kidOf(two));
    expect(await again.verify(one)).toMatchObject(CLAIMS);
  });

  test('after a rotation the new key signs, the old one verifies, and other processes learn it', async () => {
    const other = await openKeys(world.ports);
    const before = await world.ports.keys.sign(CLAIMS, 60);
    world.clock.advance(1);
    await world.ports.keys.rotate();
    const after = await world.ports.keys.sign(CLAIMS, 60);
    expect(kidOf(after)).not.toBe(kidOf(before));
    for (const token of [before, after]) {
      expect(await world.ports.keys.verify(token)).toMatchObject(CLAIMS);
      expect(await other.verify(token)).toMatchObject(CLAIMS);
    }
    expect(kidOf(await (await openKeys(world.ports)).sign(CLAIMS, 60))).toBe(kidOf(after));
  });

  test('a foreign key, another algorithm and no signature are refused', async () => {
    using foreign = await openAccessWorld();
    const token = await foreign.ports.keys.sign(CLAIMS, 60);
    const [, claims] = token.split('.');
    const headed = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.`;
    const own = kidOf(await world.ports.keys.sign(CLAIMS, 60));
    for (const bad of [token, headed({ alg: 'none', kid: own }), headed({ alg: 'HS256', kid: own }), 'a.b.c', ''])
      expect(await world.ports.keys.verify(bad)).toBeNull();
  });

  test('a store that is down is no bad token', async () => {
    const records: RecordStore = { ...world.ports.records, get: () => Promise.reject(new Error('down')) };
    const keys = await openKeys({ ...world.ports, records });
    world.clock.advance(1);
    await world.ports.keys.rotate();
    await expect(keys.verify(await world.ports.keys.sign(CLAIMS, 60))).rejects.toThrow('down');
  });
});

describe('signed links', () => {
  const LINK = { page: 'service-map', tenant: 'acme', sub: 's1' };

  test('a link opens its page until it expires', async () => {
    const { keys } = world.ports;
    const value = await keys.signLink(LINK, 60);
    expect(await keys.verifyLink(value, LINK)).toBe('acme');
    world.clock.advance(60_000);
    expect(await keys.verifyLink(value, LINK)).toBeNull();
  });

  test.each([
    ['another page', { page: 'report', sub: 's1' }],
    ['another resource', { page: 'service-map', sub: 's2' }],
  ])('it does not open %s', async (_name, other) => {
    const { keys } = world.ports;
    expect(await keys.verifyLink(await keys.signLink(LINK, 60), other)).toBeNull();
  });

  test('a link is no access token, and an access token no link', async () => {
    const { keys } = world.ports;
    expect(await keys.verify(await keys.signLink(LINK, 60))).toBeNull();
    expect(await keys.verifyLink(await keys.sign(CLAIMS, 60), { page: 'service-map', sub: 'u1' })).toBeNull();
  });

  test.each(['', 'x', 'a.b.c'])('nonsense opens nothing: "%s"', async (value) => {
    expect(await world.ports.keys.verifyLink(value, LINK)).toBeNull();
  });
});
