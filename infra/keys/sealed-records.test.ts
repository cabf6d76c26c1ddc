import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AccessWorld, openAccessWorld } from '#test/setup/access.ts';
import { openKeys } from './keys.ts';
import { sealedRecords, sealStored } from './sealed-records.ts';

let world: AccessWorld;
beforeEach(async () => {
  world = await openAccessWorld();
});
afterEach(() => world[Symbol.dispose]());

const [OLD, NEW] = ['the old key of these tests, thirty-two', 'the new key of these tests, thirty-two'];
const HOOK = { url: 'https://example.com', secrets: [{ value: 'whsec_abc' }] };
const stored = async (kind = 'webhook', tenant = 'acme') =>
  JSON.stringify((await world.ports.records.list(tenant, kind, { limit: 9 })).map(({ body }) => body));

test('secrets are not readable in the store, and other records are', async () => {
  const records = sealedRecords(world.ports.records, [NEW]);
  await records.put('acme', 'webhook', 'WHK-1', HOOK);
  await records.put('acme', 'settings', 'x', HOOK);
  expect(await stored()).not.toContain('whsec_abc');
  expect(await stored('settings')).toContain('whsec_abc');
  expect((await records.get('acme', 'webhook', 'WHK-1'))?.body).toEqual(HOOK);
  expect(await records.list('acme', 'webhook', { limit: 9 })).toMatchObject([{ id: 'WHK-1', body: HOOK }]);
});

test('a sealed record opens in its place alone, with its key alone', async () => {
  const records = sealedRecords(world.ports.records, [NEW]);
  await records.put('acme', 'webhook', 'WHK-1', HOOK);
  const moved = (await world.ports.records.get('acme', 'webhook', 'WHK-1'))!.body;
  await world.ports.records.put('other', 'webhook', 'WHK-1', moved);
  await expect(records.get('other', 'webhook', 'WHK-1')).rejects.toThrow('authenticate');
  for (const keys of [[], [OLD]])
    await expect(sealedRecords(world.ports.records, keys).get('acme', 'webhook', 'WHK-1')).rejects.toThrow(
      'FAULTLINE_SEAL_KEY',
    );
});

test('a start seals what is in clear, and what an earlier key has sealed', async () => {
  const { records, clock, ids } = world.ports;
  await records.put('_system', 'tenant', 'acme', {});
  await records.put('acme', 'webhook', 'WHK-1', HOOK);
  await sealedRecords(records, [OLD]).put('acme', 'webhook', 'WHK-2', HOOK);
  const token = await (await openKeys(world.ports)).sign(
    { sub: 'u', tenant: 'acme', role: 'viewer', ver: 1, sid: 's' },
    60,
  );
  const failed: string[] = [];
  const log = { error: (_: object, message: string) => failed.push(message) };
  await sealStored(records, [NEW, OLD], log as never);
  expect(failed).toEqual([]);
  expect(await stored()).not.toContain('whsec_abc');
  expect(await stored('signing-key', '_system')).not.toContain('privateKey');
  const withNew = sealedRecords(records, [NEW]);
  expect((await withNew.list('acme', 'webhook', { limit: 9 })).map(({ body }) => body)).toEqual([HOOK, HOOK]);
  expect(await (await openKeys({ records: withNew, clock, ids })).verify(token)).toMatchObject({ sub: 'u' });
  const before = await records.list('acme', 'webhook', { limit: 9 });
  await sealStored(records, [NEW], log as never);
  expect(await records.list('acme', 'webhook', { limit: 9 })).toEqual(before);
});

test('a key that is missing is told, and the start goes on', async () => {
  const { records } = world.ports;
  await sealedRecords(records, [OLD]).put('_system', 'signing-key', 'K', HOOK);
  const failed: string[] = [];
  await sealStored(records, [NEW], { error: (_: object, message: string) => failed.push(message) } as never);
  expect(failed).toHaveLength(1);
});
