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
  const { relationships } = watchedTopology(ports, rebinder, { ids: randomIds, clock: setClock(500) });
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
