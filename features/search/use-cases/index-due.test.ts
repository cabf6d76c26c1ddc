import { expect, test } from '@jest/globals';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { SEARCH_KINDS } from '#domain/search/document.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';
import { indexDue } from './index-due.ts';

/* Changes of CIs and services, by whatever way they come. The job runs here and in the background: twice does no harm. */

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'shop');

const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
  const reply = await own.send(method, path, body);
  if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
};
const due = () => app.app.ports.records.list(SYSTEM_TENANT, SEARCH_DUE_KIND, { limit: 100 });
const settled = async (): Promise<void> => {
  for (let round = 0; round < 50 && (round === 0 || (await due()).length > 0); round++)
    await indexDue(app.app.ports, () => false);
  expect(await due()).toEqual([]);
};
const tagged = async (keyword: string, tenant = 'shop'): Promise<string[]> => {
  const asked = { keywords: [keyword], kinds: SEARCH_KINDS, limit: 100 };
  return (await app.app.ports.searchIndex.tagged(tenant, asked)).map(({ document }) => document.title).sort();
};
const found = async (word: string): Promise<string[]> => {
  const asked = { words: [word], kinds: SEARCH_KINDS, limit: 100 };
  return (await app.app.ports.searchIndex.search('shop', asked)).map(({ document }) => document.title);
};
const scan = async (hosts: readonly object[], at = 0): Promise<void> => {
  const said = { scan_type: 'network', scanner_id: 'nmap', timestamp: START + at };
  await send('POST', '/v1/discovery/scan-data', { ...said, data: { discovered_hosts: hosts } });
  await app.app.idle();
  await settled();
};
const listening = (port: number, name: string) => ({ listening_processes: [{ name, port }] });

test('a CI that is made, changed and deleted', async () => {
  const { body } = await send('POST', '/v1/cmdb/ci', {
    name: 'alpha',
    type: 'server',
    attributes: { software: ['Redis'] },
  });
  await settled();
  expect([await found('alpha'), await tagged('software:redis')]).toEqual([['alpha'], ['alpha']]);
  await send('PUT', `/v1/cmdb/ci/${body.id}`, { name: 'beta', type: 'server', attributes: { software: ['Valkey'] } });
  await settled();
  expect([await found('alpha'), await found('beta'), await tagged('software:redis')]).toEqual([[], ['beta'], []]);
  await send('DELETE', `/v1/cmdb/ci/${body.id}`);
  await settled();
  expect(await found('beta')).toEqual([]);
  expect(await due()).toEqual([]);
});

test('a scan tells what listens on a CI, also when nothing else of it has changed', async () => {
  const host = { hostname: 'db-1', serial_number: 'SN-1' };
  await scan([{ ...host, ...listening(5432, 'postgres') }]);
  expect([await tagged('port5432'), await tagged('process:postgres')]).toEqual([['db-1'], ['db-1']]);
  await scan([{ ...host, ...listening(3306, 'mysqld') }], 1_000);
  expect([await tagged('port5432'), await tagged('port3306')]).toEqual([[], ['db-1']]);
});

test('imports and merges', async () => {
  const { body: other } = await send('POST', '/v1/cmdb/ci', { name: 'db-1b', type: 'server' });
  await settled();
  const [hit] = await app.app.ports.searchIndex.tagged('shop', {
    keywords: ['port3306'],
    kinds: SEARCH_KINDS,
    limit: 1,
  });
  await send('POST', `/v1/cmdb/ci/${other.id}/merge`, { from: hit?.document.id });
  await settled();
  expect([await tagged('port3306'), await found('db-1')]).toEqual([['db-1b'], ['db-1b']]);
  const headers = { 'content-type': 'text/csv' };
  const imported = await app.send('POST', '/v1/cmdb/import/ci', 'name,type\ngamma,switch\n', {
    token: own.token,
    headers,
  });
  expect(imported.status).toBe(200);
  await settled();
  expect([await found('gamma'), await tagged('type:switch')]).toEqual([['gamma'], ['gamma']]);
});

test('a service by its put', async () => {
  const { body: ci } = await send('POST', '/v1/cmdb/ci', { name: 'zeta', type: 'server' });
  const { body } = await send('POST', '/v1/services', {
    name: 'Checkout',
    description: 'takes money',
    components: [{ ci_id: ci.id, role: 'frontend' }],
  });
  await settled();
  expect([await found('money'), await found('frontend'), await found('zeta')]).toEqual([
    ['Checkout'],
    ['Checkout'],
    ['zeta', 'Checkout'],
  ]);
  await send('PUT', `/v1/services/${body.id}`, { name: 'Till', components: [] });
  await settled();
  expect([await found('checkout'), await found('till')]).toEqual([[], ['Till']]);
  await send('DELETE', `/v1/services/${body.id}`);
  await settled();
  expect(await found('till')).toEqual([]);
});

test('another tenant finds none of it, and nothing is made of a tenant that is being deleted', async () => {
  expect([await tagged('port3306', 'other'), await tagged('port3306', 'sho')]).toEqual([[], []]);
  const { records } = app.app.ports;
  const stored = (await records.get<object>(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'shop'))!;
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'shop', { ...stored.body, state: 'deleting' });
  await app.app.ports.cis.put('shop', [aCi('omega', { tenant: 'shop', name: 'omega' })]);
  await settled();
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'shop', stored.body);
  expect(await found('omega')).toEqual([]);
});
