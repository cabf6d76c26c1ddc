import { expect, test } from '@jest/globals';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, tokenWith } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('each', 'acme');

const remove = (id: string) => world.call<TenantRecord>(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.delete'), id);
const stored = async () =>
  (await world.ports.records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'acme'))?.body;

test('one that is renamed at the same moment is deleted all the same, and audited once', async () => {
  const { records } = world.ports;
  const put = records.put.bind(records);
  let isFirst = true;
  records.put = async (tenant, kind, id, ...rest) => {
    if (isFirst) await put(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'acme', { ...(await stored()), name: 'Renamed' });
    isFirst = false;
    return put(tenant, kind, id, ...rest);
  };
  expect(await remove('acme')).toMatchObject({ name: 'Renamed', state: 'deleting', disabled: true });
  expect(await stored()).toMatchObject({ name: 'Renamed', state: 'deleting' });
  const audit = await records.list('default', ACCESS_KINDS.audit, { limit: 9, descending: true });
  expect(audit.map(({ body }) => (body as { action: string }).action)).toEqual(['tenant.deleted', 'tenant.created']);
});

test('a second time it stays as it is', async () => {
  const first = await remove('acme');
  world.clock.advance(1_000);
  expect(await remove('acme')).toEqual(first);
});

test('its credentials are refused from the next request on', async () => {
  const { token } = await tokenWith(world, { role: 'admin', tenant: 'acme' });
  await world.as(token);
  await world.as(BOOTSTRAP_TOKEN, { tenantHeader: 'acme' });
  await remove('acme');
  await expect(world.as(token)).rejects.toMatchObject({ kind: 'tenant' });
  await expect(world.as(BOOTSTRAP_TOKEN, { tenantHeader: 'acme' })).rejects.toMatchObject({ kind: 'tenant' });
});
