import { expect, test } from '@jest/globals';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { Rebinder } from './rebinder.ts';
import { watchedTopology } from './watched-topology.ts';

test('events on the CI that stays arrive again when relationships have moved to it', async () => {
  const { ports } = memoryTopology();
  const rebinder = new Rebinder();
  const told = watchedTopology(ports, rebinder, {
    ids: randomIds,
    clock: setClock(500),
    background: { ring() {}, unbound() {} },
  });
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
