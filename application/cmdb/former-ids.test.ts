import { expect, test } from '@jest/globals';
import { Rebinder } from '#features/discovery/use-cases/rebinder.ts';
import { watchedTopology } from '#features/discovery/use-cases/watched-topology.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
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

test('events on the CI that stays arrive again when relationships have moved to it', async () => {
  const { ports } = memoryTopology();
  const rebinder = new Rebinder();
  const told = watchedTopology(ports, rebinder, { ids: randomIds, clock: setClock(500) });
  await ports.cis.put(TENANT, [aCi('into'), aCi('from'), aCi('alone'), aCi('x')]);
  await ports.relationships.put(TENANT, [aRelationship('r', 'from', 'x')]);
  const merge = (from: string, revision: number) =>
    told.cis.merge(TENANT, {
      into: aCi('into', { formerly: [from], revision, updatedAt: 500 }),
      from: { id: from, revision: 1 },
      at: 500,
      by: 'me',
    });
  await merge('alone', 2);
  expect(rebinder.takeJoined()).toBeNull();
  await merge('from', 3);
  expect(rebinder.takeJoined()).toMatchObject({ tenant: TENANT, ciIds: ['into'] });
});
