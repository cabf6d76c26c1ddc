import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangesPage } from '#domain/ports/topology/topology-history.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { MAX_CASCADE } from '#domain/topology/refusals.ts';
import type { CiChange } from '#domain/topology/topology.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function historyContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);
  const told = ({ at, by, before, after }: CiChange) => [at, by, before?.name ?? null, after?.name ?? null];
  const changes = async (id: string, page: Partial<ChangesPage> = {}) => {
    const found = await ports.history.changes(TENANT, id, { limit: 10, ...page });
    return { ...found, items: found.items.map(told) };
  };

  describe('keeps every change of a CI', () => {
    const version = (revision: number, updatedAt: number) =>
      aCi('a', { name: `v${revision}`, updatedAt, revision, updatedBy: `u${revision}` });
    const whole = [
      [400, 'ann', 'v3', null],
      [300, 'u3', 'v2', 'v3'],
      [300, 'u2', 'v1', 'v2'],
      [100, 'u1', null, 'v1'],
    ];
    beforeEach(async () => {
      await cis(version(1, 100));
      await cis(version(2, 300), version(3, 300));
      await ports.cis.remove(TENANT, 'a', 400, { by: 'ann' });
    });

    test('newest first, the removal too, with what was before', async () => {
      expect(await changes('a')).toEqual({ items: whole, total: 4, nextCursor: null });
    });

    test('page by page, by number or by cursor', async () => {
      const first = await changes('a', { limit: 3 });
      expect(first).toMatchObject({ items: whole.slice(0, 3), total: 4 });
      expect(await changes('a', { limit: 3, offset: 3 })).toMatchObject({ items: whole.slice(3), nextCursor: null });
      expect(await changes('a', { limit: 3, cursor: first.nextCursor! })).toMatchObject({
        items: whole.slice(3),
        nextCursor: null,
      });
      await expect(changes('a', { cursor: 'none' })).rejects.toMatchObject({ kind: 'invalid' });
    });

    test('the whole CI, and none of an unknown one or another tenant', async () => {
      const { items } = await ports.history.changes(TENANT, 'a', { limit: 1, offset: 1 });
      expect(items[0]).toEqual({ at: 300, by: 'u3', before: version(2, 300), after: version(3, 300) });
      expect(await changes('x')).toEqual({ items: [], total: 0, nextCursor: null });
      expect((await ports.history.changes('other', 'a', { limit: 9 })).total).toBe(0);
    });

    test('what is gone has no later version, and comes back as something new', async () => {
      await expect(cis(version(4, 500))).rejects.toMatchObject({ kind: 'precondition' });
      await cis(aCi('a', { name: 'again', createdAt: 500, updatedBy: 'bob' }));
      const { items, total } = await changes('a', { limit: 2 });
      expect(items).toEqual([[500, 'bob', null, 'again'], whole[0]]);
      expect(total).toBe(5);
    });
  });

  describe('removes', () => {
    beforeEach(async () => {
      await named('a', 'b', 'c');
      await join(
        aRelationship('1', 'a', 'b'),
        aRelationship('2', 'c', 'a', { type: 'uses' }),
        aRelationship('3', 'c', 'b'),
      );
    });

    test('a CI with its relationships, all of them or nothing', async () => {
      await expect(ports.cis.remove(TENANT, 'a', 200)).rejects.toMatchObject({
        kind: 'conflict',
        data: { relationships: 2 },
      });
      const removed = await ports.cis.remove(TENANT, 'a', 200, { cascade: true });
      expect(removed?.ci).toEqual(aCi('a'));
      expect(removed?.relationships.map(({ id }) => id).sort()).toEqual(['1', '2']);
      const all = await ports.topology.findRelationships(
        TENANT,
        { includeAi: true },
        { sort: 'created_at', order: 'asc', limit: 9 },
      );
      expect([all.items.map(({ id }) => id), all.total]).toEqual([['3'], 1]);
      expect((await ports.graph.around(TENANT, 'c', 900))?.near.map(({ ci }) => ci)).toEqual(['b']);
      expect((await ports.graph.around(TENANT, 'a', 150))?.degree).toBe(2);
      expect(await ports.counts.cis(TENANT)).toBe(2);
    });

    test('only the revision that the caller knows', async () => {
      await cis(aCi('b', { revision: 2 }));
      await join(aRelationship('1', 'a', 'b', { revision: 2, confidence: 0.5 }));
      const cascade = true;
      await expect(ports.cis.remove(TENANT, 'b', 200, { revision: 1, cascade })).rejects.toMatchObject({
        kind: 'precondition',
      });
      await expect(ports.relationships.remove(TENANT, '1', 200, { revision: 1 })).rejects.toMatchObject({
        kind: 'precondition',
      });
      expect(await ports.relationships.remove(TENANT, '1', 200, { revision: 2 })).toMatchObject({ confidence: 0.5 });
      expect(await ports.cis.remove(TENANT, 'b', 200, { revision: 2, cascade })).toMatchObject({ ci: { id: 'b' } });
    });

    test('a relationship that is gone has no later version', async () => {
      await ports.relationships.remove(TENANT, '1', 200);
      await expect(join(aRelationship('1', 'a', 'b', { revision: 2 }))).rejects.toMatchObject({ kind: 'precondition' });
    });

    test('not more relationships with one CI than a request may wait for', () => {
      expect(MAX_CASCADE).toBe(10_000);
    });
  });

  test('shows a relationship as it was', async () => {
    await named('a', 'b');
    await join(aRelationship('r', 'a', 'b', { createdAt: 100 }));
    await join(aRelationship('r', 'a', 'b', { createdAt: 100, updatedAt: 200, type: 'uses', revision: 2 }));
    await ports.relationships.remove(TENANT, 'r', 300);
    const at = async (time: number) => (await ports.topology.getRelationship(TENANT, 'r', time))?.type ?? null;
    expect(await Promise.all([99, 100, 199, 200, 299, 300].map(at))).toEqual([
      null,
      'depends_on',
      'depends_on',
      'uses',
      'uses',
      null,
    ]);
    expect(await ports.topology.getRelationship(TENANT, 'r')).toBeNull();
    expect(await ports.topology.getRelationship('other', 'r', 150)).toBeNull();
  });
}
