import { expect, test } from '@jest/globals';
import { aCi, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { knowingFormerIds } from './former-ids.ts';

const [INTO, FROM] = ['01M7W6C478ZS7MAPJSP91ZQSJ7', '01M7W6C478ZY889MK374XA4P92'];

const merged = async () => {
  const { ports } = memoryTopology();
  await ports.cis.put(TENANT, [aCi(INTO), aCi(FROM, { externalKey: 'K-from' })]);
  const into = aCi(INTO, { formerly: [FROM, 'K-from'], revision: 2, updatedAt: 500 });
  await ports.cis.merge(TENANT, { into, from: { id: FROM, revision: 1 }, at: 500, by: 'me' });
  return knowingFormerIds(ports.topology, ports.matcher);
};

test('a former id gets the CI that stays, in its place; a former key, another tenant and a stranger get nothing', async () => {
  const topology = await merged();
  const ids = async (asked: readonly string[], asOf?: number, tenant = TENANT) =>
    (await topology.getCis(tenant, asked, asOf)).map(({ id }) => id);
  expect(await ids([FROM, 'nobody', INTO])).toEqual([INTO, INTO]);
  expect(await ids([FROM.toLowerCase()])).toEqual([]);
  expect(await ids(['K-from'])).toEqual([]);
  expect(await ids([FROM], undefined, 'other')).toEqual([]);
  expect([await ids([FROM], 499), await ids([FROM], 500)]).toEqual([[FROM], [INTO]]);
});
