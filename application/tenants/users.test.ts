import { beforeEach, describe, expect, test } from '@jest/globals';
import { reserveName } from '#application/records/unique-name.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { Fault } from '#domain/fault.ts';
import { adminEndpoint, jwtOf, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('each', 'acme');
let boss: UserRecord;
let admin: string;
beforeEach(async () => {
  boss = await userOf(world, 'acme', 'boss', 'admin');
  admin = await jwtOf(world, 'acme', boss);
});

const create = (username: string, role: string) =>
  world.call<UserRecord>(admin, adminEndpoint('admin.users.create'), { username, role, password: 'a good password' });
const change = (id: string, what: object) => world.call(admin, adminEndpoint('admin.users.update'), { id, ...what });
const remove = (id: string) => world.call(admin, adminEndpoint('admin.users.delete'), id);
const forbidden = { kind: 'forbidden' };
const conflict = { kind: 'conflict' };

describe('ranks', () => {
  test.each(['viewer', 'operator', 'editor', 'admin', 'ingest'])('an admin gives the role %s', async (role) =>
    expect(await create('new', role)).toMatchObject({ role }),
  );

  test('an admin neither gives platform-admin nor touches one', async () => {
    await expect(create('new', 'platform-admin')).rejects.toMatchObject(forbidden);
    const { id } = await userOf(world, 'acme', 'root', 'platform-admin');
    await expect(change(boss.id, { role: 'platform-admin' })).rejects.toMatchObject(forbidden);
    await expect(change(id, { password: 'taken over by me' })).rejects.toMatchObject(forbidden);
    await expect(remove(id)).rejects.toMatchObject(forbidden);
  });
});

describe('the last administrator', () => {
  test.each([{ role: 'editor' }, { disabled: true }])('stays against %p', async (what) => {
    await expect(change(boss.id, what)).rejects.toMatchObject(conflict);
    await create('second', 'admin');
    await expect(change(boss.id, what)).resolves.toMatchObject(what);
  });

  test('is not removed; a disabled one does not count as another', async () => {
    const second = await create('second', 'admin');
    await change(second.id, { disabled: true });
    await expect(remove(boss.id)).rejects.toMatchObject(conflict);
    await change(second.id, { disabled: false });
    await remove(boss.id);
    await expect(world.as(admin)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('two that demote each other at the same moment: one stays', async () => {
    const second = await create('second', 'admin');
    const both = await Promise.allSettled([change(boss.id, { role: 'viewer' }), change(second.id, { role: 'viewer' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('user names', () => {
  test('are unique in a tenant, whatever their case', async () => {
    await create('eva', 'viewer');
    await expect(create('EVA', 'viewer')).rejects.toMatchObject(conflict);
    await expect(userOf(world, 'default', 'eva', 'viewer')).resolves.toBeDefined();
  });

  test('created twice at the same moment: one wins', async () => {
    const both = await Promise.allSettled([create('eva', 'viewer'), create('eva', 'viewer')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test.each([
    ['while its user may be on its way', 59_999, false],
    ['but not for ever, when its user never came', 60_000, true],
  ])('keep a name %s', async (_, afterMs, isFree) => {
    const at = world.clock.now();
    const reserve = (id: string, ms: number) =>
      reserveName(world.ports.records, 'acme', {
        nameKind: ACCESS_KINDS.username,
        key: 'eva',
        kind: ACCESS_KINDS.user,
        id,
        at: at + ms,
        taken: () => new Fault('conflict', 'taken'),
      });
    await reserve('first', 0);
    const second = await Promise.allSettled([reserve('second', afterMs)]);
    expect(second.map(({ status }) => status === 'fulfilled')).toEqual([isFree]);
  });

  test('are free again after removal', async () => {
    const { id } = await create('eva', 'viewer');
    await remove(id);
    await expect(create('eva', 'viewer')).resolves.toBeDefined();
  });
});

test('a user of another tenant is not found', async () => {
  const foreign = await userOf(world, 'default', 'foreign', 'viewer');
  const get = world.call(admin, adminEndpoint('admin.users.get'), foreign.id);
  const answers = await Promise.allSettled([change(foreign.id, { name: 'x' }), remove(foreign.id), get]);
  const kinds = answers.map((answer) => (answer as PromiseRejectedResult).reason?.kind);
  expect(kinds).toEqual(['not-found', 'not-found', 'not-found']);
});
