import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { openMemory } from '#application/open-memory.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { servicesByCi } from '#domain/services/dependencies.ts';
import type { Service } from '#domain/services/service.ts';
import { openDeadline } from '#infra/system/time.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { failingWith, type HitSource, hitsOf } from './services-of-causes.ts';

const CAUSES = Array.from({ length: 100 }, (_, at) => `cause-${at}`);
const SETS = CAUSES.map((id) => [id]);
const components = CAUSES.map((ciId) => ({ ciId, role: 'node', redundancy: null }));
const shop = { id: 's', name: 'Shop', components } as unknown as Service;

/** A hundred causes of one service, on a graph whose walks `wait`; how many began, and the most at one time. */
const open = async (wait: () => Promise<unknown>) => {
  const { ports } = memoryTopology();
  await ports.cis.put(
    TENANT,
    CAUSES.map((id) => aCi(id)),
  );
  const seen = { begun: 0, now: 0, most: 0 };
  const { impact } = ports.graph;
  const deadline = openDeadline();
  const slow: typeof impact = async (...asked) => {
    seen.begun += 1;
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    try {
      await wait();
      if (deadline.left() <= 0) throw new Fault('unavailable', 'Request timed out');
      return await impact(...asked);
    } finally {
      seen.now -= 1;
    }
  };
  const byCi = servicesByCi([shop]);
  const memory = {
    ...openMemory({} as never, { clear: () => undefined } as never),
    services: { of: async () => byCi },
  };
  const asking = {
    tenant: TENANT,
    receivedAt: 0,
    ports: { ...ports, graph: { ...ports.graph, impact: slow }, memory, deadline } as unknown as Ports,
  };
  const list = async (longestMs?: number) => (await failingWith(asking, SETS, longestMs)).size;
  const hits = (sources: readonly HitSource[]) => hitsOf(asking, sources);
  const relate = async (source: string, target: string): Promise<void> => {
    await ports.cis.put(TENANT, [aCi(target)]);
    await ports.relationships.put(TENANT, [aRelationship(source, source, target)]);
  };
  return { list, seen, deadline, hits, relate };
};

test('lists that are read at once walk from each cause once, 8 at a time', async () => {
  const { list, seen } = await open(() => sleep(2));
  expect(await Promise.all([list(60_000), list(60_000), list(60_000)])).toEqual([100, 100, 100]);
  expect(seen).toEqual({ begun: 100, now: 0, most: 8 });
  await list();
  expect(seen.begun).toBe(100);
});

test('a graph that is slow holds a list up for 1 s: it comes without services, and the next one has what was found since', async () => {
  const answer = Promise.withResolvers<void>();
  const { list, seen, deadline } = await open(() => answer.promise);
  const { mock } = jest.spyOn(deadline, 'atMost');
  expect(await list()).toBe(0);
  expect(mock.calls[0]?.[0]).toBe(1_000);
  // A list that has gone begins no more walks, and the others wait for the same ones.
  expect(await Promise.all([list(20), list(20)])).toEqual([0, 0]);
  expect(seen).toEqual({ begun: 8, now: 8, most: 8 });
  answer.resolve();
  expect([await list(60_000), seen.begun]).toEqual([100, 100]);
});

test('a graph that is away holds no list up, and is asked again by the next one', async () => {
  let isAway = true;
  const { list } = await open(async () => {
    if (isAway) throw new Fault('unavailable', 'Neo4j is away');
  });
  expect(await list()).toBe(0);
  isAway = false;
  expect(await list()).toBe(100);
});

test('a request that ends takes no walk with it that others wait for', async () => {
  const { list, seen, deadline } = await open(() => sleep(30));
  const one = deadline.within(5, () => list(60_000));
  expect([await list(60_000), await one, seen.begun]).toEqual([100, 100, 100]);
});

test('the cause and the members of a group are one walk, all within one limit', async () => {
  const { hits, seen, deadline } = await open(() => sleep(1));
  const limits = jest.spyOn(deadline, 'atMost').mock.calls;
  const group = (cause: string, isCauseOn: boolean): HitSource => {
    const on = CAUSES.filter((id) => id !== cause);
    return { on, all: CAUSES, cause, isCauseOn, severity: 'critical' };
  };
  const sources = [group('cause-0', true), group('cause-1', false)];
  expect((await hits(sources)).map(({ now }) => now.map(({ service }) => service.name))).toEqual([['Shop'], ['Shop']]);
  // An ended cause is walked from on its own: what it affected is no longer affected.
  expect([seen.begun, limits.filter(([ms]) => ms === 1_000).length]).toEqual([3, 1]);
});

test('a resolved group affected the services behind all of its members, as while it was active', async () => {
  const { hits, relate } = await open(() => sleep(1));
  await relate('cause-0', 'symptom');
  const group = { all: ['cause-1', 'symptom'], cause: 'cause-1', severity: 'critical' } as const;
  const [active, over] = await hits([
    { ...group, on: group.all, isCauseOn: true },
    { ...group, on: [], isCauseOn: false },
  ]);
  expect([over?.now, over?.ever[0]?.components]).toEqual([[], active?.ever[0]?.components]);
  expect(over?.ever[0]?.components).toEqual(['cause-0', 'cause-1']);
});
