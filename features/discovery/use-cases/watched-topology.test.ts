import { expect, test } from '@jest/globals';
import { ACCEPTED, PROPOSED } from '#domain/topology/topology.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { Rebinder } from './rebinder.ts';
import { watchedTopology } from './watched-topology.ts';

const watched = async () => {
  const { ports } = memoryTopology();
  const rebinder = new Rebinder();
  const background = { ring() {}, unbound() {} };
  const { relationships } = watchedTopology(ports, rebinder, { ids: randomIds, clock: setClock(500), background });
  await ports.cis.put(TENANT, [aCi('a'), aCi('b')]);
  /** The CIs whose events arrive again because of a put. */
  const put = async (parts: Parameters<typeof aRelationship>[3]) => {
    await relationships.put(TENANT, [aRelationship('r', 'a', 'b', parts)]);
    return rebinder.takeJoined()?.ciIds ?? null;
  };
  return put;
};

test('events arrive again when a relationship is made, and not when it changes', async () => {
  const put = await watched();
  expect(await put({})).toEqual(['a', 'b']);
  expect(await put({ revision: 2, confidence: 0.5 })).toBeNull();
});

test('a proposal counts for nothing until it is accepted', async () => {
  const put = await watched();
  expect(await put({ discoveredBy: PROPOSED })).toBeNull();
  expect(await put({ discoveredBy: PROPOSED, revision: 2, confidence: 0.5 })).toBeNull();
  expect(await put({ discoveredBy: ACCEPTED, revision: 3 })).toEqual(['a', 'b']);
  expect(await put({ discoveredBy: ACCEPTED, revision: 4, confidence: 0.6 })).toBeNull();
});

test('a relationship of another type is like a new one', async () => {
  const put = await watched();
  await put({});
  expect(await put({ type: 'uses', revision: 2 })).toEqual(['a', 'b']);
});

test('whatever CIs and relationships that count are put, the bell is rung', async () => {
  const { ports } = memoryTopology();
  const rung: string[] = [];
  const background = { ring: (name: string) => void rung.push(name), unbound() {} };
  const told = watchedTopology(ports, new Rebinder(), { ids: randomIds, clock: setClock(500), background });
  await told.cis.put(TENANT, [aCi('into'), aCi('from'), aCi('x')]);
  await told.relationships.put(TENANT, [aRelationship('p', 'into', 'x', { discoveredBy: PROPOSED })]);
  expect(rung).toEqual(['discovery']);
  await told.relationships.put(TENANT, [aRelationship('r', 'from', 'x')]);
  const into = aCi('into', { formerly: ['from'], revision: 2, updatedAt: 500 });
  await told.cis.merge(TENANT, { into, from: { id: 'from', revision: 1 }, at: 500, by: 'me' });
  expect(rung).toEqual(['discovery', 'discovery', 'discovery']);
});
