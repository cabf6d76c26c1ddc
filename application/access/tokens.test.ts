import { beforeAll, describe, expect, test } from '@jest/globals';
import { checksum } from '#domain/access/token.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, jwtOf, tokenWith, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import { createToken, type IssuedToken, type TokenDraft } from './tokens.ts';

const world = accessOfTests('all');
let admin: string;
beforeAll(async () => {
  admin = await jwtOf(world, 'default', await userOf(world, 'default', 'boss', 'admin'));
});

const DRAFT: TokenDraft = {
  name: 't',
  description: '',
  kind: 'api_key',
  role: null,
  scopes: [],
  expiresIn: '90d',
  limits: {},
};
const create = (draft: Partial<TokenDraft>) =>
  world.call<IssuedToken>(admin, adminEndpoint('admin.tokens.create'), { ...DRAFT, ...draft });

describe('tokens', () => {
  test('have the published form, expire as asked, and only a hash is kept', async () => {
    const { token, record } = await create({ role: 'viewer', expiresIn: '2h' });
    expect(token).toMatch(/^flt_[0-9A-Za-z]{36}$/);
    expect(token.slice(34)).toBe(checksum(token.slice(4, 34)));
    expect(record.expiresAt).toBe(world.clock.now() + 2 * 3_600_000);
    const kept = await Promise.all(
      [
        ['default', 'token'],
        ['default', 'audit'],
        ['_system', 'credential'],
      ].map(([tenant, kind]) => world.ports.records.list(tenant!, kind!, { limit: 1_000 })),
    );
    expect(JSON.stringify(kept)).toContain(record.id);
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  test('for discovery begin with fld_', async () => {
    const context = { ...(await world.as(admin)), ports: world.ports, address: '', department: null } as never;
    const { token, record } = await createToken(context, { ...DRAFT, kind: 'discovery', scopes: ['discovery.submit'] });
    expect(token).toMatch(/^fld_/);
    expect((await world.as(token)).caller).toMatchObject({ kind: 'discovery', id: record.id });
  });

  test.each<Partial<TokenDraft>>([{ role: 'platform-admin' }, { scopes: ['events.read', 'tenants.manage'] }])(
    'with %p are above an admin',
    (draft) => expect(create(draft)).rejects.toMatchObject({ kind: 'forbidden' }),
  );

  test.each(['366d', '0d', 'soon'])('that expire in %s are refused', (expiresIn) =>
    expect(create({ role: 'viewer', expiresIn })).rejects.toMatchObject({ kind: 'invalid' }),
  );

  test('of a platform-admin are not revoked by an admin', async () => {
    const { record } = await tokenWith(world, { role: 'platform-admin' });
    const revoke = (by: string) => world.call(by, adminEndpoint('admin.tokens.revoke'), record.id);
    await expect(revoke(admin)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(revoke(BOOTSTRAP_TOKEN)).resolves.toBeUndefined();
    await expect(revoke(BOOTSTRAP_TOKEN)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('are shown without secret or hash', async () => {
    const { token, record } = await create({ role: 'viewer' });
    await world.as(token);
    // The note of its use is not awaited: it is written in a later turn.
    await new Promise(setImmediate);
    const { mounts } = adminEndpoint('admin.tokens.get');
    const found = await world.call(admin, adminEndpoint('admin.tokens.get'), record.id);
    const { body } = mounts[0]!.present(found, { receivedAt: world.clock.now() } as never);
    expect(body).toMatchObject({ id: record.id, last_used_at: new Date(world.clock.now()).toISOString() });
    expect(JSON.stringify(body)).not.toContain(record.hash);
  });
});
