import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function forgettingContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);
  const version = (revision: number, updatedAt: number) => aCi('a', { name: `v${revision}`, updatedAt, revision });
  const nameAt = async (asOf?: number) => (await ports.topology.getCis(TENANT, ['a'], asOf))[0]?.name ?? null;
  const around = async (ci: string, asOf: number) => {
    const neighbourhood = await ports.graph.neighbourhood(TENANT, ci, { hops: 1, direction: 'both', limit: 10, asOf });
    return neighbourhood.edges.map(({ id, revision }) => `${id}${revision}`).sort();
  };

  describe('forgets versions that ended before a time', () => {
    beforeEach(async () => {
      await cis(version(1, 100));
      await named('b', 'gone', 'lately gone');
      await join(aRelationship('r', 'a', 'b'), aRelationship('s', 'a', 'gone'), aRelationship('t', 'b', 'lately gone'));
      await cis(version(2, 200));
      await join(aRelationship('r', 'a', 'b', { updatedAt: 200, revision: 2, confidence: 0.5 }));
      await ports.cis.remove(TENANT, 'gone', 200, { cascade: true });
      await cis(version(3, 300));
      await ports.cis.remove(TENANT, 'lately gone', 300, { cascade: true });
      // Counts all tenants: others may have some too.
      expect(await ports.history.forget(250)).toBeGreaterThanOrEqual(4);
    });

    test('and knows all that was there from then on', async () => {
      expect([await nameAt(), await nameAt(300), await nameAt(250)]).toEqual(['v3', 'v3', 'v2']);
      expect([await around('a', 250), await around('b', 250), await around('b', 300)]).toEqual([
        ['r2'],
        ['r2', 't1'],
        ['r2'],
      ]);
      expect(await ports.topology.getCis(TENANT, ['lately gone'], 299)).toHaveLength(1);
      expect((await ports.graph.around(TENANT, 'a', 9_000))?.degree).toBe(1);
      expect(await ports.counts.cis(TENANT)).toBe(2);
    });

    test('and not what was before', async () => {
      expect(await nameAt(150)).toBeNull();
      expect(await ports.topology.getRelationship(TENANT, 'r', 150)).toBeNull();
      expect(await ports.topology.getRelationship(TENANT, 's', 150)).toBeNull();
      expect((await ports.history.changes(TENANT, 'gone', { limit: 9 })).total).toBe(0);
      const { items } = await ports.history.changes(TENANT, 'a', { limit: 9 });
      expect(items.map(({ before, after }) => [before?.name ?? null, after?.name])).toEqual([
        ['v2', 'v3'],
        [null, 'v2'],
      ]);
    });

    test('once, and what is there stays however old it is', async () => {
      expect(await ports.history.forget(250)).toBe(0);
      expect(await ports.history.forget(9_000)).toBeGreaterThanOrEqual(3);
      expect([await nameAt(), await around('a', 9_000)]).toEqual(['v3', ['r2']]);
      expect((await ports.topology.findCis(TENANT, {}, { sort: 'name', order: 'asc', limit: 9 })).total).toBe(2);
      await cis(aCi('gone', { name: 'back', createdAt: 9_000 }));
      expect(await ports.counts.cis(TENANT)).toBe(3);
    });

    test('in parts, when there are many', async () => {
      const names = Array.from({ length: 1_200 }, (_, n) => `x${n}`);
      await named(...names);
      await cis(...names.map((id) => aCi(id, { revision: 2, updatedAt: 400 })));
      expect(await ports.history.forget(401)).toBeGreaterThanOrEqual(3 + names.length);
      expect(await ports.history.forget(401)).toBe(0);
    });
  });
}
