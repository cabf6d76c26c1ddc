import { expect, test } from '@jest/globals';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { eachActiveTenant } from './each-tenant.ts';

const open = async () => {
  const { database, tables } = openEmbedded('memory');
  const records = openRecordStore(database, tables.records, setClock(0));
  const tenants = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd', disabled: true }, { id: 'e', state: 'deleting' }];
  for (const tenant of tenants)
    await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant.id, { disabled: false, ...tenant });
  return records;
};
const failed = (count: number): string => `${count} failed`;

test('a tenant that fails holds up no other, and is told of at the end; those that are not active get no turn', async () => {
  const had: string[] = [];
  const done = eachActiveTenant(await open(), { isStopping: () => false, failed }, async (tenant) => {
    had.push(tenant);
    if (tenant === 'a') throw new Error('no');
  });
  await expect(done).rejects.toMatchObject({ message: '1 failed', cause: new Error('no') });
  expect(had).toEqual(['a', 'b', 'c']);
});

test('who is to stop begins with no further tenant', async () => {
  const had: string[] = [];
  await eachActiveTenant(await open(), { isStopping: () => had.length === 1, failed }, async (tenant) => {
    had.push(tenant);
  });
  expect(had).toEqual(['a']);
});
